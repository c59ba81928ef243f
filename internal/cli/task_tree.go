package cli

import (
	"strings"

	"git-ralph/internal/plan"
)

// A taskTree prints tasks, each below those that wait for it. A task that stands
// in several places is printed whole in the first one.
type taskTree struct {
	state   state
	env     *Env
	tasks   map[string]*plan.Record
	printed map[string]bool
}

// showTree prints the tasks that nothing waits for, with what they wait for
// below them.
func (s state) showTree(env *Env, tasks []*plan.Record) {
	t := taskTree{s, env, map[string]*plan.Record{}, map[string]bool{}}
	needed := map[string]bool{}
	for _, r := range tasks {
		t.tasks[r.ID()] = r
	}
	for _, r := range tasks {
		for _, dep := range r.Deps() {
			needed[dep] = true
		}
	}
	for _, r := range tasks {
		if !needed[r.ID()] {
			t.print(r, "", "")
		}
	}
	for _, r := range tasks { // what is left waits for itself
		if !t.printed[r.ID()] {
			t.print(r, "", "")
		}
	}
	if len(tasks) == 0 {
		env.hint("no matching tasks")
	}
}

// print prints a task, its line with lead before it, and below it what it waits
// for, with below before each line.
func (t taskTree) print(r *plan.Record, lead, below string) {
	word, look := t.state.taskState(r)
	if strings.HasPrefix(word, "waits for ") {
		word = "blocked"
	}
	deps := t.listed(r)
	again := t.printed[r.ID()] && len(deps) > 0
	name := firstLineOf(r.Name())
	if again {
		name += " (see above)"
	}
	t.line(cell{lead, faint}, cell{r.ID(), cyan}, cell{text: gap}, cell{word, look}, cell{text: gap + name})
	if again {
		return
	}
	t.printed[r.ID()] = true
	for i, dep := range deps {
		if i < len(deps)-1 {
			t.print(dep, below+"├─ ", below+"│  ")
		} else {
			t.print(dep, below+"└─ ", below+"   ")
		}
	}
}

// line prints cells on one line, cut at the terminal's edge.
func (t taskTree) line(cells ...cell) {
	for i := range cells {
		cells[i].text = printable(cells[i].text)
	}
	if t.env.Terminal {
		cells = cut(cells, t.env.Width)
	}
	t.env.writeLine(t.env.painted(cells))
}

// listed returns the tasks that one waits for and that are listed.
func (t taskTree) listed(r *plan.Record) []*plan.Record {
	var deps []*plan.Record
	for _, dep := range r.Deps() {
		if d := t.tasks[dep]; d != nil {
			deps = append(deps, d)
		}
	}
	return deps
}
