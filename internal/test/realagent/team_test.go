//go:build agents

package realagent

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// teamPlan has four tasks; the last needs the first.
const teamPlan = `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-one", "spec": "s.md", "name": "Write one.txt", "accept": "cat one.txt prints one", "s": "p", "created_at": "2026-01-01T00:00:00.001Z"}
{"t": "task", "id": "t-two", "spec": "s.md", "name": "Write two.txt", "accept": "cat two.txt prints two", "s": "p", "created_at": "2026-01-01T00:00:00.002Z"}
{"t": "task", "id": "t-three", "spec": "s.md", "name": "Write three.txt", "accept": "cat three.txt prints three", "s": "p", "created_at": "2026-01-01T00:00:00.003Z"}
{"t": "task", "id": "t-four", "spec": "s.md", "name": "Write four.txt", "accept": "cat four.txt prints four", "deps": ["t-one"], "s": "p", "created_at": "2026-01-01T00:00:00.004Z"}
`

// TestClaudeTeam guards: two Claude Code workers, at work at the same time, and a validator take a plan of four tasks to COMPLETE.
// Each task lands once and is accepted once, the user's worktree stays as it is, and nothing is left behind.
func TestClaudeTeam(t *testing.T) {
	m := model(t)
	m.start.expect(2)
	r, mark := teamWorkshop(t, m)
	before := own(r)
	runTeam(t, r, m)
	if !m.start.met() {
		t.Error("the workers were not at work at the same time")
	}
	if after := own(r); after != before {
		t.Errorf("what is the user's changed:\n%s\nbefore:\n%s", after, before)
	}
	checkTarget(t, r)
	checkReport(t, r)
	checkLeft(t, r, mark)
}

// teamWorkshop is a workshop with a plan, and a user at work. All processes there have a mark in their environment.
func teamWorkshop(t *testing.T, m *Model) (r *gittest.Repo, mark string) {
	t.Helper()
	r = workshop(t, m)
	mark = "RALPH_TEST_TEAM=" + r.Dir
	r.Env = append(r.Env, mark)
	r.Git("config", "ralph.agent.claude.args", "--allowedTools Bash")
	r.Git("config", "ralph.target", "main")
	r.Commit("plan", map[string]string{"ralph/plan.jsonl": teamPlan, "changed": "1\n", "staged": "1\n"})
	r.Git("ralph", "trust", "--yes")
	goOwnWay(r)
	return r, mark
}

// runTeam runs a team until its plan is complete.
func runTeam(t *testing.T, r *gittest.Repo, m *Model) {
	t.Helper()
	out, err := r.Run("git", "ralph", "team", "run", "--roster", "builder=2,validator=1,integrator=1", "--agent", "claude")
	t.Logf("git ralph team run\n%s", out)
	if err != nil {
		logs, _ := r.Run("sh", "-c", "tail -n 200 .git/ralph/runs/*/* .git/worktrees/*/ralph/runs/*/*")
		t.Fatalf("%v\nasked %q, others %q\n%s", err, m.Asked(), m.Others(), logs)
	}
}

// goOwnWay makes the user's worktree as a user may leave it: on a branch of their own, with changes of each kind.
func goOwnWay(r *gittest.Repo) {
	r.Git("checkout", "-q", "-b", "mine")
	r.WriteFile("changed", "stashed\n")
	r.Git("stash", "-q")
	r.WriteFile("staged", "2\n")
	r.Git("add", "staged")
	r.WriteFile("staged", "3\n")
	r.WriteFile("changed", "2\n")
	r.WriteFile("untracked", "mine\n")
	r.Git("status")
}

// own returns all that is the user's: index, files, configuration, branch, stash and reflogs.
func own(r *gittest.Repo) string {
	var b strings.Builder
	for _, file := range []string{
		".git/index", ".git/config", ".git/HEAD", ".git/logs/HEAD", ".git/logs/refs/stash", ".git/logs/refs/heads/mine", "changed", "staged", "untracked",
	} {
		b.WriteString(file + " " + r.Git("hash-object", "--no-filters", file) + "\n")
	}
	b.WriteString(r.Git("--no-optional-locks", "status", "--porcelain=v2", "--branch", "--untracked-files=all") + "\n")
	return b.String() + r.Git("for-each-ref", "refs/heads/mine", "refs/stash", "refs/tags", "refs/remotes")
}

