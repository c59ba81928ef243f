package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/test/gittest"
)

// newStore opens the plan of a repository that has one task, t-one1.
func newStore(t *testing.T, r *gittest.Repo) *Store {
	t.Helper()
	r.Commit("plan", map[string]string{DefaultPath: `{"t": "spec", "spec": "a.md"}
{"t": "task", "id": "t-one1", "spec": "a.md", "name": "One", "s": "p"}
`})
	return open(t, r)
}

func open(t *testing.T, r *gittest.Repo) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{
		Dir: r.Dir, Environ: r.Env, Now: func() time.Time { return noon }, Random: func(int) int { return 7 },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// adding requests one more task.
func adding(name string) Request {
	return Request{Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		task := jsonl.Build(detail("id", "t-"+name, "name", name))
		return p.AddTasks([]jsonl.Object{task}, in.Stamp)
	}}
}

func (s *Store) mustUpdate(t *testing.T, r Request) Result {
	t.Helper()
	res, err := s.Update(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestUpdateCommits(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	res := s.mustUpdate(t, adding("new1"))
	if !res.Committed || res.Commit != r.Git("rev-parse", "HEAD") || res.Branch != "main" || res.Reason != "" || res.OwnEdits {
		t.Errorf("result %+v", res)
	}
	if at, err := s.At(t.Context(), "HEAD"); err != nil || len(at.Plan.Of(plan.KindTask)) != 2 {
		t.Errorf("HEAD has %v, %v", at.Plan, err)
	}
	if view, err := s.View(t.Context()); err != nil || len(view.Plan.Of(plan.KindTask)) != 2 {
		t.Errorf("the worktree has %v, %v", view.Plan, err)
	}
	r.Fsck()
}

// An error of the mutation leaves everything as it was.
func TestUpdateError(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	before, tip := r.ReadFile(DefaultPath), r.Git("rev-parse", "HEAD")
	mine := errors.New("mine")
	_, err := s.Update(t.Context(), Request{Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		adding("new1").Do(p, in)
		return plan.Change{}, mine
	}})
	if !errors.Is(err, mine) || r.ReadFile(DefaultPath) != before || r.Git("rev-parse", "HEAD") != tip {
		t.Errorf("%v; plan %s", err, r.ReadFile(DefaultPath))
	}
}

func TestDryRunChangesNothing(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	before, tip := r.ReadFile(DefaultPath), r.Git("rev-parse", "HEAD")
	request := adding("new1")
	request.DryRun = true
	res := s.mustUpdate(t, request)
	if len(res.Change.Records) != 1 || res.Reason != "dry run" || res.Committed {
		t.Errorf("result %+v", res)
	}
	if r.ReadFile(DefaultPath) != before || r.Git("rev-parse", "HEAD") != tip || r.Git("status", "--porcelain") != "" {
		t.Error("something changed")
	}
}

// The modes of ralph.commit, and --no-commit.
func TestCommitModes(t *testing.T) {
	tests := map[string]struct {
		config, reason, status string
		noCommit               bool
	}{
		"stage":     {config: "stage", reason: "ralph.commit = stage", status: "M  " + DefaultPath},
		"off":       {config: "off", reason: "ralph.commit = off", status: " M " + DefaultPath},
		"no commit": {config: "auto", reason: "--no-commit", status: " M " + DefaultPath, noCommit: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			r.Git("config", "ralph.commit", test.config)
			s := newStore(t, r)
			tip := r.Git("rev-parse", "HEAD")
			request := adding("new1")
			request.NoCommit = test.noCommit
			res := s.mustUpdate(t, request)
			if res.Committed || res.Commit != "" || res.Reason != test.reason || r.Git("rev-parse", "HEAD") != tip {
				t.Errorf("result %+v", res)
			}
			if status := r.Git("status", "--porcelain"); strings.TrimSpace(status) != strings.TrimSpace(test.status) {
				t.Errorf("status %q", status)
			}
			r.Git("config", "ralph.commit", "auto")
			if res := open(t, r).mustUpdate(t, adding("new2")); !res.Committed || res.OwnEdits {
				t.Errorf("afterwards %+v", res)
			}
			body := r.Git("log", "-1", "--format=%B")
			if one, two := strings.Index(body, "added t-new1 {"), strings.Index(body, "added t-new2 {"); one < 0 || two < one {
				t.Errorf("the message does not report both: %s", body)
			}
			if r.Git("status", "--porcelain") != "" || !strings.Contains(r.Git("show", "HEAD:"+DefaultPath), "t-new1") {
				t.Error("the change was not taken along")
			}
		})
	}
}

