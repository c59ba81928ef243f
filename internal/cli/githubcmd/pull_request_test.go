package githubcmd_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/githubserver"
	"git-ralph/internal/test/gittest"
)

// A puller is a clone of a repository at a GitHub on loopback, with a plan whose item GH-42 is implemented on the branch GH-42.
type puller struct {
	*gittest.Repo
	t      *testing.T
	server *githubserver.Server
	origin string
	now    func() time.Time // nil: the clock
}

const pullPlan = `{"t": "issue", "id": "i-old", "spec": "s", "desc": "x"}
{"t": "item", "id": "w-7bf0", "number": 42, "name": "Lex\u001b[2J it @all", "state": "In Progress", "artifacts": {"plan": "thoughts/plan.md"}, "created_at": "2026-01-01T00:00:00.000Z"}
{"t": "item", "id": "w-9hf0", "number": 43, "name": "Parse it", "state": "In Progress", "created_at": "2026-01-01T00:00:00.001Z"}
{"t": "task", "id": "t-w-7bf0-implement", "name": "Implement GH-42", "s": "d", "done_at": "%[1]s", "created_at": "2026-01-01T00:00:00.000Z", "role": "builder", "meta": {"issue_number": 42, "group_primary": 42, "group_members": [42, 43], "phase": "implement"}, "attempt": "abcd"}
{"t": "task", "id": "t-w-7bf0-merge", "name": "Merge PR for GH-42", "deps": ["t-w-7bf0-pr"], "s": "p", "created_at": "2026-01-01T00:00:00.000Z", "role": "integrator", "meta": {"issue_number": 42, "group_primary": 42, "group_members": [42, 43], "phase": "merge"}}
{"t": "task", "id": "t-w-7bf0-pr", "name": "Create PR for GH-42", "deps": ["t-w-7bf0-implement"], "s": "p", "created_at": "2026-01-01T00:00:00.000Z", "role": "integrator", "meta": {"issue_number": 42, "group_primary": 42, "group_members": [42, 43], "phase": "pr"}}
`

// newPuller makes the repository. Its plan is on the branch plan, which main is protected from or not.
func newPuller(t *testing.T) *puller {
	repo := gittest.NewRepo(t)
	first := repo.Commit("first", map[string]string{"lex.txt": "one\n"})
	repo.Git("branch", "-M", "main")
	origin := filepath.Join(t.TempDir(), "origin.git")
	repo.Git("init", "-q", "--bare", "-b", "main", origin)
	repo.Git("remote", "add", "origin", origin)
	repo.Git("push", "-q", "origin", "main")
	p := &puller{Repo: repo, t: t, server: githubserver.New(t), origin: origin}
	p.server.Origin, p.server.Protected = origin, map[string]*githubserver.Protection{}
	repo.Git("switch", "-q", "-c", "GH-42")
	repo.Commit("Lex", map[string]string{"lex.txt": "one\ntwo\n"})
	repo.Git("switch", "-q", "-c", "plan", "main")
	repo.Commit("plan", map[string]string{"ralph/plan.jsonl": fmt.Sprintf(pullPlan, first[:12]), "thoughts/plan.md": "plan\n"})
	for key, value := range map[string]string{"ralph.github.host": p.server.URL, "ralph.github.owner": githubserver.Owner, "ralph.github.repo": githubserver.Repo, "ralph.target": "plan"} {
		repo.Git("config", key, value)
	}
	p.Repo = repo.Setenv("GH_TOKEN", githubserver.Token).Setenv("GIT_RALPH_TEST_GITHUB_PAUSE", "1ms")
	return p
}

