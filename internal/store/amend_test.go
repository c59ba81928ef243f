package store

import (
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/test/gittest"
)

// docs/hooks.md, "Closing": a change goes into the commit that it names, while HEAD stands there, and only the plan of
// that commit changes; else it is a commit of its own.
func TestInto(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	head := r.Commit("code\n\nRalph-Done: t-x", map[string]string{"code": "x\n"})
	r.WriteFile("code", "more\n")
	before := r.State(DefaultPath)

	request := adding("new1")
	request.AmendCommit = r.Git("rev-parse", "HEAD^")
	other, err := s.Update(t.Context(), request)
	if err != nil || other.Amended || r.Git("rev-parse", "HEAD^") != head {
		t.Fatalf("another commit: %+v, %v", other, err)
	}

	r.Git("reset", "-q", "--soft", head)
	r.Git("checkout", "-q", "HEAD", "--", DefaultPath)
	base := ""
	request = Request{AmendCommit: head, Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		base = in.Head
		return adding("new2").Do(p, in)
	}}
	result, err := s.Update(t.Context(), request)
	if err != nil || !result.Amended || result.Commit != r.Git("rev-parse", "HEAD") || result.Commit == head {
		t.Fatalf("%+v, %v", result, err)
	}
	if parent := r.Git("rev-parse", head+"^"); base != parent || r.Git("rev-parse", "HEAD^") != parent {
		t.Errorf("made on %s, want %s", base, parent)
	}
	if got := r.Git("diff", "--name-only", head, "HEAD"); got != DefaultPath {
		t.Errorf("it changed %s", got)
	}
	const all = "--format=%an %ae %ad %cn %ce %cd %P %B"
	if got, want := r.Git("log", "-1", all, "HEAD"), r.Git("log", "-1", all, head); got != want {
		t.Errorf("it says\n%s, said\n%s", got, want)
	}
	if after := r.State(DefaultPath); after != before {
		t.Errorf("state is\n%v, was\n%v", after, before)
	}
	r.Fsck()
}
