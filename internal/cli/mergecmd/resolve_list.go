package mergecmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
	"git-ralph/internal/store"
)

// A recordedConflict is a recorded conflict with the name of the record that holds it.
type recordedConflict struct {
	plan.Conflict
	name string // what the record is about
}

// read returns the plan and its recorded conflicts, and an error if the file
// itself is in conflict. Where nothing can be listed, the conflicts are nil.
func (o ResolveOptions) read(ctx context.Context, env *term.Env, st *store.Store) (planio.View, []recordedConflict, error) {
	v, err := planio.ViewWorktree(ctx, env, st)
	if err != nil {
		return v, nil, err
	}
	conflicts, err := o.conflicts(v.Plan)
	if err != nil {
		return v, nil, err
	}
	all := []recordedConflict{}
	for _, c := range conflicts {
		r, _ := recordNamed(v.Plan, nameOf(c))
		all = append(all, recordedConflict{c, headline(r)})
	}
	unmerged, err := st.Unmerged(ctx)
	if unmerged {
		err = store.ErrUnmerged
	}
	return v, all, cmp.Or(err, v.Invalid())
}

// headline returns what a record is about.
func headline(r plan.Record) string {
	if r.Kind() == plan.KindSpec {
		return r.Spec()
	}
	return r.Name()
}

func (o ResolveOptions) list(env *term.Env, all []recordedConflict) {
	if o.Format.Json(env) {
		env.WriteJSON(func(w term.Sink) { term.WriteArray(w, len(all), func(i int) { all[i].write(w) }) })
		return
	}
	if len(all) == 0 {
		env.Print("no conflict is recorded")
	}
	for _, c := range all {
		c.show(env)
	}
}

// write writes {"t", "id", "name", "field", "value", "candidates"}.
func (c recordedConflict) write(w term.Sink) {
	o := term.Object{Sink: w}
	o.Str("t", string(c.Kind))
	o.StrOrNull("id", c.ID)
	o.Str("name", c.name)
	o.Value("field", string(jsonl.Quote(c.Field)))
	o.Value("value", term.OrNull(string(c.Value)))
	o.Member("candidates")
	term.WriteList(w, len(c.Candidates), func(i int) { w.WriteString(string(c.Candidates[i])) })
	o.End()
}

// show prints two texts side by side where there is room. Otherwise it prints the
// candidates one below the other, each with the words marked in which it
// differs from the value in the plan, which has a star.
func (c recordedConflict) show(env *term.Env) {
	env.PrintCells(term.Cell{Text: nameOf(c.Conflict), Style: term.Strong}, term.Cell{Text: " " + term.FirstLineOf(c.name)})
	if c.Field == plan.Removed {
		env.Print("  one side removed it, the other one changed it: keep or remove")
		return
	}
	env.Print("  " + c.Field)
	if c.showColumns(env) {
		return
	}
	for i, v := range c.Candidates {
		star, text := " ", c.compared(env, v)
		if v == c.Value || v == "null" && c.Value == "" {
			star, text = "*", []term.Cell{{Text: candidateText(v)}}
		}
		env.PrintCells(append([]term.Cell{{Text: fmt.Sprintf("  %s %d  ", star, i+1)}}, text...)...)
	}
}

// compared returns a candidate as a word diff from the value in the plan.
func (c recordedConflict) compared(env *term.Env, v jsonl.Value) []term.Cell {
	before, isText := c.Value.Str()
	after, too := v.Str()
	if !isText || !too || v == "" || c.Value == "" {
		return []term.Cell{{Text: candidateText(v)}}
	}
	spans := plandiff.Words(before, after)
	if !slices.ContainsFunc(spans, isKept) {
		return []term.Cell{{Text: candidateText(v)}}
	}
	return planprint.DiffPrinter{Env: env}.Words(spans)
}

func candidateText(v jsonl.Value) string {
	if v == "null" {
		return "(nothing)"
	}
	return planprint.ShownValue(v)
}