// run runs a command in this process, and returns its output and exit code.
func (p *puller) run(ctx context.Context, args ...string) (string, int) {
	var out bytes.Buffer
	env, err := term.NewEnv("")
	if err != nil {
		p.t.Fatal(err)
	}
	env.Dir, env.Environ, env.In, env.Out, env.Err, env.Terminal = p.Dir, p.Env, strings.NewReader(""), &out, &out, false
	if p.now != nil {
		env.Now = p.now
	}
	code := cli.MainOf(ctx, append([]string{"git-ralph"}, args...), env, interfaces())
	return out.String(), code
}

func (p *puller) must(code int, args ...string) string {
	p.t.Helper()
	out, got := p.run(p.t.Context(), args...)
	if got != code {
		p.t.Fatalf("%q: exit code %d, want %d\n%s", args, got, code, out)
	}
	return out
}

func (p *puller) plan() string { return p.ReadFile("ralph/plan.jsonl") }

func (p *puller) atOrigin(branch string) string {
	out, _ := p.TryGit("--git-dir="+p.origin, "rev-parse", "--verify", "-q", "refs/heads/"+branch) //nolint:errcheck // there may be none
	return strings.TrimSpace(out)
}

// TestPullRequest guards the way of code to the default branch: the branch is pushed, one pull request closes the issues of all members, and
// when it is merged, the target has the code, items are done, and nothing is left to verify.
func TestPullRequest(t *testing.T) {
	t.Parallel()
	p := newPuller(t)
	head := p.Git("rev-parse", "GH-42")
	p.must(0, "github", "pr", "create", "GH-42")
	if len(p.server.Pulls) != 1 || p.atOrigin("GH-42") != head {
		t.Fatalf("%+v, GH-42 at %s", p.server.Pulls, p.atOrigin("GH-42"))
	}
	request := p.server.Pulls[0]
	want := "Closes #42\nCloses #43\n\n- plan: [thoughts/plan.md](" + p.server.URL + "/octo/demo/blob/plan/thoughts/plan.md)\n"
	if request.Title != "Lex[2J it @all (and 1 more)" || request.Body != want || request.Base != "main" {
		t.Errorf("%+v", request)
	}
	plan := p.plan()
	for _, part := range []string{`"code_branch": "GH-42", "code_commit": "` + head + `", "pull_request": 5001`, `"state": "In Review"`} {
		if !strings.Contains(plan, part) {
			t.Errorf("no %s in %s", part, plan)
		}
	}
	p.must(1, "github", "pr", "create", "GH-42") // it is done
	p.must(0, "github", "pr", "merge", "t-w-7bf0-merge")
	if plan = p.plan(); strings.Contains(plan, `"t": "task"`) || strings.Count(plan, `"state": "Done"`) != 2 {
		t.Errorf("%s", plan)
	}
	if p.ReadFile("lex.txt") != "one\ntwo\n" || !request.Merged || !strings.Contains(p.Git("log", "-1", "--format=%B"), "Ralph-Landed: t-w-7bf0-implement "+request.MergeCommit) {
		t.Errorf("%s", p.Git("log", "-3"))
	}
	p.Fsck()
}

// TestPullRequestWaits guards: a pull request that is not ready is not merged; the task waits for an issue, which is closed when it is
// ready, and by nobody else before.
func TestPullRequestWaits(t *testing.T) {
	t.Parallel()
	p := newPuller(t)
	p.server.Protected["main"] = &githubserver.Protection{Reviews: 1, Checks: true}
	p.must(0, "github", "pr", "advance")
	request, head := p.server.Pulls[0], p.atOrigin("GH-42")
	if !strings.Contains(p.plan(), "waits: a review has to approve it") {
		t.Error(p.plan())
	}
	request.SetChecks(head, "PENDING")
	p.must(1, "github", "pr", "merge", "GH-42")
	p.must(3, "github", "pr", "advance")
	request.SetChecks(head, "SUCCESS")
	p.must(3, "github", "pr", "advance")
	request.Reviews = []githubserver.Review{{User: "eve", State: "APPROVED", Commit: head}}
	p.server.Merging = func(p *githubserver.Pull) { p.Reviews[0].State = "DISMISSED" }
	if out := p.must(0, "github", "pr", "advance"); !strings.Contains(out, "closed issue i-") || !strings.Contains(out, "a review has to approve it") || request.Merged {
		t.Error(out)
	}
	p.server.Merging = nil
	p.must(3, "github", "pr", "advance")
	request.Reviews[0].State = "APPROVED"
	p.must(0, "github", "pr", "advance")
	if !request.Merged || strings.Count(p.plan(), `"t": "issue"`) != 1 {
		t.Error(p.plan())
	}
	p.server.Requests()
	p.must(3, "github", "pr", "advance")
	if sent := p.server.Requests(); len(sent) > 0 {
		t.Errorf("nothing is due, and yet it sent %q", sent)
	}
}