// checkTarget looks at what has landed.
func checkTarget(t *testing.T, r *gittest.Repo) {
	t.Helper()
	target := filepath.Join(filepath.Dir(r.Dir), "target")
	r.Git("worktree", "add", "-q", target, "main")
	if stage := r.At(target).Git("ralph", "query", "stage"); strings.TrimSpace(stage) != "COMPLETE" {
		t.Errorf("the stage is %s", stage)
	}
	messages := r.Git("log", "main", "--format=%B")
	for _, name := range []string{"one", "two", "three", "four"} {
		if text := r.At(target).ReadFile(name + ".txt"); text != name+"\n" {
			t.Errorf("%s.txt on the target is %q", name, text)
		}
		for _, trailer := range []string{"Ralph-Landed: t-" + name + " ", "Ralph-Event: done t-" + name + " ", "Ralph-Event: accepted t-" + name + " "} {
			if n := strings.Count(messages, "\n"+trailer); n != 1 {
				t.Errorf("%d times %q in the target's history", n, trailer)
			}
		}
	}
	r.Git("worktree", "remove", target)
	r.Fsck()
}

// checkReport looks at the report of the run: both builders did something, and tokens were read.
func checkReport(t *testing.T, r *gittest.Repo) {
	t.Helper()
	report, err := r.Run("sh", "-c", "cat .git/ralph/runs/*/report.md")
	t.Logf("report.md\n%s", report)
	for _, want := range []string{
		`\| builder-1 \| \d+ \| \d+ \| [1-3] \| .* \| \d{4,} \|`, `\| builder-2 \| \d+ \| \d+ \| [1-3] \| .* \| \d{4,} \|`,
		`4 landed, 0 returned, 0 rejected, 4 accepted`, `\| t-four \| Write four.txt \| builder-[12].* \| 1 \| 0 \| 0 \| 1 \|`,
	} {
		if err != nil || !regexp.MustCompile(want).MatchString(report) {
			t.Errorf("no %s in the report: %v", want, err)
		}
	}
}

// checkLeft looks for what a team leaves behind: claims, locks, processes, work in worktrees; and branches, once they are cleaned up.
func checkLeft(t *testing.T, r *gittest.Repo, mark string) {
	t.Helper()
	if claims := r.Git("for-each-ref", "refs/ralph/"); claims != "" {
		t.Errorf("claims are left: %s", claims)
	}
	worktrees, _ := filepath.Glob(r.Path(".ralph/worktrees/*")) //nolint:errcheck // the pattern is good
	for _, dir := range worktrees {
		if left := r.At(dir).Git("status", "--porcelain"); left != "" {
			t.Errorf("uncommitted in %s: %s", dir, left)
		}
	}
	// Locks below ralph are files that stay; they are free once the processes have ended.
	if left, err := r.Run("sh", "-c", "find .git -name ralph -prune -o -name '*.lock' -print; find .git -name agent.json"); left != "" || err != nil {
		t.Errorf("left %s: %v", left, err)
	}
	for _, pid := range processes(mark) {
		line, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		t.Errorf("a process is left: %q", line)
	}
	r.Git("ralph", "work", "clean")
	if branches := r.Git("for-each-ref", "refs/heads/ralph-work/"); branches != "" {
		t.Errorf("branches are left: %s", branches)
	}
	if list := r.Git("worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("worktrees are left: %s", list)
	}
}

// processes lists those with a mark in their environment, where a system shows it.
func processes(mark string) (all []int) {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ") //nolint:errcheck // the pattern is good
	for _, path := range environs {
		environ, _ := os.ReadFile(path)
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && slices.Contains(strings.Split(string(environ), "\x00"), mark) {
			all = append(all, pid)
		}
	}
	return all
}
