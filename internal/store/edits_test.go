package store

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
	"git-ralph/internal/test/gittest"
)

// impatient opens a store that does not wait for what may pass.
func impatient(t *testing.T, r *gittest.Repo) *Store {
	t.Helper()
	r.Git("config", "ralph.lockTimeout", "1ms")
	return open(t, r)
}

// mustRefuse runs a mutation that has to stop with an *EditsError, and checks that nothing changed.
func (s *Store) mustRefuse(t *testing.T, r *gittest.Repo, request Request) *EditsError {
	t.Helper()
	file, tip, status := r.ReadFile(DefaultPath), r.Git("rev-parse", "HEAD"), r.Git("status", "--porcelain")
	res, err := s.Update(t.Context(), request)
	refusal, ok := errors.AsType[*EditsError](err)
	if !ok {
		t.Fatalf("error %v, result %+v", err, res)
	}
	if r.ReadFile(DefaultPath) != file || r.Git("rev-parse", "HEAD") != tip || r.Git("status", "--porcelain") != status {
		t.Error("something changed")
	}
	return refusal
}

// docs/promises.md, "Your own edits": what git left in the file is never committed as if the user had written it. The error
// names the records, and the hints keep the edits or undo them.
func TestEditsThatRemoveAreNotCommitted(t *testing.T) {
	for name, remove := range map[string]func(*gittest.Repo){
		"read-tree --reset -u": func(r *gittest.Repo) { r.Git("read-tree", "--reset", "-u", "HEAD~1") },
		"a line is deleted": func(r *gittest.Repo) {
			r.WriteFile(DefaultPath, strings.Replace(r.ReadFile(DefaultPath), line(r, "t-bbbb"), "", 1))
		},
		"an editor's old buffer, and an addition": func(r *gittest.Repo) {
			r.WriteFile(DefaultPath, r.Git("show", "HEAD~1:"+DefaultPath)+"\n"+`{"t": "note"}`+"\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			newStore(t, r).mustUpdate(t, adding("bbbb"))
			remove(r)
			s := impatient(t, r)
			refusal := s.mustRefuse(t, r, adding("cccc"))
			if !strings.Contains(refusal.Error(), "remove t-bbbb bbbb") {
				t.Errorf("error %v", refusal)
			}
			keep, undo, _ := strings.Cut(refusal.Hint(), "\n")
			if keep != "`git commit -- ralph/plan.jsonl` keeps them" || !strings.HasSuffix(undo, " ralph/plan.jsonl` undoes them") {
				t.Errorf("hints %q", refusal.Hint())
			}
			request := adding("cccc")
			request.Keep = KeepAll
			if res := s.mustUpdate(t, request); !res.Committed || len(res.Edits.Removed) != 1 || res.Edits.Removed[0].Before.ID() != "t-bbbb" {
				t.Errorf("kept on purpose: %+v", res)
			}
		})
	}
}

// line returns the plan's line of a record.
func line(r *gittest.Repo, id string) string {
	for l := range strings.Lines(r.ReadFile(DefaultPath)) {
		if strings.Contains(l, id) {
			return l
		}
	}
	return ""
}

// The hint undoes what it says it undoes, from the directory that the user is in.
func TestHintUndoesEdits(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r).mustUpdate(t, adding("bbbb"))
	r.WriteFile("sub/f", "")
	impatient(t, r)
	for _, leave := range [][]string{{"read-tree", "--reset", "-u", "HEAD~1"}, {"checkout", "HEAD~1", "--", DefaultPath}} {
		r.Git(leave...)
		refusal := open(t, r.At("sub")).mustRefuse(t, r, adding("cccc"))
		_, undo, _ := strings.Cut(refusal.Hint(), "\n`git ")
		undo, _, _ = strings.Cut(undo, "`")
		r.At("sub").Git(strings.Fields(undo)...)
		if status := r.Git("status", "--porcelain", "--", DefaultPath); status != "" {
			t.Errorf("`git %s` leaves %s", undo, status)
		}
	}
}

// The plan of another commit is refused also where it removes nothing: a revert to another value of a field, and a commit
// that HEAD's reflog alone still knows.
func TestAnotherCommitsPlanIsNotCommitted(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r)
	first := r.ReadFile(DefaultPath)
	r.Commit("renamed", map[string]string{DefaultPath: strings.Replace(first, "One", "Uno", 1)})
	s := impatient(t, r)

	r.WriteFile(DefaultPath, first)
	if refusal := s.mustRefuse(t, r, adding("cccc")); refusal.Commit == "" || !strings.Contains(refusal.Error(), "t-one1") {
		t.Errorf("an earlier value: %+v", refusal)
	}
	r.Git("checkout", "-q", "--", DefaultPath)
	amended := strings.Replace(first, "One", "Eins", 1)
	r.Commit("amended away", map[string]string{DefaultPath: amended})
	r.Git("reset", "-q", "--hard", "HEAD~1")
	r.WriteFile(DefaultPath, amended)
	s.mustRefuse(t, r, adding("cccc"))

	r.WriteFile(DefaultPath, strings.Replace(first, "One", "Nobody's", 1))
	if res := s.mustUpdate(t, adding("cccc")); !res.OwnEdits || len(res.Edits.Records) != 1 {
		t.Errorf("the user's own value: %+v", res)
	}
}