// What was written and not committed is reported once, and not when the user threw
// it away, committed it, or changed the plan on top of it.
func TestPendingEvents(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	later := func(name string) Request {
		request := adding(name)
		request.NoCommit = true
		return request
	}
	reported := func() int { return strings.Count(r.Git("log", "--format=%B"), "Ralph-Event: added ") }

	s.mustUpdate(t, later("new1"))
	r.Git("checkout", "-q", "--", DefaultPath)
	s.mustUpdate(t, adding("new2"))
	if reported() != 1 {
		t.Errorf("after throwing away: %s", r.Git("log", "--format=%B"))
	}
	s.mustUpdate(t, later("new3"))
	r.Git("commit", "-qam", "by hand")
	s.mustUpdate(t, adding("new4"))
	if reported() != 2 {
		t.Errorf("after committing by hand: %s", r.Git("log", "--format=%B"))
	}
	s.mustUpdate(t, later("new5"))
	s.mustUpdate(t, later("new6"))
	r.WriteFile(DefaultPath, r.ReadFile(DefaultPath)+`{"t": "zz"}`+"\n")
	if res := s.mustUpdate(t, adding("new7")); !res.OwnEdits || reported() != 3 {
		t.Errorf("%+v, %s", res, r.Git("log", "-1", "--format=%B"))
	}
	if r.Exists(".git/" + pendingFile) {
		t.Error("the log is left")
	}
}

// No false report: events that were not committed are not in a later commit
// of another plan, nor on another branch.
func TestPendingIsNotTakenElsewhere(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	later := adding("lost")
	later.NoCommit = true
	s.mustUpdate(t, later)
	r.Git("stash", "-q")
	r.Git("switch", "-q", "-c", "other")
	r.WriteFile(DefaultPath, strings.Replace(r.ReadFile(DefaultPath), "One", "Eins", 1))
	s.mustUpdate(t, adding("new1"))
	if body := r.Git("log", "--format=%B"); strings.Contains(body, "t-lost") {
		t.Errorf("a false story: %s", body)
	}
}

// What we staged and what we wrote on top of it is ours: no order of modes shuts
// mutations out.
func TestModesOneAfterTheOther(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r)
	for n, mode := range []string{"stage", "off", "stage", "off", "off", "auto"} {
		r.Git("config", "ralph.commit", mode)
		open(t, r).mustUpdate(t, adding("new"+strings.Repeat("x", n)))
	}
	if body := r.Git("log", "-1", "--format=%B"); strings.Count(body, "Ralph-Event: added ") != 6 || r.Git("status", "--porcelain") != "" {
		t.Errorf("%s\n%s", body, r.Git("status", "--porcelain"))
	}
	r.Git("config", "ralph.commit", "off")
	s := open(t, r)
	s.mustUpdate(t, adding("a"))
	r.Git("add", DefaultPath)
	s.mustUpdate(t, adding("b"))
	s.mustUpdate(t, adding("c"))
}

