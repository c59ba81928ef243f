package store

import (
	"errors"
	"strings"
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/test/gittest"
)

// docs/promises.md, "Faults": a mutation commits none that it or the user's own edits introduced, and one that was there
// before stops nobody.
func TestNewFaultsAreNotCommitted(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r)
	r.Commit("old faults", map[string]string{DefaultPath: r.ReadFile(DefaultPath) +
		`{"t": "task", "id": "t-old1", "spec": "a.md", "name": "Old", "s": "a"}` + "\n" + `{"t": "issue", "id": "i-old1"}` + "\n"})
	s := open(t, r)
	if res := s.mustUpdate(t, adding("aaaa")); !res.Committed {
		t.Errorf("with old faults: %+v", res)
	}
	edit := Request{Do: func(p *plan.Plan, _ Inputs) (plan.Change, error) { // no mutation of ours does such a thing
		bad, _ := plan.DecodeBytes([]byte(strings.Replace(string(p.Encode()), `"aaaa", "s": "p"`, `"aaaa", "s": "x"`, 1)))
		*p = *bad
		return plan.Change{Events: []plan.Event{{Name: plan.EventEdited, ID: "t-aaaa"}}}, nil
	}}
	tip := r.Git("rev-parse", "HEAD")
	_, err := s.Update(t.Context(), edit)
	if invalid, ok := errors.AsType[*plan.InvalidError](err); !ok || len(invalid.Problems) != 1 || invalid.Problems[0].ID != "t-aaaa" {
		t.Errorf("the mutation's own fault: %v", err)
	}
	good := r.ReadFile(DefaultPath)
	r.WriteFile(DefaultPath, strings.Replace(good, `"name": "One", `, "", 1))
	_, err = s.Update(t.Context(), adding("bbbb"))
	if invalid, ok := errors.AsType[*plan.InvalidError](err); !ok || len(invalid.Problems) != 1 || invalid.Problems[0].ID != "t-one1" {
		t.Errorf("the user's fault: %v", err)
	}
	if r.Git("rev-parse", "HEAD") != tip {
		t.Error("something was committed")
	}
	r.WriteFile(DefaultPath, good)
	s.mustUpdate(t, adding("bbbb"))
}
