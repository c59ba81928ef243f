package endtoend

import (
	"fmt"
	"strings"
	"testing"
)

// pipelineItems are a group that is to be researched, and an item to be triaged.
const pipelineItems = `{"t": "item", "id": "w-a", "number": 1, "name": "One", "state": "Research Needed", "created_at": "2026-01-01T00:00:00.001Z"}
{"t": "item", "id": "w-b", "number": 2, "name": "Two", "state": "Research Needed", "created_at": "2026-01-01T00:00:00.002Z"}
{"t": "item", "id": "w-c", "number": 3, "name": "Three", "state": "Backlog", "created_at": "2026-01-01T00:00:00.003Z"}
`

// newItems makes a repository with a plan of pipelineItems.
func newItems(t *testing.T) *repo {
	t.Helper()
	r := newPlan(t)
	r.Commit("items", map[string]string{planFile: r.ReadFile(planFile) + pipelineItems})
	return r
}

// docs/pipeline.md, "The graph": killed at any git command, the tasks of items are all there or none is; doing it again
// leaves one graph, which nobody can tell from one that was never interrupted. The same is true of what finishing the last research does.
func TestGraphOfItemsKilledAtEveryCommand(t *testing.T) {
	steps := [][]string{
		{"pipeline", "plan", "GH-1", "GH-2", "GH-3"},
		{"task", "done", "t-w-c-triage", "--verdict", "Ready for Plan"},
		{"task", "done", "t-w-a-research", "--file", "a"},
		{"task", "done", "t-w-b-research", "--file", "b"},
	}
	whole := newItems(t)
	for _, step := range steps {
		whole.must(step...)
	}
	want := graphOf(whole)
	for _, command := range commandsOf(t) {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s after=%v", command, after), func(t *testing.T) {
				t.Parallel()
				r := newItems(t)
				for _, step := range steps {
					if out := killer(t, r, command, after).ralph(step...); out.code == 0 {
						t.Fatalf("%s was not killed: %s", step, out.stdout)
					}
					if n := strings.Count(r.ReadFile(planFile), `"t": "task"`); step[0] == "pipeline" && n != 0 && n != 8 {
						t.Errorf("%d tasks are there", n)
					}
					if out := r.ralph(step...); out.code != 0 && out.code != 3 { // it was done already
						t.Fatalf("%s: %s", step, out.stderr)
					}
				}
				if got := graphOf(r); got != want {
					t.Errorf("got %s\nwant %s", got, want)
				}
				r.must("pipeline", "plan", "GH-3", "GH-2", "GH-1")
				if got := graphOf(r); got != want {
					t.Errorf("planned once more: %s", got)
				}
				r.must("check")
			})
		}
	}
}

// graphOf returns the tasks of the pipeline as they are shown.
func graphOf(r *repo) string { return r.must("pipeline", "status") }