// The user's own edits of the plan: valid ones go along, and the message says
// so; invalid ones stop the mutation.
func TestOwnEdits(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	own := r.ReadFile(DefaultPath) + `{"t": "note", "x": 1.0}` + "\n"
	r.WriteFile(DefaultPath, own)
	if res := s.mustUpdate(t, adding("new1")); !res.OwnEdits || !res.Committed {
		t.Errorf("result %+v", res)
	}
	if body := r.Git("log", "-1", "--format=%B"); !strings.Contains(body, "\nRalph-Event: updated - {") {
		t.Errorf("message %s", body)
	}
	broken := r.ReadFile(DefaultPath) + "{broken\n"
	r.WriteFile(DefaultPath, broken)
	_, err := s.Update(t.Context(), adding("new2"))
	var invalid *plan.InvalidError
	if !errors.As(err, &invalid) || !strings.HasPrefix(err.Error(), DefaultPath+":4:2: invalid JSON") && !strings.Contains(err.Error(), ":2: invalid JSON") {
		t.Errorf("error %v", err)
	}
	if r.ReadFile(DefaultPath) != broken {
		t.Error("the file changed")
	}
}

// A mutation that undoes the user's own edit leaves nothing to commit, and the
// worktree clean.
func TestUndoesOwnEdit(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.WriteFile(DefaultPath, strings.Replace(r.ReadFile(DefaultPath), "a.md", "b.md", 1))
	res := s.mustUpdate(t, Request{Do: func(p *plan.Plan, _ Inputs) (plan.Change, error) { return p.SetSpec("a.md") }})
	if res.Committed || res.Reason != "nothing to commit" || r.Git("status", "--porcelain") != "" {
		t.Errorf("result %+v, status %s", res, r.Git("status", "--porcelain"))
	}
}

// A plan that a sparse checkout leaves out is changed in the index, whatever
// the mode; through git commit it cannot be.
func TestSparse(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.Git("update-index", "--skip-worktree", DefaultPath)
	r.Remove(DefaultPath)
	request := adding("new1")
	request.NoCommit = true
	if res := s.mustUpdate(t, request); res.Committed || !strings.Contains(r.Git("show", ":"+DefaultPath), "t-new1") {
		t.Errorf("result %+v", res)
	}
	request.NoCommit, request.StagedMessage = false, "with code"
	if _, err := s.Update(t.Context(), request); !errors.Is(err, ErrSparse) {
		t.Errorf("error %v", err)
	}
	if res := s.mustUpdate(t, adding("new2")); !res.Committed || !strings.Contains(r.Git("show", "HEAD:"+DefaultPath), "t-new1") {
		t.Errorf("result %+v", res)
	}
	if r.Exists(DefaultPath) || r.Git("status", "--porcelain") != "" {
		t.Errorf("status %q", r.Git("status", "--porcelain"))
	}
}

// A plan that is staged with content of its own, or unmerged, stops the
// mutation; one that is staged as the file has it goes along.
func TestStagedPlan(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	committed := r.ReadFile(DefaultPath)
	r.WriteFile(DefaultPath, committed+`{"t": "note"}`+"\n")
	r.Git("add", DefaultPath)
	r.WriteFile(DefaultPath, committed)
	if _, err := s.Update(t.Context(), adding("new1")); !errors.Is(err, ErrStaged) {
		t.Errorf("staged: %v", err)
	}
	r.WriteFile(DefaultPath, committed+`{"t": "note"}`+"\n")
	if res := s.mustUpdate(t, adding("new1")); !res.OwnEdits {
		t.Errorf("result %+v", res)
	}
	if r.Git("status", "--porcelain") != "" {
		t.Error("not clean")
	}
}

func TestUnmergedPlan(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	plan := r.ReadFile(DefaultPath)
	r.Git("checkout", "-q", "-b", "side")
	r.Commit("theirs", map[string]string{DefaultPath: strings.Replace(plan, "One", "Eins", 1)})
	r.Git("checkout", "-q", "main")
	r.Commit("ours", map[string]string{DefaultPath: strings.Replace(plan, "One", "Un", 1)})
	r.TryGit("merge", "side")
	if _, err := s.Update(t.Context(), adding("new1")); !errors.Is(err, ErrUnmerged) {
		t.Errorf("unmerged: %v", err)
	}
}