// TestRefusedMerge guards: a pull request that looks ready, and that GitHub does not merge, is set aside once, with GitHub's words; the merge is
// tried again after a while, or at another commit, and not at every look.
func TestRefusedMerge(t *testing.T) {
	t.Parallel()
	p := newPuller(t)
	p.must(0, "github", "pr", "create", "GH-42")
	request, refused, at := p.server.Pulls[0], 0, time.Now()
	p.now = func() time.Time { return at }
	const path = "PUT /repos/" + githubserver.Owner + "/" + githubserver.Repo + "/pulls/*/merge"
	merge := p.server.Handle[path]
	p.server.Handle[path] = func(w http.ResponseWriter, _ *http.Request) {
		refused++
		w.WriteHeader(http.StatusMethodNotAllowed)
		fmt.Fprint(w, `{"message": "Merging is\nblocked: a queue is required"}`)
	}
	p.must(0, "github", "pr", "advance")
	plan := p.plan()
	if !strings.Contains(plan, "waits: GitHub refuses to merge it: Merging is blocked: a queue is required (") || strings.Count(plan, `"t": "issue"`) != 2 {
		t.Error(plan)
	}
	for range 3 {
		p.must(3, "github", "pr", "advance")
	}
	if refused != 1 || p.plan() != plan {
		t.Errorf("tried %d times\n%s", refused, p.plan())
	}
	at = at.Add(2 * time.Hour)
	p.must(0, "github", "pr", "advance")
	if refused != 2 || strings.Count(p.plan(), `"t": "issue"`) != 2 {
		t.Errorf("tried %d times\n%s", refused, p.plan())
	}
	p.server.Handle[path] = merge
	at = at.Add(2 * time.Hour)
	p.must(0, "github", "pr", "advance")
	if !request.Merged || strings.Count(p.plan(), `"t": "issue"`) != 1 {
		t.Error(p.plan())
	}
}

// TestBaseMoves guards: while pull requests are open, the target follows the base, whoever moves that; what has a conflict is reported once.
func TestBaseMoves(t *testing.T) {
	t.Parallel()
	p := newPuller(t)
	p.server.Protected["main"] = &githubserver.Protection{Reviews: 1}
	p.must(0, "github", "pr", "advance")
	move := func(name, text string) {
		p.Git("switch", "-q", "--detach", "origin/main")
		p.Commit("of somebody", map[string]string{name: text})
		p.Git("push", "-q", "origin", "HEAD:main")
		p.Git("switch", "-q", "plan")
	}
	p.must(3, "github", "pr", "advance")
	move("new.txt", "of the base\n")
	p.must(0, "github", "pr", "advance")
	if !p.Exists("new.txt") {
		t.Error(p.Git("log", "--oneline", "--graph"))
	}
	p.must(3, "github", "pr", "advance")
	p.Commit("here", map[string]string{"new.txt": "of the target\n"})
	move("new.txt", "of the base again\n")
	if out := p.must(3, "github", "pr", "advance"); !strings.Contains(out, "merge origin/main into plan by hand") {
		t.Error(out)
	}
	if out := p.must(3, "github", "pr", "advance"); strings.Contains(out, "by hand") || p.ReadFile("new.txt") != "of the target\n" {
		t.Error(out)
	}
}

