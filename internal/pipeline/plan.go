package pipeline

import (
	"slices"
	"strconv"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// The members of "meta" that the pipeline keeps in items.
const (
	metaRound      = "round"
	metaEscalation = "escalation"
)

// Of returns the items of a plan, but for those that nothing can name: they have no id.
func Of(p *plan.Plan) *Items {
	var items []Item
	for _, r := range p.Of(plan.KindItem) {
		if r.ID() == "" {
			continue
		}
		meta := r.Meta()
		escalation, _ := meta.Get(metaEscalation)
		items = append(items, Item{
			ID: r.ID(), Number: r.Number(), Title: r.Name(), State: r.Text("state"), Estimate: r.Text("estimate"),
			Parent: r.Text("parent"), BlockedBy: r.WaitsFor(), Files: r.Texts("files"), Artifacts: artifactsOf(r),
			Escalated: textIn(escalation.Object(), "from"), Round: roundIn(meta), CreatedAt: r.CreatedAt(),
		})
	}
	return NewItems(items)
}

// artifactsOf returns the paths in the "artifacts" of an item, each once.
func artifactsOf(item plan.Record) []string {
	v, _ := item.Get("artifacts")
	var paths []string
	for _, m := range v.Object().Members() {
		if path, isText := m.Value.Str(); isText {
			paths = including(paths, path)
		}
	}
	return paths
}

// textIn returns a member that is a string, else "".
func textIn(o jsonl.Object, name string) string {
	v, _ := o.Get(name)
	text, _ := v.Str()
	return text
}

// numberIn returns a member that is a whole number, else 0.
func numberIn(o jsonl.Object, name string) int {
	v, _ := o.Get(name)
	n, _ := strconv.Atoi(string(v))
	return n
}

// maxRound is more rounds than an item ever has. A plan that says more is taken at this: counting on from there must not overflow.
const maxRound = 1_000_000

// roundIn returns the round that "meta" says, 1 where it says none.
func roundIn(meta jsonl.Object) int { return min(max(1, numberIn(meta, metaRound)), maxRound) }

// number is a member with a whole number.
func number(name string, n int) jsonl.Member {
	return jsonl.Member{Name: name, Value: jsonl.Value(strconv.Itoa(n))}
}

// including returns values with those of more that they lack.
func including(values []string, more ...string) []string {
	for _, value := range more {
		if !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}
