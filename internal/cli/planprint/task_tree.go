package planprint

import (
	"strings"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
)

// A taskTree prints tasks, each below those that wait for it. What a task waits for is printed only in the
// first of several places.
type taskTree struct {
	state   State
	env     *term.Env
	tasks   map[string]*plan.Record
	printed map[string]bool
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
	name := term.FirstLineOf(r.Name())
	if again {
		name += " (see above)"
	}
	t.line(term.Cell{Text: lead, Style: term.Faint}, term.Cell{Text: r.ID(), Style: term.Cyan}, term.Cell{Text: term.Gap}, term.Cell{Text: word, Style: look}, term.Cell{Text: term.Gap + name})
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
func (t taskTree) line(cells ...term.Cell) {
	for i := range cells {
		cells[i].Text = term.Printable(cells[i].Text)
	}
	if t.env.Terminal {
		cells = term.Cut(cells, t.env.Width)
	}
	t.env.WriteLine(t.env.Painted(cells))
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
