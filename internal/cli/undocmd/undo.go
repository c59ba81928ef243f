package undocmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/walk"
	repohistory "git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/undo"
	"git-ralph/internal/workplantask"
)

// NewUndo makes `git ralph undo`.
func NewUndo(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "undo", Usage: "take back the last change of the plan, or that of a commit", ArgsUsage: "[COMMIT]", Description: aboutUndo,
		Flags:        planio.ClaimedFlags(),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(undoable)),
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return cmdline.Usage(c, "undo takes one commit")
			}
			return options{Mutation: planio.MutationFrom(c), rev: c.Args().First()}.run(c.Context, env)
		},
	}
}

// NewRedo makes `git ralph redo`.
func NewRedo(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "redo", Usage: "make the change again that was taken back last", Description: aboutRedo,
		Flags: planio.ClaimedFlags(&cli.BoolFlag{Name: "force", Usage: "even where somebody else has claimed it, or it is refused by now"}),
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return cmdline.Usage(c, "redo takes no argument")
			}
			return options{Mutation: planio.MutationFrom(c), redo: true}.run(c.Context, env)
		},
	}
}

// options say what to take back.
type options struct {
	planio.Mutation
	rev  string // a commit; "" for the last change
	redo bool
}

func (o options) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	t := taking{options: o, st: st, env: env, author: commit.AuthorAddress(ctx, st.Repo())}
	if t.rules, err = rulesOf(ctx, st); err != nil {
		return err
	}
	o.Undone = &t.undone
	o.Finish = func(r *store.Result) {
		t.plan = r.Plan
		if r.Merged == nil {
			r.Merged = &t.revert.Merged
			return
		}
		r.Merged.Conflicts = append(t.revert.Merged.Conflicts, r.Merged.Conflicts...)
		r.Merged.Discarded = append(t.revert.Merged.Discarded, r.Merged.Discarded...)
	}
	request := store.Request{
		Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) { return t.do(ctx, p, in) },
		Along: func(made store.Made) (store.Along, error) {
			follows := len(made.Change.Events) > len(t.revert.Change.Events)
			return store.Along{Subject: t.verb() + t.undone.Title, Trailers: []string{t.step.Trailer(made.Now, follows)}}, nil
		},
	}
	err = o.Update(ctx, env, st, request)
	if errors.Is(err, errNeedsPast) { // which takes seconds where it is not cached, so that nothing is locked meanwhile
		if t.past, err = repohistory.Read(ctx, planio.HistoryOf(env, st)); err == nil {
			err = o.Update(ctx, env, st, request)
		}
	}
	if err == nil {
		t.warn(ctx)
	}
	return err
}

// taking is one undo or redo.
type taking struct {
	options
	st     *store.Store
	env    *term.Env
	author string // address of the user
	rules  rules

	step   undo.Step
	undone planio.Undone
	revert undo.Revert
	parent string     // of the commit that is taken back
	plan   *plan.Plan // as it is now

	past      *fold.History // nil until it is needed
	needsPast bool
}

// errNeedsPast: how tasks had left the plan decides what becomes of them, and the history was not read.
var errNeedsPast = errors.New("the history of the plan is needed")

func (t *taking) verb() string { return wordOf(t.step.Redo) + " " }

func wordOf(redo bool) string {
	if redo {
		return "redo"
	}
	return "undo"
}

// do finds what to take back from the plan, and does it.
func (t *taking) do(ctx context.Context, p *plan.Plan, in store.Inputs) (plan.Change, error) {
	if in.Head == "" {
		return plan.Change{}, &cmdline.NothingError{Text: "there is no commit yet, so nothing can be " + t.doneWord()}
	}
	h, err := openHistory(ctx, t.st, in.Head)
	if err != nil {
		return plan.Change{}, err
	}
	defer h.close()
	switch {
	case t.rev != "":
		return t.named(ctx, p, h)
	case t.redo:
		return t.last(ctx, p, h, func(yield func(undo.Step, error) bool) {
			if s, ok, err := h.log(t.author, in.Uncommitted).Redoable(); ok || err != nil {
				yield(s, err)
			}
		})
	}
	return t.last(ctx, p, h, h.log(t.author, in.Uncommitted).Undoable())
}

func (t *taking) doneWord() string {
	if t.redo {
		return "redone"
	}
	return "undone"
}

// last takes back the first of several steps that changes anything.
func (t *taking) last(ctx context.Context, p *plan.Plan, h *history, steps func(func(undo.Step, error) bool)) (plan.Change, error) {
	var passed []string
	for s, err := range steps {
		if err != nil {
			return plan.Change{}, t.explained(err)
		}
		change, err := t.take(ctx, p, h, s)
		if err != nil {
			return plan.Change{}, err
		}
		if change.Empty() {
			passed = append(passed, t.nothingOf(s))
			continue
		}
		if len(passed) > 0 {
			t.env.Warn(strings.Join(passed, "\n"))
		}
		return change, nil
	}
	nothing := &cmdline.NothingError{Text: "no change of yours can be " + t.doneWord() + " on this branch"}
	switch {
	case t.author == "":
		nothing.Hint = "git does not know who you are: `git config user.email` sets it"
	case len(passed) > 0:
		nothing.Text = strings.Join(passed, "\n")
	case h.isShallow():
		nothing.Hint = "this clone is shallow: `git fetch --unshallow` fetches the rest of the history"
	case !t.redo:
		nothing.Hint = "`git ralph undo COMMIT` undoes what somebody else did; `git log -- " + t.st.PlanPath() + "` lists the commits"
	}
	return plan.Change{}, nothing
}

