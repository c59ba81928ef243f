package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
	"git-ralph/internal/store"
)

// diffOptions are the command line of `git ralph diff`.
type diffOptions struct {
	before   string // a revision
	after    string // a revision; "" is the worktree
	json     bool
	exitCode bool
}

func newDiff(env *Env) *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "show what changed in the plan",
		ArgsUsage: "[REV [REV] | REV..REV]",
		Description: `Shows what differs between two plans, task by task, prose by words: between
the last commit and the worktree, between a revision and the worktree, or
between two revisions. Deleted words stand in [-…-] and new ones in {+…+}, on a
terminal in colour.

The order of lines and the spelling of JSON carry no meaning; where only they
differ, one line says so. The output is text in a pipe too; --json makes it JSON:
{"before", "after", "changes": [{"change", "t", "id", "name", "before", "after",
"fields": [{"field", "before", "after", "words": [{"op", "text"}]}]}],
"reordered", "respelled"}.

EXIT STATUS
  0  done, whether the plans differ or not
  1  failed, or the plans differ and --exit-code is given
  2  the command line is wrong
  5  one of the plans is not valid

EXAMPLES
  git ralph diff
  git ralph diff main
  git ralph diff v1.0..HEAD --json`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
			&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 where the plans differ"},
		},
		Action: func(c *cli.Context) error {
			o, err := parseDiff(c)
			if err != nil {
				return err
			}
			return o.run(c.Context, env)
		},
	}
}

func parseDiff(c *cli.Context) (diffOptions, error) {
	o := diffOptions{json: c.Bool("json"), exitCode: c.Bool("exit-code")}
	var ok bool
	o.before, o.after, ok = revisions(c.Args().Slice())
	if !ok {
		return o, usage(c, "diff takes no revision, one, two, or two with .. between them")
	}
	return o, nil
}

// revisions reads the arguments of diff as git reads them: a side that is left
// out beside ".." is HEAD, a second revision that is left out the worktree.
func revisions(args []string) (before, after string, ok bool) {
	switch len(args) {
	case 0:
		return "HEAD", "", true
	case 2:
		return args[0], args[1], !strings.Contains(args[0]+" "+args[1], "..")
	case 1:
		if a, b, isRange := strings.Cut(args[0], ".."); isRange {
			return orHead(a), orHead(b), !strings.HasPrefix(b, ".")
		}
		return args[0], "", true
	}
	return "", "", false
}

func orHead(rev string) string {
	if rev == "" {
		return "HEAD"
	}
	return rev
}

func (o diffOptions) run(ctx context.Context, env *Env) error {
	s, err := env.open(ctx)
	if err != nil {
		return err
	}
	before, err := side(ctx, s, o.before)
	if err != nil {
		return err
	}
	after, err := side(ctx, s, o.after)
	if err != nil {
		return err
	}
	d := plandiff.Compare(before.Plan, after.Plan)
	if o.json {
		env.writeJSON(func(w sink) { writeDiffJSON(w, before.File, after.File, d) })
	} else {
		diffPrinter{env}.print(d)
	}
	if o.exitCode && !d.Empty() {
		return statusError(exitFailed)
	}
	return nil
}

// side reads one of the two plans. Before the first commit HEAD has an empty
// one.
func side(ctx context.Context, s *store.Store, rev string) (store.Snapshot, error) {
	snap, err := readSide(ctx, s, rev)
	if err == nil && !snap.Problems.Readable() {
		err = &plan.InvalidError{File: snap.File, Problems: snap.Problems}
	}
	return snap, err
}

func readSide(ctx context.Context, s *store.Store, rev string) (store.Snapshot, error) {
	if rev == "" {
		return s.View(ctx)
	}
	snap, err := s.At(ctx, rev)
	if rev == "HEAD" && errors.Is(err, git.ErrBadRevision) {
		return store.Snapshot{Plan: &plan.Plan{}, File: rev + ":" + s.PlanPath()}, nil
	}
	return snap, err
}

