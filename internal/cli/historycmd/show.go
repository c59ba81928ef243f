package historycmd

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
)

func NewShow(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "show", Usage: "show the history of a task, issue or item", ArgsUsage: "ID", Description: aboutShow,
		Flags:        append(cmdline.FormatFlags(), fetchFlag()),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(everyID())),
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return cmdline.Usage(c, "missing id: want the id of a task, issue or item")
			}
			return showOptions{c.Args().First(), cmdline.FormatFrom(c), c.Bool("fetch")}.run(c.Context, env)
		},
	}
}

// showOptions say whose history to show.
type showOptions struct {
	id     string
	format cmdline.Format
	fetch  bool // what a partial clone lacks
}

func (o showOptions) run(ctx context.Context, env *term.Env) error {
	st, h, err := planio.ReadHistory(ctx, env, o.fetch)
	if err != nil {
		return err
	}
	life, err := planio.LifeOf(h, o.id)
	if err != nil {
		return err
	}
	s := shownLife{selection: selection{idSize: h.IDSize(), receipts: planio.ReadReceipts(ctx, st.Repo(), life.Events)}, Life: life, all: h.Lives}
	if o.format.Json(env) {
		env.WriteJSON(s.write)
		return nil
	}
	env.Page(ctx, s.show)
	return nil
}

// A shownLife is a life to print, with all others to find its relations among.
type shownLife struct {
	selection
	*fold.Life
	all []*fold.Life
}

// related returns the ids of the other lives whose last record refers to this one.
func (s shownLife) related(refers func(plan.Record) bool) []string {
	var ids []string
	for _, other := range s.all {
		if other != s.Life && refers(other.Record) {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

// neededBy returns the ids of what waited for it when last seen.
func (s shownLife) neededBy() []string {
	return s.related(func(r plan.Record) bool { return slices.ContainsFunc(r.Deps(), s.Has) })
}

// ledTo returns the ids of the tasks that were made because of it.
func (s shownLife) ledTo() []string {
	return s.related(func(r plan.Record) bool {
		return s.Has(r.Text("parent")) || s.Has(r.Text("created_from")) || s.Has(r.Text("supersedes"))
	})
}

// changesOf returns what an event changed in the record, field by field.
func changesOf(e *fold.Event) []plandiff.Field {
	if e.Before == "" || e.After == "" {
		return nil
	}
	before, _ := plan.Decode(e.Before)
	after, _ := plan.Decode(e.After)
	for _, r := range plandiff.Compare(before, after).Records {
		return r.Fields
	}
	return nil
}

// write writes the life as log does, with "record", "needed_by", "led_to" and
// "events", each with the "fields" that it changed.
func (s shownLife) write(w term.Sink) {
	o := term.Object{Sink: w}
	o.Str("t", string(s.Kind))
	s.lifeMembers(&o, s.Life)
	o.Value("record", term.OrNull(s.Record.JSON()))
	o.List("needed_by", s.neededBy())
	o.List("led_to", s.ledTo())
	o.Member("events")
	term.WriteArray(w, len(s.Events), func(i int) {
		e := term.Object{Sink: w}
		s.eventMembers(&e, s.Events[i])
		if fields := changesOf(s.Events[i]); len(fields) > 0 {
			e.Member("fields")
			term.WriteList(w, len(fields), func(n int) { planprint.WriteFieldDiff(w, fields[n]) })
		}
		e.End()
	})
	o.End()
}

const aboutShow = `Shows the history of a task, issue or item, also of one that left the plan:
what it is now or was last, where it came from and what it led to, the attempts at
it, and every change with the commit that made it.

Where standard output is no terminal it is JSON: the task as log prints it, with
"record", "needed_by", "led_to", and "events" with the "fields" that changed.

EXIT STATUS
  0  done
  1  there is no repository, nothing of that id, or it cannot be fetched
  2  the command line is wrong

EXAMPLES
  git ralph show t-1a2b
  git ralph show t-1a2b --json | jq '.attempts'`
