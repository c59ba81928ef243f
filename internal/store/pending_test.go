package store

import (
	"errors"
	"strings"
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/test/gittest"
)

// docs/promises.md, "Your own edits": what a mutation left uncommitted is ours until it is committed, by whomever. A plan that
// git brings back later is none of ours, whether our log was of --no-commit or of a mutation that was killed.
func TestPendingLogEndsWithItsCommit(t *testing.T) {
	for name, leave := range map[string]func(*gittest.Repo, *Store){
		"--no-commit": func(r *gittest.Repo, s *Store) {
			request := adding("bbbb")
			request.NoCommit = true
			s.mustUpdate(t, request)
			r.Git("commit", "-q", "-a", "-m", "by the user")
		},
		"killed after its commit": func(r *gittest.Repo, s *Store) {
			request := adding("bbbb")
			request.NoCommit = true
			s.mustUpdate(t, request)
			note := strings.Replace(r.ReadFile(".git/"+pendingFile), wroteLine, commitLine, 1)
			r.Git("commit", "-q", "-a", "-m", "ours")
			r.WriteFile(".git/"+pendingFile, strings.Replace(note, "\n", " add t-bbbb\n", 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			leave(r, newStore(t, r))
			r.Commit("a colleague's", map[string]string{DefaultPath: r.ReadFile(DefaultPath) + `{"t": "task", "id": "t-yyyy", "spec": "a.md", "name": "Y", "s": "p"}` + "\n"})
			r.Git("read-tree", "--reset", "-u", "HEAD~1")
			if refusal := impatient(t, r).mustRefuse(t, r, adding("cccc")); !strings.Contains(refusal.Error(), "remove t-yyyy") {
				t.Errorf("error %v", refusal)
			}
		})
	}
}

// Our log of a record that a mutation changed does not cover its removal by an editor's old buffer.
func TestPendingChangeCoversNoRemoval(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r).mustUpdate(t, adding("bbbb"))
	s := impatient(t, r)
	s.mustUpdate(t, Request{NoCommit: true, Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		return p.Done([]string{"t-bbbb"}, plan.DoneOptions{Head: in.Head}, in.Stamp)
	}})
	r.WriteFile(DefaultPath, r.Git("show", "HEAD~1:"+DefaultPath)+"\n"+`{"t": "note"}`+"\n")
	s.mustRefuse(t, r, adding("cccc"))
}

// In the middle of an operation, what the user removed from the plan that git staged is neither staged nor taken for ours.
func TestRemovalsDuringAnOperation(t *testing.T) {
	for name, begin := range map[string]func(*gittest.Repo){
		"bisect": func(r *gittest.Repo) { r.Git("bisect", "start") },
		"merge": func(r *gittest.Repo) {
			r.Git("checkout", "-q", "-b", "side", "HEAD~1")
			r.Commit("side", map[string]string{"side.txt": "x\n"})
			r.Git("checkout", "-q", "main")
			r.Git("merge", "-q", "--no-commit", "--no-ff", "side")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			newStore(t, r).mustUpdate(t, adding("bbbb"))
			s := impatient(t, r)
			begin(r)
			r.WriteFile(DefaultPath, strings.Replace(r.ReadFile(DefaultPath), line(r, "t-bbbb"), "", 1))
			if res := s.mustUpdate(t, adding("cccc")); res.Committed {
				t.Errorf("%+v", res)
			}
			if name == "merge" {
				r.Git("commit", "-q", "--no-edit")
			} else {
				r.Git("bisect", "reset")
			}
			s.mustRefuse(t, r, adding("dddd"))
		})
	}
	t.Run("rebase", func(t *testing.T) {
		r := gittest.NewRepo(t)
		newStore(t, r).mustUpdate(t, adding("bbbb"))
		r.Commit("code", map[string]string{"code.txt": "x\n"})
		s := impatient(t, r)
		r.Git("-c", "sequence.editor=sed -i.bak 's/^pick/edit/'", "rebase", "-q", "-i", "HEAD~1")
		r.WriteFile(DefaultPath, strings.Replace(r.ReadFile(DefaultPath), line(r, "t-bbbb"), "", 1))
		refusal := s.mustRefuse(t, r, adding("cccc"))
		if hint := refusal.Hint(); hint != "`git add -- ralph/plan.jsonl` keeps them\n`git restore ralph/plan.jsonl` undoes them" {
			t.Errorf("hints %q", hint)
		}
		r.Git("add", "--", DefaultPath)
		if res := s.mustUpdate(t, adding("cccc")); res.Committed {
			t.Errorf("%+v", res)
		}
	})
}

// With ralph.commit = stage, edits that remove records are not staged along with our change.
func TestRemovalsAreNotStaged(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r).mustUpdate(t, adding("bbbb"))
	r.Git("config", "ralph.commit", "stage")
	r.WriteFile(DefaultPath, strings.Replace(r.ReadFile(DefaultPath), line(r, "t-bbbb"), "", 1))
	impatient(t, r).mustRefuse(t, r, adding("cccc"))
}

// --dry-run stops where the mutation would: at edits that are never included, at a plan that is staged apart, at a new fault.
// It changes nothing, not even by finishing a mutation that was killed.
func TestDryRunStopsWhereTheMutationWould(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r).mustUpdate(t, adding("bbbb"))
	s := impatient(t, r)
	dry := adding("cccc")
	dry.DryRun = true
	r.Git("read-tree", "--reset", "-u", "HEAD~1")
	s.mustRefuse(t, r, dry)
	r.Git("reset", "-q", "--hard")
	r.WriteFile(DefaultPath, r.ReadFile(DefaultPath)+`{"t": "staged"}`+"\n")
	r.Git("add", DefaultPath)
	r.WriteFile(DefaultPath, r.ReadFile(DefaultPath)+`{"t": "further"}`+"\n")
	if _, err := s.Update(t.Context(), dry); !errors.Is(err, ErrStaged) {
		t.Errorf("staged apart: %v", err)
	}
	r.Git("reset", "-q", "--hard")
	if res := s.mustUpdate(t, dry); res.Reason != "dry run" || r.Git("status", "--porcelain") != "" {
		t.Errorf("%+v", res)
	}
}

// In a partial clone the directories of earlier commits are missing and nothing is fetched: staged edits are committed all the same.
func TestEditsInPartialClone(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r).mustUpdate(t, adding("bbbb"))
	r.Git("config", "uploadpack.allowFilter", "true")
	r.Git("clone", "-q", "--filter=tree:0", "file://"+r.Dir, "../partial")
	c := r.At("../partial")
	c.Git("remote", "set-url", "origin", "file:///nowhere")
	c.WriteFile(DefaultPath, strings.Replace(c.ReadFile(DefaultPath), "One", "Uno", 1))
	c.Git("add", DefaultPath)
	if res := open(t, c).mustUpdate(t, adding("cccc")); !res.Committed || !res.OwnEdits {
		t.Errorf("%+v", res)
	}
}