// The branch moves while a mutation runs: it starts anew on what is there now,
// and neither change is lost.
func TestHeadMoves(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	runs := 0
	res := s.mustUpdate(t, Request{Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		if runs++; runs == 1 {
			tree := r.Git("rev-parse", "HEAD^{tree}")
			other := r.Git("commit-tree", "-p", "HEAD", "-m", "pushed meanwhile", tree)
			r.Git("update-ref", "refs/heads/main", other)
		}
		return adding("new1").Do(p, in)
	}})
	if runs != 2 || !res.Committed {
		t.Errorf("%d runs, %+v", runs, res)
	}
	if log := r.Git("log", "--format=%s"); log != "ralph: add t-new1 new1\npushed meanwhile\nplan" {
		t.Errorf("log %s", log)
	}
	if r.Git("status", "--porcelain") != "" {
		t.Error("not clean")
	}
}

// moveTo makes a commit with another plan on the branch, as a push does.
func moveTo(r *gittest.Repo, theirs string) {
	blob := r.GitIn(theirs, "hash-object", "-w", "--stdin")
	aside := r.Setenv("GIT_INDEX_FILE", r.Path(".git/aside"))
	aside.Git("read-tree", "HEAD")
	aside.Git("update-index", "--cacheinfo", "100644,"+blob+","+DefaultPath)
	r.Git("update-ref", "refs/heads/main", r.Git("commit-tree", "-p", "HEAD", "-m", "theirs", aside.Git("write-tree")))
}

// movesPlan is adding, while a commit with another task appears on the branch
// the first time.
func movesPlan(t *testing.T, r *gittest.Repo) Request {
	runs := 0
	return Request{Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		if runs++; runs == 1 {
			moveTo(r, r.Git("show", "HEAD:"+DefaultPath)+"\n"+`{"t": "task", "id": "t-their", "spec": "a.md", "name": "Theirs", "s": "p"}`+"\n")
		}
		return adding("new1").Do(p, in)
	}}
}

// The branch moves to a commit that changes the plan, too: ours is made on top
// of theirs, and what we had written is not taken for the user's.
func TestHeadMovesWithPlan(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	if res := s.mustUpdate(t, movesPlan(t, r)); !res.Committed || res.OwnEdits {
		t.Errorf("result %+v", res)
	}
	for _, place := range []string{r.ReadFile(DefaultPath), r.Git("show", "HEAD:"+DefaultPath)} {
		if !strings.Contains(place, "t-their") || !strings.Contains(place, "t-new1") {
			t.Errorf("something is lost: %s", place)
		}
	}
	if r.Git("status", "--porcelain") != "" {
		t.Error("not clean")
	}
}

// The same while the file has the user's own edits: they go along.
func TestHeadMovesUnderOwnEdits(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.WriteFile(DefaultPath, r.ReadFile(DefaultPath)+`{"t": "note"}`+"\n")
	res := s.mustUpdate(t, movesPlan(t, r))
	if !res.Committed || !res.OwnEdits || res.Merged == nil {
		t.Errorf("result %+v", res)
	}
	for _, place := range []string{r.ReadFile(DefaultPath), r.Git("show", "HEAD:"+DefaultPath) + "\n"} {
		for _, want := range []string{"t-their", "t-new1", `{"t": "note"}`} {
			if strings.Count(place, want) != 1 {
				t.Errorf("no %s, or more than one, in %s", want, place)
			}
		}
	}
	if body := r.Git("log", "-1", "--format=%B"); r.Git("status", "--porcelain") != "" || !strings.Contains(body, "Ralph-Event: updated ") {
		t.Errorf("not clean, or not reported: %s", body)
	}
}

