package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// A recorded conflict and the record that holds it.
type recorded struct {
	plan.Conflict
	name string // what the record is about
}

// read returns the plan and its recorded conflicts, and an error if the file
// itself is in conflict; only that where nothing can be listed.
func (o resolveOptions) read(ctx context.Context, st *store.Store) (*plan.Plan, []recorded, error) {
	snap, err := st.View(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !snap.Problems.Readable() {
		return nil, nil, &plan.InvalidError{File: snap.File, Problems: snap.Problems}
	}
	v := view{snap, schedule.Of(snap.Plan)}
	conflicts, err := o.conflicts(v.Plan)
	if err != nil {
		return nil, nil, err
	}
	all := []recorded{}
	for _, c := range conflicts {
		r, _ := recordNamed(v.Plan, nameOf(c))
		all = append(all, recorded{c, headline(r)})
	}
	unmerged, err := st.Unmerged(ctx)
	if unmerged {
		err = store.ErrUnmerged
	}
	return v.Plan, all, cmp.Or(err, v.invalid())
}

// headline is what a record is about.
func headline(r plan.Record) string {
	if r.Kind() == plan.KindSpec {
		return r.Spec()
	}
	return r.Name()
}

func (o resolveOptions) list(env *Env, all []recorded) {
	if o.format.json(env) {
		env.writeJSON(func(w sink) { writeArray(w, len(all), func(i int) { all[i].write(w) }) })
		return
	}
	if len(all) == 0 {
		env.print("no conflict is recorded")
	}
	for _, c := range all {
		c.show(env, env.Out)
	}
}

// write writes {"t", "id", "name", "field", "value", "candidates"}.
func (c recorded) write(w sink) {
	o := object{sink: w}
	o.str("t", string(c.Kind))
	o.strOrNull("id", c.ID)
	o.str("name", c.name)
	o.value("field", string(jsonl.Quote(c.Field)))
	o.value("value", orNull(string(c.Value)))
	o.member("candidates")
	writeList(w, len(c.Candidates), func(i int) { w.WriteString(string(c.Candidates[i])) })
	o.end()
}

// show shows two texts beside each other where there is room. Else the
// candidates stand below each other, each with the words marked in which it
// differs from what the plan holds, which has a star.
func (c recorded) show(env *Env, out io.Writer) {
	title := firstLineOf(c.name)
	fmt.Fprintf(out, "%s %s\n", env.paint(printable(nameOf(c.Conflict)), strong), printable(title))
	if c.Field == plan.Removed {
		fmt.Fprintln(out, "  one side removed it, the other one changed it: keep or remove")
		return
	}
	fmt.Fprintf(out, "  %s\n", printable(c.Field))
	if c.beside(env, out) {
		return
	}
	for i, v := range c.Candidates {
		star, text := " ", c.compared(env, v)
		if v == c.Value || v == "null" && c.Value == "" {
			star, text = "*", candidateText(v)
		}
		fmt.Fprintf(out, "  %s %s  %s\n", star, strconv.Itoa(i+1), text)
	}
}

// compared shows a candidate as a change of what the plan holds.
func (c recorded) compared(env *Env, v jsonl.Value) string {
	before, isText := c.Value.Str()
	after, too := v.Str()
	if !isText || !too || v == "" || c.Value == "" {
		return candidateText(v)
	}
	spans := plandiff.Words(before, after)
	if !slices.ContainsFunc(spans, isKept) {
		return candidateText(v)
	}
	return env.painted(diffPrinter{env}.words(spans))
}

func candidateText(v jsonl.Value) string {
	if v == "null" {
		return "(nothing)"
	}
	return shownValue(v)
}
