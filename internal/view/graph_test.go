package view_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/claim"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/view"
)

// dataOf returns data of a plan with these lines.
func dataOf(t interface{ Fatalf(string, ...any) }, lines ...string) *view.Data {
	p, problems := plan.Decode(strings.Join(lines, "\n") + "\n")
	if !problems.Readable() {
		t.Fatalf("%v", problems)
	}
	return &view.Data{Plan: p, Schedule: schedule.Of(p), Claims: map[string]claim.Held{}}
}

// task returns the line of a task.
func task(id, state string, deps ...string) string {
	list := ""
	if len(deps) > 0 {
		list = `"` + strings.Join(deps, `", "`) + `"`
	}
	return fmt.Sprintf(`{"t": "task", "id": %q, "name": "Task %s", "spec": "a.md", "deps": [%s], "s": %q, "created_at": "2026-01-01T00:00:00Z"}`, id, id, list, state)
}

// shape writes the nodes and the edges of a graph: "a>b" where b waits for a, "a-b" where it waited.
func shape(g view.Graph) string {
	var parts []string
	for _, n := range g.Nodes {
		parts = append(parts, n.ID()+":"+string(n.Status))
	}
	for _, e := range g.Edges {
		arrow := "-"
		if e.Open {
			arrow = ">"
		}
		parts = append(parts, g.Nodes[e.From].ID()+arrow+g.Nodes[e.To].ID())
	}
	return strings.Join(parts, " ")
}

// TestGraph guards which records and edges a graph shows, by its options.
func TestGraph(t *testing.T) {
	d := dataOf(t,
		`{"t": "issue", "id": "i-aa", "desc": "Which format?", "created_at": "2026-01-01T00:00:00Z"}`,
		`{"t": "issue", "id": "i-bb", "desc": "Alone", "created_at": "2026-01-01T00:00:00Z"}`,
		task("t-aa", "d"), task("t-bb", "p", "t-aa"), task("t-cc", "p", "t-bb", "i-aa", "t-gone"), task("t-dd", "p", "t-cc", "t-bb"), task("t-ee", "p"),
	)
	for name, it := range map[string]struct {
		o    view.GraphOptions
		want string
	}{
		"all":        {view.GraphOptions{}, "i-aa:ready t-aa:done t-bb:ready t-cc:blocked t-dd:blocked t-ee:ready i-aa>t-cc t-aa-t-bb t-bb>t-cc t-bb>t-dd t-cc>t-dd"},
		"pending":    {view.GraphOptions{Open: true}, "i-aa:ready t-bb:ready t-cc:blocked t-dd:blocked t-ee:ready i-aa>t-cc t-bb>t-cc t-bb>t-dd t-cc>t-dd"},
		"reduced":    {view.GraphOptions{Open: true, Reduce: true}, "i-aa:ready t-bb:ready t-cc:blocked t-dd:blocked t-ee:ready i-aa>t-cc t-bb>t-cc t-cc>t-dd"},
		"one":        {view.GraphOptions{Task: "t-bb"}, "t-aa:done t-bb:ready t-cc:blocked t-dd:blocked t-aa-t-bb t-bb>t-cc t-bb>t-dd t-cc>t-dd"},
		"an issue":   {view.GraphOptions{Task: "i-bb"}, "i-bb:ready"},
		"a filter":   {view.GraphOptions{Filter: view.ParseFilter("status:blocked")}, "t-cc:blocked t-dd:blocked t-cc>t-dd"},
		"a spec":     {view.GraphOptions{Spec: "b.md"}, ""},
		"no such id": {view.GraphOptions{Task: "t-xx"}, ""},
	} {
		if got := shape(d.Graph(it.o)); got != it.want {
			t.Errorf("%s: %s\nwant %s", name, got, it.want)
		}
	}
}

// TestGraphOfCycle guards: a plan with a cycle, which only an edit by hand can make, is shown too.
func TestGraphOfCycle(t *testing.T) {
	d := dataOf(t, task("t-aa", "p", "t-bb"), task("t-bb", "p", "t-aa"), task("t-cc", "p", "t-cc"))
	g := d.Graph(view.GraphOptions{Reduce: true})
	if want := "t-aa:blocked t-bb:blocked t-cc:blocked t-aa>t-bb t-bb>t-aa"; shape(g) != want {
		t.Errorf("%s\nwant %s", shape(g), want)
	}
}

// TestGraphOfShuffled guards: the order of the plan's lines does not matter to its picture.
func TestGraphOfShuffled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for i := range rapid.IntRange(1, 20).Draw(t, "tasks") {
			var deps []string
			for range rapid.IntRange(0, 3).Draw(t, "deps") {
				if dep := fmt.Sprintf("t-%02d", rapid.IntRange(0, 20).Draw(t, "dep")); dep != fmt.Sprintf("t-%02d", i) && !slices.Contains(deps, dep) {
					deps = append(deps, dep)
				}
			}
			lines = append(lines, task(fmt.Sprintf("t-%02d", i), rapid.SampledFrom([]string{"p", "d"}).Draw(t, "state"), deps...))
		}
		want := dataOf(t, lines...).Graph(view.GraphOptions{})
		got := dataOf(t, rapid.Permutation(lines).Draw(t, "shuffled")...).Graph(view.GraphOptions{})
		if shape(got) != shape(want) || !reflect.DeepEqual(places(got), places(want)) {
			t.Fatalf("%s\nwant %s", shape(got), shape(want))
		}
	})
}

func places(g view.Graph) (all []any) {
	for _, n := range g.Nodes {
		all = append(all, [2]int{n.X, n.Y})
	}
	for _, e := range g.Edges {
		all = append(all, e.Points)
	}
	return all
}
