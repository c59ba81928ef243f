package workplancmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
	"git-ralph/internal/workplan"
)

// changeOptions are what the commands that change a workplan have in common.
type changeOptions struct {
	file     string
	noCommit bool
	dryRun   bool
	format   cmdline.Format
	gate     Gate
}

func changeFlags(own ...cli.Flag) []cli.Flag {
	return append(append(own,
		&cli.BoolFlag{Name: "dry-run", Usage: "show what would change, and change nothing"},
		&cli.BoolFlag{Name: "no-commit", Usage: "write the file and do not commit it"},
	), cmdline.TextFormatFlags()...)
}

func changeFrom(c *cli.Context, gate Gate) changeOptions {
	return changeOptions{
		file: c.Args().First(), noCommit: c.Bool("no-commit"), dryRun: c.Bool("dry-run"), format: cmdline.FormatFrom(c), gate: gate,
	}
}

// An edit decides what changes in a workplan, and is the subject of the commit. Without changes nothing is written.
type edit func(f *workplan.File) (changes []workplan.Change, subject string, err error)

// A changed is the outcome of a change.
type changed struct {
	*workplan.File // as it is now
	store.FileUpdateResult
}

// apply changes the file and commits it.
func (o changeOptions) apply(ctx context.Context, env *term.Env, decide edit) (changed, error) {
	st, err := planio.Open(ctx, env)
	if errors.Is(err, git.ErrNotRepository) && (o.noCommit || o.dryRun) {
		return o.applyOutside(ctx, env, decide)
	}
	if err != nil {
		return changed{}, err
	}
	path, err := planio.WorkplanPath(st, o.file)
	if err != nil {
		return changed{}, err
	}
	var now *workplan.File
	subject := ""
	update := store.FileUpdate{
		Path: path, NoCommit: o.noCommit, DryRun: o.dryRun, OwnEdits: true, Subject: func() string { return subject },
		Edit: func(text string, exists bool) (string, error) {
			if !exists {
				return "", readError(o.file, os.ErrNotExist)
			}
			var edited []byte
			now, edited, subject, err = o.decide(ctx, env, []byte(text), decide)
			return string(edited), err
		},
	}
	var result store.FileUpdateResult
	err = env.UntilSignal(ctx, func(ctx context.Context) error {
		result, err = st.UpdateFile(ctx, update)
		return err
	})
	if err == nil && result.OwnEdits && result.Commit != "" {
		env.Warn("your own changes of " + path + " went into the commit too")
	}
	if result.Commit != "" {
		env.Changed = "committed (" + planio.Shortened(result.Commit) + ")"
	}
	return changed{now, result}, err
}

// applyOutside is apply where there is no repository.
func (o changeOptions) applyOutside(ctx context.Context, env *term.Env, decide edit) (changed, error) {
	f, err := read(ctx, env, o.file)
	if err != nil {
		return changed{}, err
	}
	now, edited, _, err := o.decide(ctx, env, f.text, decide)
	result := store.FileUpdateResult{Changed: string(edited) != string(f.text), Reason: "there is no repository"}
	if err == nil && result.Changed && !o.dryRun {
		dir, name := filepath.Split(env.Path(o.file))
		if err = safefile.CheckWritable(dir, name); err == nil {
			err = safefile.Write(dir, name, edited, 0o666)
		}
	}
	return changed{now, result}, err
}

// decide parses a text and makes the changes in it.
func (o changeOptions) decide(ctx context.Context, env *term.Env, text []byte, decide edit) (now *workplan.File, edited []byte, subject string, err error) {
	f, err := planio.WorkplanParser(env).Parse(ctx, o.file, text)
	if err != nil {
		return nil, nil, "", err
	}
	changes, subject, err := decide(f)
	if err != nil {
		return nil, nil, "", err
	}
	if edited, err = f.Apply(text, changes...); err != nil {
		return nil, nil, "", err
	}
	return f.With(changes...), edited, subject, nil
}

// print prints the new state. what says what was done, such as "done WP-1-T01 Write it".
func (o changeOptions) print(env *term.Env, c changed, what, promise string) {
	if o.format == cmdline.FormatJSON {
		env.WriteJSON(func(w term.Sink) { o.write(w, c, promise) })
		return
	}
	switch {
	case !c.Changed:
		what += ": nothing to change"
	case c.Commit != "":
		what += " (" + planio.Shortened(c.Commit) + ")"
	default:
		what += " (not committed: " + c.Reason + ")"
	}
	env.Print(what)
	if next, ok := c.Next(); ok {
		env.Print("next: " + next.ID + " " + next.Name)
	} else if !c.Done() {
		env.Print("every task is done: `git ralph workplan close " + term.ShellLine([]string{o.file}) + "` closes the workplan")
	}
	if promise != "" {
		env.Print(promise)
	}
}

func (o changeOptions) write(w term.Sink, c changed, promise string) {
	out := term.Object{Sink: w}
	out.Boolean("committed", c.Commit != "")
	out.StrOrNull("commit", c.Commit)
	out.StrOrNull("reason", c.Reason)
	out.StrIf("promise", promise)
	out.Member("workplan")
	writeStatus(w, o.file, c.File, false)
	out.End()
}