// What our own log names is not the user's edit: --no-commit that removed a record, the user's further edits on top of it
// included.
func TestNotedRemovalsAreCommitted(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r).mustUpdate(t, adding("bbbb"))
	s := impatient(t, r)
	cancel := Request{NoCommit: true, Do: func(p *plan.Plan, _ Inputs) (plan.Change, error) {
		return p.Cancel([]string{"t-bbbb"}, plan.CancelCascade)
	}}
	s.mustUpdate(t, cancel)
	r.WriteFile(DefaultPath, r.ReadFile(DefaultPath)+`{"t": "zz"}`+"\n")
	if res := s.mustUpdate(t, adding("cccc")); !res.Committed || !res.OwnEdits {
		t.Errorf("%+v", res)
	}
}

// An edit that must not be committed does not become ours by a mutation that commits nothing.
func TestEditsAreNotLaundered(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r).mustUpdate(t, adding("bbbb"))
	s := impatient(t, r)
	r.WriteFile(DefaultPath, strings.Replace(r.ReadFile(DefaultPath), line(r, "t-bbbb"), "", 1))
	request := adding("cccc")
	request.NoCommit = true
	s.mustUpdate(t, request)
	s.mustRefuse(t, r, adding("dddd"))
}

// What is there for a moment only is waited out: git writes the file before it moves HEAD.
func TestEditsThatPassAreWaitedOut(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Git("config", "ralph.lockTimeout", "300")
	s := newStore(t, r)
	s.mustUpdate(t, adding("bbbb"))
	r.Git("read-tree", "--reset", "-u", "HEAD~1")
	ahead := time.Now().Add(time.Hour) // however slow this machine is, the file was just changed
	if err := os.Chtimes(r.Path(DefaultPath), ahead, ahead); err != nil {
		t.Fatal(err)
	}
	looked := make(chan bool, 1000)
	s.repo, _ = git.OpenWith(t.Context(), r.Dir, r.Env, git.Options{Step: func(step string) {
		if step == commit.StepRead {
			looked <- true
		}
	}})
	go func() {
		<-looked
		for {
			if _, err := r.TryGit("reset", "-q", "--hard"); err == nil {
				return
			}
		}
	}()
	if res := s.mustUpdate(t, adding("cccc")); !res.Committed || res.OwnEdits {
		t.Errorf("%+v", res)
	}
	if r.Git("status", "--porcelain") != "" || !strings.Contains(r.ReadFile(DefaultPath), "t-bbbb") {
		t.Error("something is lost")
	}
}

// An index that holds an older plan and nothing of the user's, as a git that lost a race leaves it, is refreshed.
func TestOlderIndexIsRefreshed(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r).mustUpdate(t, adding("bbbb"))
	s := impatient(t, r)
	r.Git("restore", "--staged", "--source=HEAD~1", DefaultPath)
	if res := s.mustUpdate(t, adding("cccc")); !res.Committed || r.Git("status", "--porcelain") != "" {
		t.Errorf("%+v, status %s", res, r.Git("status", "--porcelain"))
	}
}

// docs/promises.md, "A missing plan file": queries read HEAD's plan, and mutations stop; a file that is deleted in the index
// too is gone.
func TestMissingFile(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r)
	s := impatient(t, r)
	tip := r.Git("rev-parse", "HEAD")
	r.Remove(DefaultPath)
	if snap, err := s.View(t.Context()); err != nil || !snap.Missing || len(snap.Plan.Of(plan.KindTask)) != 1 {
		t.Errorf("view %+v, %v", snap, err)
	}
	for name, request := range map[string]Request{"mutation": adding("cccc"), "dry run": {DryRun: true, Do: adding("cccc").Do}} {
		_, err := s.Update(t.Context(), request)
		missing, ok := errors.AsType[*MissingError](err)
		if !ok || !strings.Contains(missing.Hint(), "`git restore ralph/plan.jsonl`") || !strings.Contains(missing.Hint(), "`git rm ralph/plan.jsonl`") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r.Git("rev-parse", "HEAD") != tip || r.Exists(DefaultPath) {
		t.Error("something changed")
	}
	afresh := Request{StartEmpty: true, Do: func(p *plan.Plan, _ Inputs) (plan.Change, error) { return p.SetSpec("b.md") }}
	if res := s.mustUpdate(t, afresh); !res.Committed {
		t.Errorf("afresh: %+v", res)
	}
	r.Git("rm", "-q", DefaultPath)
	if snap, err := s.View(t.Context()); err != nil || snap.Missing || snap.Exists {
		t.Errorf("deleted in the index: %+v, %v", snap, err)
	}
}