// explained adds what to do about an error of package undo.
func (t *taking) explained(err error) error {
	if errors.Is(err, undo.ErrUncommitted) {
		path := t.st.PlanPath()
		return &cmdline.HintedError{Err: err, Hint: "`git restore :/" + path + "` undoes all of them; `git commit -- :/" + path + "` commits them"}
	}
	return err
}

func (t *taking) nothingOf(s undo.Step) string {
	return fmt.Sprintf("%s (%s): the plan has nothing of it", term.Printable(s.Commit.Title()), planio.Shortened(s.Commit.ID))
}

// named takes back the commit that the user named.
func (t *taking) named(ctx context.Context, p *plan.Plan, h *history) (plan.Change, error) {
	c, err := h.find(t.rev)
	if err != nil {
		return plan.Change{}, err
	}
	s := undo.Named(c)
	change, err := t.take(ctx, p, h, s)
	if err == nil && change.Empty() {
		err = &cmdline.NothingError{Text: t.nothingOf(s)}
	}
	return change, err
}

// take takes back one step.
func (t *taking) take(ctx context.Context, p *plan.Plan, h *history, s undo.Step) (plan.Change, error) {
	before, after, err := h.plans(s.Commit.ID)
	if err != nil {
		return plan.Change{}, err
	}
	if s.Again {
		before, after = after, before
	}
	r, err := undo.Take(p, before.data, after.data, s.Redo, t.acceptedBefore(h, s))
	if invalid, ok := errors.AsType[*merge.InvalidError](err); ok {
		file := after.name
		if invalid.Input == merge.Theirs {
			file = before.name
		}
		for i := range invalid.Problems {
			invalid.Problems[i].Hint = "" // how to repair a file; this is the plan of a commit
		}
		return plan.Change{}, &cmdline.HintedError{
			Err:  &plan.InvalidError{File: file, Problems: invalid.Problems},
			Hint: "a change from or to a plan that is not valid cannot be undone; `git ralph undo COMMIT` undoes another change",
		}
	}
	if err != nil {
		return plan.Change{}, err
	}
	if t.needsPast && t.past == nil {
		return plan.Change{}, errNeedsPast
	}
	if err := t.permit(ctx, s, r); err != nil {
		return plan.Change{}, err
	}
	t.step, t.revert, t.parent = s, r, h.parentOf(s.Commit.ID)
	t.undone = planio.Undone{Redo: s.Redo, Commit: s.Commit.ID, Title: s.Commit.Title(), Diff: r.Diff}
	return r.Change, nil
}

// warn reports what a user may not expect.
func (t *taking) warn(ctx context.Context) {
	if len(t.revert.Merged.Conflicts) > 0 {
		t.env.Hint("`git ralph query conflicts` lists what is recorded, `git ralph resolve` resolves it")
	}
	for _, text := range t.leftWaiting() {
		t.env.Warn(text)
	}
	if t.step.Commit.ID == "" {
		return
	}
	files, err := walk.FilesOf(ctx, t.st.Repo(), t.parent, t.step.Commit.ID)
	if err != nil {
		return
	}
	own := t.st.PlanPaths()
	for _, r := range t.revert.Change.Records {
		if o, ok := workplantask.OriginOf(r); ok {
			own = append(own, o.Path)
		}
	}
	files = slices.DeleteFunc(files, func(f string) bool { return slices.Contains(own, f) })
	if len(files) > 0 {
		const shown = 5
		list := strings.Join(files[:min(shown, len(files))], ", ")
		if more := len(files) - shown; more > 0 {
			list += fmt.Sprintf(", %d more", more)
		}
		t.env.Warn(planio.Shortened(t.step.Commit.ID) + " changed other files too, which stay as they are: " + term.Printable(list))
	}
}

// leftWaiting names the tasks that depended on a task or issue which was taken back.
func (t *taking) leftWaiting() (texts []string) {
	gone := map[string]bool{}
	for _, e := range t.revert.Change.Events {
		if e.Name == plan.EventCancelled || e.Name == plan.EventIssueDone {
			gone[e.ID] = true
		}
	}
	for _, r := range t.plan.Of(plan.KindTask) {
		for _, id := range r.Deps() {
			if gone[id] {
				texts = append(texts, fmt.Sprintf("%s depended on %s, which is no longer in the plan: it waits for it no more", r.ID(), id))
			}
		}
	}
	return texts
}

const aboutUndo = `Takes back the last change of the plan that you committed on this branch, with a
new commit: what the change did is undone, and what was done since stays. Called
again, it takes back the one before it. With a COMMIT, what that did to the plan,
whoever made it; of a merge, what it brought in. To take back an undo is a redo.

The plan before the change is merged into the present one. Where something else
changed the same field since, both values are recorded as a conflict, as in a merge
of two branches: ` + "`git ralph query conflicts`" + ` lists them. Other files that the commit
changed stay as they are. docs/undo.md has the rules.
` + planio.MutationExits + `
EXAMPLES
  git ralph undo --dry-run
  git ralph undo
  git ralph undo 1a2b3c4`

const aboutRedo = `Makes the change again that ` + "`git ralph undo`" + ` took back last, with a new commit;
called again, the one that was taken back before it. A change of your own since then
ends that, as in an editor; changes of others do not. What git ralph task accept and
git ralph task done would refuse by now is refused: work that has not landed where
ralph.requireLanded holds, any acceptance where ralph.accept = verified, and, unless
--force is given, a task that waits for others and an item that has been moved since.
` + planio.MutationExits + `
EXAMPLES
  git ralph redo --dry-run
  git ralph redo`