// What a mutation did is merged into the plan that won, not done again on it: it
// means what its caller saw. Both sides did the one task that was next.
func TestHeadMovesChangeIsMerged(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	two := r.ReadFile(DefaultPath) + `{"t": "task", "id": "t-two2", "spec": "a.md", "name": "Two", "s": "p"}` + "\n"
	r.Commit("two", map[string]string{DefaultPath: two})
	runs := 0
	res := s.mustUpdate(t, Request{Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		if runs++; runs == 1 {
			moveTo(r, strings.Replace(two, `"One", "s": "p"`, `"One", "s": "d", "done_at": "000000000000"`, 1))
		}
		for _, task := range p.Of(plan.KindTask) {
			if task.Pending() {
				return p.Done([]string{task.ID()}, plan.DoneOptions{Head: in.Head}, in.Stamp)
			}
		}
		return plan.Change{}, plan.ErrNothing
	}})
	task, _ := res.Plan.Task("t-two2")
	if runs != 1 || !task.Pending() || !res.Change.Records[0].Done() || res.Change.Records[0].ID() != "t-one1" {
		t.Errorf("%d runs, %+v, %s", runs, res.Change, res.Plan.Encode())
	}
	if r.Git("status", "--porcelain") != "" || r.ReadFile(DefaultPath) != string(res.Plan.Encode()) {
		t.Errorf("not clean: %s", r.ReadFile(DefaultPath))
	}
}

// The branch moves twice, first with the plan and then without it: what the
// first move brought is kept.
func TestHeadMovesAgain(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	moved := movesPlan(t, r)
	again := false
	s.repo, _ = git.OpenWith(t.Context(), r.Dir, r.Env, git.Options{Step: func(step string) {
		if step == commit.StepRead && strings.Contains(r.Git("log", "-1", "--format=%s"), "theirs") && !again {
			again = true
			r.Git("update-ref", "refs/heads/main", r.Git("commit-tree", "-p", "HEAD", "-m", "code", "HEAD^{tree}"))
		}
	}})
	if res := s.mustUpdate(t, moved); !res.Committed || !again {
		t.Errorf("result %+v", res)
	}
	place := r.Git("show", "HEAD:"+DefaultPath)
	if !strings.Contains(place, "t-their") || !strings.Contains(place, "t-new1") || r.Git("status", "--porcelain") != "" {
		t.Errorf("something is lost: %s", place)
	}
}

// The plan of the commit that won cannot be read: nothing is changed.
func TestHeadMovesToBrokenPlan(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	before := r.ReadFile(DefaultPath)
	_, err := s.Update(t.Context(), Request{Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		moveTo(r, "<<<<<<< ours\n"+before)
		return adding("new1").Do(p, in)
	}})
	if !errors.Is(err, ErrMoved) || r.ReadFile(DefaultPath) != before {
		t.Errorf("error %v, plan %s", err, r.ReadFile(DefaultPath))
	}
}

// A lock that is held: the error names the holder.
func TestLocked(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Git("config", "ralph.lockTimeout", "50ms")
	s := newStore(t, r)
	s.mustUpdate(t, adding("new0"))
	held, err := safefile.Lock(context.Background(), filepath.Join(s.Repo().GitDir(), "ralph", "lock"), "a long command")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	_, err = s.Update(t.Context(), adding("new1"))
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "a long command") {
		t.Errorf("error %v", err)
	}
}

// docs/promises.md: no path leaves the worktree, and no symbolic link is
// followed.
func TestPaths(t *testing.T) {
	for _, path := range []string{"../plan", "/etc/plan", ".git/config", "a/../../b", "a\nb", ".", ".GIT/x", "sub/.git/plan", "git~1/plan"} {
		r := gittest.NewRepo(t)
		r.Git("config", "ralph.plan", path)
		_, err := Open(t.Context(), Options{Dir: r.Dir, Environ: r.Env})
		if !errors.Is(err, ErrConfig) {
			t.Errorf("ralph.plan = %q: %v", path, err)
		}
	}
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.Remove(DefaultPath)
	r.WriteFile("../secret", "{}\n")
	if err := os.Symlink(r.Path("../secret"), r.Path(DefaultPath)); err != nil {
		t.Skip(err)
	}
	if _, err := s.View(t.Context()); err == nil {
		t.Error("a symbolic link was read")
	}
	if _, err := s.Update(t.Context(), adding("new1")); err == nil || r.ReadFile("../secret") != "{}\n" {
		t.Errorf("a symbolic link was written: %v", err)
	}
}

