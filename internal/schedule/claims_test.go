package schedule

import (
	"testing"

	"git-ralph/internal/plan"
)

// What others have claimed is passed over, what is claimed by whoever asks comes first, and the stage stays as it is.
func TestNextUnderClaims(t *testing.T) {
	p, problems := plan.Decode(`{"t": "spec", "spec": "s"}
{"t": "task", "id": "t-a", "spec": "s", "name": "a", "s": "p", "priority": "high"}
{"t": "task", "id": "t-b", "spec": "s", "name": "b", "s": "p"}
{"t": "task", "id": "t-c", "spec": "s", "name": "c", "s": "p", "deps": ["t-a"]}
`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	set := func(ids ...string) map[string]bool {
		all := map[string]bool{}
		for _, id := range ids {
			all[id] = true
		}
		return all
	}
	for _, it := range []struct {
		own, others map[string]bool
		want        string
	}{
		{nil, nil, "t-a"},
		{nil, set("t-a"), "t-b"},
		{set("t-b"), nil, "t-b"},
		{set("t-c"), nil, "t-a"}, // blocked
		{set("t-b"), set("t-a"), "t-b"},
		{nil, set("t-a", "t-b"), ""},
	} {
		next := Of(p).With(Claims{Own: it.own, Others: it.others}).Next()
		id := ""
		if next.Item != nil {
			id = next.Item.ID()
		}
		if id != it.want || next.Action != Build {
			t.Errorf("own %v, others %v: next is %q in %s, want %q", it.own, it.others, id, next.Action, it.want)
		}
		if id == "" && (len(next.Stalled) != 3 || !next.Stalled[0].Claimed || next.Stalled[2].Claimed) {
			t.Errorf("stalled %v", next.Stalled)
		}
	}
}
