package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// statusOptions are those of `git ralph status`, and of `git ralph` alone.
type statusOptions struct {
	format format
	source source
}

func newStatus(env *Env) *cli.Command {
	return &cli.Command{
		Name: "status", Usage: "show the state of the plan", Description: aboutStatus,
		Flags: append(sourceFlags(), formatFlags()...),
		Action: func(c *cli.Context) error {
			source, err := sourceFrom(c)
			if err == nil {
				err = atMost(c, 0)
			}
			if err != nil {
				return err
			}
			return statusOptions{format: formatFrom(c), source: source}.run(c.Context, env)
		},
	}
}

const aboutStatus = `Shows the spec, the stage, what is next, and how much there is to do; git ralph
alone does the same. Starts nothing and changes nothing. Below it is the last
run of a loop in this worktree: how it gets on, or how it ended, what it cost, and
what it waits for. Where standard output is no terminal it is JSON: {"spec",
"stage", "next", "counts", "run", "last_run"}; "run" is null where none is under
way.
` + queryExits + `
EXAMPLES
  git ralph
  git ralph status --rev main`

func (o statusOptions) run(ctx context.Context, env *Env) error {
	v, err := o.source.view(ctx, env)
	if err != nil {
		return err
	}
	s := v.state()
	var run lastRun
	if o.source == (source{}) {
		st, err := env.open(ctx)
		if err != nil {
			return err
		}
		run = env.lastRun(st)
		env.warnOfSpec(st, s.plan.Spec())
		env.warnOfInstall(ctx, st)
	}
	if o.format.json(env) {
		env.writeJSON(func(w sink) { s.writeStatus(w, run) })
	} else {
		s.showStatus(env)
		run.show(env)
	}
	if o.source == (source{}) {
		env.hintNotPlanned(ctx, s)
	}
	return v.invalid()
}

// hintNotPlanned hints at `git ralph plan` where a spec has had no tasks yet: that nothing is left does not mean that
// all is done.
func (e *Env) hintNotPlanned(ctx context.Context, s state) {
	if spec := s.plan.Spec(); s.Stage() == schedule.Complete && !e.planned(ctx, spec) {
		e.hint(notPlanned(spec).Error() + "; `git ralph plan " + spec + "` plans it")
	}
}

// planned reports whether history knows a task of a spec. Where history cannot be
// read, nothing is claimed.
func (e *Env) planned(ctx context.Context, spec string) bool {
	_, h, err := e.history(ctx, false)
	return err != nil || spec == "" || slices.ContainsFunc(h.Lives, func(l *fold.Life) bool { return l.Kind == plan.KindTask && l.Spec == spec })
}

// notPlanned is why nothing can be done for a spec that has had no tasks yet.
func notPlanned(spec string) *nothingError {
	return &nothingError{text: "nothing is planned for " + spec + " yet", hint: "`git ralph plan " + spec + "` plans it"}
}

// counts are how many records there are of a sort.
type counts struct{ pending, blocked, done, others, issues, tombstones, conflicts int }

func (s state) counts() counts {
	n := counts{
		done: len(s.Done()), others: len(s.Others()), issues: len(s.Issues()),
		tombstones: len(s.plan.Of(plan.KindReject)), conflicts: len(s.conflicts()),
	}
	for _, task := range s.Pending() {
		n.pending++
		if len(s.BlockedBy(task)) > 0 {
			n.blocked++
		}
	}
	return n
}

// writeStatus writes {"spec", "stage", "next", "counts", "run", "last_run"}.
func (s state) writeStatus(w sink, run lastRun) {
	o := object{sink: w}
	o.strOrNull("spec", s.plan.Spec())
	s.writeStageAndNext(&o)
	n := s.counts()
	o.value("counts", fmt.Sprintf(
		`{"pending": %d, "blocked": %d, "done": %d, "others": %d, "issues": %d, "tombstones": %d, "conflicts": %d}`,
		n.pending, n.blocked, n.done, n.others, n.issues, n.tombstones, n.conflicts))
	o.value("run", run.liveJSON())
	o.member("last_run")
	run.writeJSON(w)
	o.end()
}

// showStatus prints the status for people.
func (s state) showStatus(env *Env) {
	n, next := s.counts(), s.Next()
	var t table
	add := func(title, text string, look style) { t.add(cell{title, faint}, cell{text, look}) }
	spec := s.plan.Spec()
	if spec == "" {
		spec = "none: set one with `git ralph set-spec FILE`"
	}
	add("spec", spec, plainStyle)
	add("stage", string(next.Action), strong)
	add("next", nextText(next), plainStyle)
	add("tasks", n.tasks(), plainStyle)
	if n.issues > 0 {
		add("issues", fmt.Sprint(n.issues), plainStyle)
	}
	if n.conflicts > 0 {
		add("conflicts", fmt.Sprintf("%d, see `git ralph query conflicts`", n.conflicts), yellow)
	}
	t.write(env)
}

func (n counts) tasks() string {
	text := fmt.Sprintf("%d pending", n.pending)
	if n.blocked > 0 {
		text += fmt.Sprintf(" (%d blocked)", n.blocked)
	}
	text += fmt.Sprintf(", %d done", n.done)
	if n.others > 0 {
		text += fmt.Sprintf(", %d in an unknown state", n.others)
	}
	return text
}

// nextText says what is next, on one line.
func nextText(next schedule.Next) string {
	switch {
	case next.Item != nil:
		return next.Item.ID() + " " + next.Item.Name()
	case len(next.Items) == 1:
		return "accept or reject " + next.Items[0].ID() + " " + next.Items[0].Name()
	case len(next.Items) > 1:
		return fmt.Sprintf("accept or reject %d done tasks", len(next.Items))
	case len(next.Stalled) > 0:
		first := next.Stalled[0]
		return fmt.Sprintf("nothing: every task waits, %s for %s", first.ID, strings.Join(first.BlockedBy, ", "))
	case next.Action == schedule.Plan:
		return "plan the work of a spec"
	}
	return "nothing is left"
}