func TestBare(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r)
	r.Git("clone", "-q", "--bare", r.Dir, "../bare.git")
	s := open(t, r.At("../bare.git"))
	if _, err := s.Update(t.Context(), adding("new1")); !errors.Is(err, ErrBare) {
		t.Errorf("update: %v", err)
	}
	if view, err := s.View(t.Context()); err != nil || len(view.Plan.Of(plan.KindTask)) != 1 {
		t.Errorf("view: %v, %v", view.Plan, err)
	}
}

// A plan that is not there is empty, and the first mutation makes it.
func TestNoPlan(t *testing.T) {
	r := gittest.NewRepo(t)
	s := open(t, r)
	if view, err := s.View(t.Context()); err != nil || view.Exists || len(view.Plan.Records()) != 0 {
		t.Errorf("view %+v, %v", view, err)
	}
	res := s.mustUpdate(t, Request{Do: func(p *plan.Plan, _ Inputs) (plan.Change, error) { return p.SetSpec("a.md") }})
	if !res.Committed || r.Git("show", "HEAD:"+DefaultPath) != `{"t": "spec", "spec": "a.md"}` {
		t.Errorf("result %+v", res)
	}
}

// ralph.verify runs the user's hooks; a refusal leaves everything as it was.
func TestVerify(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Git("config", "ralph.verify", "true")
	s := newStore(t, r)
	r.WriteFile("other.txt", "staged\n")
	r.Git("add", "other.txt")
	hook(t, r, "pre-commit", "exit 1\n")
	before := r.ReadFile(DefaultPath)
	if _, err := s.Update(t.Context(), adding("new1")); !errors.Is(err, commit.ErrCommitRefused) {
		t.Errorf("refused: %v", err)
	}
	if r.ReadFile(DefaultPath) != before || r.Git("status", "--porcelain") != "A  other.txt" {
		t.Errorf("not as it was: %s", r.Git("status", "--porcelain"))
	}
	hook(t, r, "pre-commit", "touch ran\n")
	if res := s.mustUpdate(t, adding("new1")); !res.Committed || !r.Exists("ran") {
		t.Errorf("result %+v", res)
	}
	if files := r.Git("show", "--name-only", "--format=", "HEAD"); files != DefaultPath {
		t.Errorf("committed %s", files)
	}
}

// --with-staged: the user's staged code and the plan in one commit.
func TestWithStaged(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.WriteFile("code.txt", "code\n")
	r.Git("add", "code.txt")
	request := adding("new1")
	request.StagedMessage = "Write the code\n\nA body."
	s.mustUpdate(t, request)
	if files := r.Git("show", "--name-only", "--format=", "HEAD"); files != "code.txt\n"+DefaultPath {
		t.Errorf("committed %s", files)
	}
	if body := r.Git("log", "-1", "--format=%B"); !strings.HasPrefix(body, "Write the code\n\nA body.\n\nRalph-Event: added t-new1 {") {
		t.Errorf("message %s", body)
	}
	if r.Git("status", "--porcelain") != "" {
		t.Error("not clean")
	}
}

// TestEndedBeforeItBegan guards: a request whose command was ended before it changed anything is an error, never an empty result.
func TestEndedBeforeItBegan(t *testing.T) {
	s := newStore(t, gittest.NewRepo(t))
	why := errors.New("ended")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if result, err := s.Update(ctx, adding("Two")); !errors.Is(err, why) {
		t.Errorf("%+v, %v", result, err)
	}
}