// TestPullRequestChecks guards: code whose checks fail is not pushed, but made again, and the reason has the end of their output; what is merged
// has receipts of its checks on the base.
// It runs beside no other test: a check ends with all that its process has started, and so do their gits.
func TestPullRequestChecks(t *testing.T) {
	p := newPuller(t)
	const check = "sh -c 'cat lex.txt; grep -q three lex.txt'"
	p.Git("config", "ralph.checks.allow", check)
	p.Git("config", "ralph.github.pulls", "true")
	p.Commit("check", map[string]string{"ralph/plan.jsonl": strings.Replace(p.plan(), `"s": "d"`, `"s": "d", "check": "`+check+`"`, 1)})
	p.must(7, "github", "pr", "create", "GH-42")
	if plan := p.plan(); len(p.server.Pulls) > 0 || p.atOrigin("GH-42") != "" || !strings.Contains(plan, `failed with exit code 1:\none\ntwo"`) || strings.Contains(plan, `"s": "d"`) {
		t.Fatalf("%+v\n%s", p.server.Pulls, plan)
	}
	p.Git("switch", "-q", "GH-42")
	p.Commit("Three", map[string]string{"lex.txt": "one\ntwo\nthree\n"})
	p.Git("switch", "-q", "plan")
	p.must(0, "task", "done", "t-w-7bf0-implement", "--force")
	p.must(0, "github", "pr", "advance")
	said := p.Git("log", "-3", "--format=%B")
	if !p.server.Pulls[0].Merged || !strings.Contains(said, "Ralph-Evidence: ") || strings.Contains(p.plan(), `"t": "task"`) {
		t.Errorf("%s\n%s", said, p.plan())
	}
}

// stranger commits to the branch at the remote.
func (p *puller) stranger(onto string) string {
	p.Git("switch", "-q", "--detach", onto)
	commit := p.Commit("not theirs", map[string]string{"evil.txt": "x\n"})
	p.Git("push", "-q", "--force", "origin", "HEAD:refs/heads/GH-42")
	p.Git("switch", "-q", "plan")
	return commit
}

// TestHostilePullRequest guards: other work on a branch of the same name is never overwritten, and nothing is merged that was neither pushed
// from here nor approved itself, also where the branch moves in the last moment.
func TestHostilePullRequest(t *testing.T) {
	t.Parallel()
	p := newPuller(t)
	other := p.stranger("main")
	p.must(9, "github", "pr", "create", "GH-42")
	if p.atOrigin("GH-42") != other || len(p.server.Pulls) > 0 || strings.Count(p.plan(), `"state": "Human Needed"`) != 2 {
		t.Errorf("%s at %s", p.plan(), p.atOrigin("GH-42"))
	}

	p = newPuller(t)
	p.server.Protected["main"] = &githubserver.Protection{Reviews: 1}
	p.must(0, "github", "pr", "create", "GH-42")
	request, head := p.server.Pulls[0], p.atOrigin("GH-42")
	request.Reviews = []githubserver.Review{{User: "eve", State: "APPROVED", Commit: head}}
	moved := ""
	p.server.Merging = func(*githubserver.Pull) { moved = p.stranger("GH-42") }
	p.must(7, "github", "pr", "merge", "GH-42")
	if request.Merged || moved == "" {
		t.Fatalf("merged %+v, %s", request, moved)
	}
	p.must(3, "github", "pr", "advance")
	p.server.Merging = nil
	request.Reviews = append(request.Reviews, githubserver.Review{User: "ann", State: "APPROVED", Commit: moved})
	p.must(0, "github", "pr", "advance")
	if !request.Merged || !p.Exists("evil.txt") {
		t.Errorf("%+v", request)
	}

	p = newPuller(t)
	p.must(0, "github", "pr", "create", "GH-42")
	p.server.Pulls[0].State, p.server.Pulls[0].HeadSHA = "closed", p.atOrigin("GH-42")
	p.must(9, "github", "pr", "merge", "GH-42")
	if !strings.Contains(p.plan(), "closed and not merged") {
		t.Error(p.plan())
	}
}

