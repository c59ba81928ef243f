package endtoend

import (
	"encoding/json"
	"fmt"
	"slices"
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

// docs/pipeline.md, "After a merge": what two clones plan, and git merges, is one graph, whichever of them merges, and nothing is left to resolve.
func TestGraphsOfTwoClonesMergedByGit(t *testing.T) {
	all := []string{"pipeline", "plan", "GH-1", "GH-2", "GH-3"}
	research := func(item string, files ...string) []string {
		args := []string{"task", "done", "t-" + item + "-research"}
		for _, file := range files {
			args = append(args, "--file", file)
		}
		return args
	}
	split := func(id string) [][]string {
		part := fmt.Sprintf(`{"id": %q, "name": "Part %s", "parent": "w-a", "estimate": "S"}`, id, id)
		return [][]string{{"item", "add", part}, {"task", "done", "t-w-a-split"}}
	}
	tail := func(item, waits string) string {
		return strings.NewReplacer("X", item, "FIRST", waits).Replace("t-X-plan FIRST, t-X-review, t-X-implement, t-X-pr, t-X-merge")
	}
	for _, c := range []struct {
		name               string
		base, ours, theirs [][]string
		want               []string // the tasks of each item
	}{
		{
			"both plan all", nil,
			[][]string{all},
			[][]string{all},
			[]string{"w-a: t-w-a-research ready, " + tail("w-a", "t-w-a-research t-w-b-research t-w-c-triage"), "w-b: t-w-b-research ready", "w-c: t-w-c-triage ready"},
		},
		{
			"one plans a group, the other one its first member", nil,
			[][]string{all},
			[][]string{all[:3]},
			[]string{"w-a: t-w-a-research ready, " + tail("w-a", "t-w-a-research t-w-b-research t-w-c-triage"), "w-b: t-w-b-research ready", "w-c: t-w-c-triage ready"},
		},
		{
			"one plans a group, the other one another member", nil,
			[][]string{all},
			[][]string{{"pipeline", "plan", "GH-2"}},
			[]string{"w-a: t-w-a-research ready, " + tail("w-a", "t-w-a-research t-w-b-research t-w-c-triage"), "w-b: t-w-b-research ready", "w-c: t-w-c-triage ready"},
		},
		{
			"both finish the last research, with different files",
			[][]string{all, {"task", "done", "t-w-c-triage", "--verdict", "Ready for Plan"}, research("w-a", "x")},
			[][]string{research("w-b", "x")},
			[][]string{research("w-b", "y")},
			[]string{"w-a: " + tail("w-a", "ready"), "w-b: ", "w-c: " + tail("w-c", "ready")},
		},
		{
			"both split one item",
			[][]string{{"item", "edit", "GH-1", "--estimate", "L"}, all},
			split("w-p"), split("w-q"),
			[]string{"w-a: ", "w-b: t-w-b-research ready, " + tail("w-b", "t-w-b-research t-w-c-triage t-w-p-triage t-w-q-triage"), "w-c: t-w-c-triage ready", "w-p: t-w-p-triage ready", "w-q: t-w-q-triage ready"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			graphs := map[string]bool{}
			for _, swapped := range []bool{false, true} {
				r := newItems(t)
				register(t, r)
				r.Commit("attributes", map[string]string{".gitattributes": planFile + " merge=ralph\n"})
				do(r, c.base)
				sides := [][][]string{c.ours, c.theirs}
				if swapped {
					slices.Reverse(sides)
				}
				r.Git("checkout", "-q", "-b", "theirs")
				do(r, sides[1])
				r.Git("checkout", "-q", "main")
				do(r, sides[0])
				r.Git("merge", "-q", "-m", "merged", "theirs")
				r.must(all...)
				once := r.Git("rev-parse", "HEAD")
				r.must(all[0], all[1], "GH-3", "GH-2", "GH-1")
				if again := r.Git("rev-parse", "HEAD"); again != once {
					t.Errorf("swapped=%v: planned once more: %s", swapped, r.Git("show", again))
				}
				if left := strings.TrimSpace(r.must("query", "conflicts")); left != "[]" {
					t.Errorf("swapped=%v: to be resolved: %s", swapped, left)
				}
				r.must("check")
				graphs[tasksOf(t, r)] = true
			}
			if want := strings.Join(c.want, "\n"); len(graphs) != 1 || !graphs[want] {
				t.Errorf("got %v\nwant %s", graphs, want)
			}
		})
	}
}

func do(r *repo, commands [][]string) {
	r.t.Helper()
	for _, args := range commands {
		r.must(args...)
	}
}

// tasksOf lists the tasks of each item, and what the first one of a plan waits for: the others wait for the one before.
func tasksOf(t *testing.T, r *repo) string {
	t.Helper()
	type item struct {
		ID    string
		Tasks []struct {
			ID, Phase, Status string
			WaitsFor          []string
		}
		SubItems []item
	}
	var status struct{ Items []item }
	if err := json.Unmarshal([]byte(r.must("pipeline", "status")), &status); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for len(status.Items) > 0 {
		it := status.Items[0]
		status.Items = append(status.Items[1:], it.SubItems...)
		var tasks []string
		before := ""
		for _, task := range it.Tasks {
			switch text := strings.Join(task.WaitsFor, " "); {
			case text == "":
				tasks = append(tasks, task.ID+" "+task.Status)
			case text == before && task.Phase != "plan":
				tasks = append(tasks, task.ID)
			default:
				tasks = append(tasks, task.ID+" "+text)
			}
			before = task.ID
		}
		lines = append(lines, it.ID+": "+strings.Join(tasks, ", "))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