// A diffPrinter shows a diff to people.
type diffPrinter struct{ *Env }

func (p diffPrinter) print(d plandiff.Diff) {
	for _, r := range d.Records {
		p.record(r)
	}
	if d.Reordered {
		p.Env.print("the lines stand in another order")
	}
	if d.Respelled {
		p.Env.print("something is written in another way that means the same")
	}
}

func (p diffPrinter) record(r plandiff.Record) {
	shown := r.Shown()
	words := []string{string(shown.Kind()), shown.ID(), shown.Name()}
	switch shown.Kind() {
	case plan.KindSpec:
		words[2] = shown.Spec()
	case plan.KindReject:
		words[2] = shown.Text("reason")
	case "":
		words[0] = "record"
	}
	sign, colour := "~", yellow
	switch r.Change {
	case plandiff.Added:
		sign, colour = "+", green
	case plandiff.Removed:
		sign, colour = "-", red
	}
	heading := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	fmt.Fprintln(p.Out, p.paint(sign+" "+printable(heading), colour))
	for _, f := range r.Fields {
		p.field(f)
	}
	if r.Change == plandiff.Added {
		p.added(shown)
	}
}

// added shows the fields of a new record that its heading does not tell.
func (p diffPrinter) added(r plan.Record) {
	for _, m := range r.Object().Members() {
		isHeading := m.Name == "t" || m.Name == "id" || m.Name == "name" ||
			m.Name == "desc" && r.Text("desc") == r.Name() ||
			m.Name == "reason" && r.Kind() == plan.KindReject || m.Name == "spec" && r.Kind() == plan.KindSpec
		if !isHeading {
			fmt.Fprintf(p.Out, "    %s: %s\n", printable(m.Name), shownValue(m.Value))
		}
	}
}

// field shows one field of a changed record on one line.
func (p diffPrinter) field(f plandiff.Field) {
	var text string
	switch {
	case f.Words != nil:
		text = p.words(f.Words)
	case f.List != nil:
		text = p.list(*f.List)
	case f.Change() == plandiff.Added:
		text = p.inserted(shownValue(f.After))
	case f.Change() == plandiff.Removed:
		text = p.deleted(shownValue(f.Before))
	default:
		text = p.deleted(shownValue(f.Before)) + " " + p.inserted(shownValue(f.After))
	}
	fmt.Fprintf(p.Out, "    %s: %s\n", printable(f.Name), text)
}

func (p diffPrinter) words(spans []plandiff.Span) string {
	var b strings.Builder
	for _, s := range spans {
		switch text := printable(s.Text); s.Op {
		case plandiff.Delete:
			b.WriteString(p.deleted(text))
		case plandiff.Insert:
			b.WriteString(p.inserted(text))
		default:
			b.WriteString(text)
		}
	}
	return b.String()
}

func (p diffPrinter) list(c plandiff.ListChange) string {
	var parts []string
	for _, s := range c.Removed {
		parts = append(parts, p.deleted(printable(s)))
	}
	for _, s := range c.Added {
		parts = append(parts, p.inserted(printable(s)))
	}
	if parts == nil {
		return "in another order"
	}
	return strings.Join(parts, " ")
}

func (p diffPrinter) deleted(text string) string { return p.marked(text, "[-", "-]", red) }

func (p diffPrinter) inserted(text string) string { return p.marked(text, "{+", "+}", green) }

// marked shows a change by colour, or by brackets where there is none.
func (p diffPrinter) marked(text, before, after string, s style) string {
	if p.Colour {
		return p.paint(text, s)
	}
	return before + text + after
}

// shownValue writes a value for people: strings without quotes unless empty.
func shownValue(v jsonl.Value) string {
	if list, ok := v.Strings(); ok && len(list) > 0 {
		return printable(strings.Join(list, ", "))
	}
	if s, ok := v.Str(); ok && s != "" {
		return printable(s)
	}
	return printable(string(v))
}