// TestPullRequestFaults guards: whatever fails, and wherever the command ends, doing it again comes to the same end: one pull request, one
// merge, one plan.
func TestPullRequestFaults(t *testing.T) {
	t.Parallel()
	all := os.Getenv("GIT_RALPH_PULL_FAULTS") != ""
	for fault := githubserver.DropBefore; fault < githubserver.Faults; fault++ {
		for at := range 8 {
			if !all && (fault%2 == 0 || at != (3*int(fault))%8) { // one in sixteen; all of them with the variable
				continue
			}
			p := newPuller(t)
			ctx, end := context.WithCancel(t.Context())
			p.server.FailOnce(at, fault, func() {
				if at%2 == 1 {
					end()
				}
			})
			for code := 0; code != 3; ctx = t.Context() {
				if _, code = p.run(ctx, "github", "pr", "advance"); code == 3 && strings.Contains(p.plan(), `"t": "task"`) {
					t.Fatalf("fault %d at request %d: nothing is due\n%s", fault, at, p.plan())
				}
			}
			end()
			if plan := p.plan(); len(p.server.Pulls) != 1 || !p.server.Pulls[0].Merged || strings.Contains(plan, `"t": "task"`) ||
				strings.Count(plan, `"t": "issue"`) != 1 || p.Git("rev-list", "--count", "--merges", "origin/main") != "1" {
				t.Errorf("fault %d at request %d: %d pull requests\n%s", fault, at, len(p.server.Pulls), plan)
			}
		}
	}
}

// TestImplementLandsInTwoParts guards: where pull requests merge code, landing an Implement changes the target's plan and nothing else there;
// its code is one commit on the base without the plan, also after it was rejected and done again, and counts as not landed before it is merged.
func TestImplementLandsInTwoParts(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"plan", "main"} {
		p := newPuller(t)
		p.Git("config", "ralph.github.pulls", "true")
		p.Git("branch", "-q", "-D", "GH-42")
		if target == "main" {
			p.Git("switch", "-q", "main")
			p.Git("merge", "-q", "plan")
			p.Git("push", "-q", "origin", "main")
			p.Git("config", "ralph.target", "main")
		}
		p.must(0, "task", "reject", "t-w-7bf0-implement", "not yet")
		p.Git("switch", "-q", "-c", "work")
		p.Commit("Lex", map[string]string{"lex.txt": "one\ntwo\n"})
		p.must(0, "task", "done", "t-w-7bf0-implement")
		p.Git("switch", "-q", target)
		p.must(0, "land", "work")
		plan := p.plan()
		code := strings.TrimSpace(p.Git("for-each-ref", "--format=%(objectname)", "refs/ralph/code/t-w-7bf0-implement/"))
		if p.ReadFile("lex.txt") != "one\n" || !strings.Contains(plan, `"code_branch": "GH-42", "code_commit": "`+code+`"`) {
			t.Fatalf("%s: %s\n%s", target, p.ReadFile("lex.txt"), plan)
		}
		if out := p.must(0, "query", "tasks", "--json"); !strings.Contains(out, `"landed": "no"`) {
			t.Error(out)
		}
		if got := p.Git("diff", "--name-only", "origin/main", code); got != "lex.txt" {
			t.Errorf("%s: the code changes %q", target, got)
		}
		if p.must(0, "work", "clean"); p.Git("for-each-ref", "refs/ralph/code") == "" {
			t.Error("code was removed that is not merged")
		}
		p.must(0, "github", "pr", "advance")
		if len(p.server.Pulls) != 1 || !p.server.Pulls[0].Merged || p.ReadFile("lex.txt") != "one\ntwo\n" || strings.Contains(p.plan(), `"t": "task"`) {
			t.Errorf("%s: %+v, %s\n%s", target, p.server.Pulls, p.ReadFile("lex.txt"), p.plan())
		}
		if p.must(0, "work", "clean"); p.Git("for-each-ref", "refs/ralph/code") != "" {
			t.Error(p.Git("for-each-ref"))
		}
		p.Fsck()
	}
}

// TestWorkerMerges guards: a worker that lands does what is due for pull requests where a setting says so, and sends nothing elsewhere.
func TestWorkerMerges(t *testing.T) {
	t.Parallel()
	p := newPuller(t)
	u := newUser(t) // for its programs
	p.Repo = p.Setenv("PATH", u.Getenv("PATH"))
	p.Git("config", "ralph.agent", "false")
	p.must(0, "trust", "--yes")
	work := func() string {
		out, _ := p.Repo.Run("git-ralph", "work", "--role", "integrator", "--no-tasks") //nolint:errcheck // the requests show what it did
		return out
	}
	if out := work(); len(p.server.Requests()) > 0 || len(p.server.Pulls) > 0 {
		t.Errorf("nobody asked for it, and yet there are requests: %s", out)
	}
	p = newPuller(t)
	p.Repo = p.Setenv("PATH", u.Getenv("PATH"))
	p.Git("config", "ralph.agent", "false")
	p.must(0, "trust", "--yes")
	p.Git("config", "ralph.github.pulls", "true")
	if out := work(); len(p.server.Pulls) != 1 || !p.server.Pulls[0].Merged {
		t.Errorf("%+v\n%s\n%s", p.server.Pulls, out, p.plan())
	}
}

// TestCodeTravels guards: where clones share claims, the remote never has a plan that names code which it does not have, and another clone
// opens and merges the pull request.
func TestCodeTravels(t *testing.T) {
	t.Parallel()
	p := implemented(t)
	withClaims(p)
	hook := `#!/bin/sh
while read old new ref; do
	test "$ref" = refs/heads/plan || continue
	for code in $(git show "$new:ralph/plan.jsonl" | sed -n 's/.*"code_commit": "\([0-9a-f]*\)".*/\1/p'); do
		git for-each-ref --format='%(objectname)' refs/ralph/code/t-w-7bf0-implement/$code | grep -q $code || exit 1
		echo $code >>seen
	done
done
`
	if err := os.WriteFile(filepath.Join(p.origin, "hooks/pre-receive"), []byte(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	p.must(0, "land", "work")
	other := *p
	other.Repo = gittest.NewRepo(t).Setenv("GH_TOKEN", githubserver.Token).Setenv("GIT_RALPH_TEST_GITHUB_PAUSE", "1ms")
	other.Git("remote", "add", "origin", p.origin)
	other.Git("fetch", "-q", "origin")
	other.Git("switch", "-q", "plan")
	for _, line := range strings.Split(p.Git("config", "--get-regexp", `^ralph\.`), "\n") {
		key, value, _ := strings.Cut(line, " ")
		other.Git("config", key, value)
	}
	if _, err := other.TryGit("cat-file", "-e", strings.TrimSpace(p.Git("for-each-ref", "--format=%(objectname)", "refs/ralph/code"))); err == nil {
		t.Fatal("the other clone has the code already")
	}
	other.must(0, "github", "pr", "advance")
	if len(p.server.Pulls) != 1 || !p.server.Pulls[0].Merged || other.ReadFile("lex.txt") != "one\ntwo\n" || strings.Contains(other.plan(), `"t": "task"`) {
		t.Errorf("%+v\n%s", p.server.Pulls, other.plan())
	}
	if seen, _ := os.ReadFile(filepath.Join(p.origin, "seen")); len(seen) == 0 {
		t.Error("the hook saw no code")
	}
}
