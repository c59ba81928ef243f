package evidencecmd

import (
	"context"
	"fmt"
	"slices"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/evidence"
	"git-ralph/internal/store"
)

// runReplay runs receipts again.
func (o verifyOptions) runReplay(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	runner, err := o.runner(ctx, env, st)
	if err != nil {
		return err
	}
	found, err := o.receipts(ctx, env, st)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return &cmdline.NothingError{Text: "there is no receipt", Hint: "`git ralph task accept --verified` writes receipts"}
	}
	replays, err := planio.Replay(ctx, env, runner, found, o.dryRun)
	if err != nil {
		return err
	}
	replayed(replays).print(env, o.format)
	for _, p := range replays {
		if p.Again.State == evidence.NotAllowed {
			env.Hint("`git config --add " + evidence.AllowKey + " WORDS` allows all commands that begin with these words")
			break
		}
	}
	return replayed(replays).status()
}

// receipts returns the receipts that are meant. An altered one may have been any task's.
func (o verifyOptions) receipts(ctx context.Context, env *term.Env, st *store.Store) ([]evidence.Found, error) {
	scope := evidence.Scope{All: o.all}
	if o.since != "" {
		since, err := planio.ReadSince(ctx, env, st, o.since)
		if err != nil {
			return nil, err
		}
		if scope.Except = since.Commit; since.Commit == "" {
			scope.Since = since.Time.Unix()
		}
	}
	found, err := evidence.Find(ctx, st.Repo(), scope)
	if len(o.ids) > 0 {
		found = slices.DeleteFunc(found, func(f evidence.Found) bool { return !f.Altered && !slices.Contains(o.ids, f.Task) })
	}
	return found, err
}

// replayed are the outcomes of receipts that were run again.
type replayed []evidence.Replay

// status returns the exit code: what is different or altered counts more than what was not run.
func (all replayed) status() error {
	code := cmdline.ExitDone
	for _, p := range all {
		switch p.Verdict {
		case evidence.Different, evidence.Altered:
			return cmdline.StatusError(cmdline.ExitFailed)
		case evidence.NotRunnable:
			code = cmdline.ExitNothing
		}
	}
	if code == cmdline.ExitDone {
		return nil
	}
	return cmdline.StatusError(code)
}

func (all replayed) print(env *term.Env, format cmdline.Format) {
	if format.Json(env) {
		env.WriteJSON(all.write)
		return
	}
	var t term.Table
	for _, p := range all {
		t.Add(term.Cell{Text: string(p.Verdict), Style: verdictStyle(p.Verdict)}, term.Cell{Text: p.Task, Style: term.Cyan},
			term.Cell{Text: fmt.Sprintf("%.9s", p.Commit), Style: term.Yellow}, term.Cell{Text: p.Shown()})
	}
	t.Write(env)
	for _, p := range all {
		if p.Why != "" {
			env.Print("")
			term.WriteLines(env, fmt.Sprintf("%s in %.9s: %s\n", p.Task, p.In, p.Why))
		}
	}
}

func verdictStyle(v evidence.Verdict) term.Style {
	switch v {
	case evidence.Same:
		return term.Green
	case evidence.NotRunnable, evidence.Runnable:
		return term.Yellow
	}
	return term.Red
}

func (all replayed) write(w term.Sink) {
	o := term.Object{Sink: w}
	o.Member("receipts")
	term.WriteArray(w, len(all), func(i int) { writeReplay(w, all[i]) })
	o.End()
}

func writeReplay(w term.Sink, p evidence.Replay) {
	o := term.Object{Sink: w}
	o.StrOrNull("id", p.Task)
	o.Str("check", p.Line)
	o.Str("commit", p.Commit)
	o.Str("tree", p.Tree)
	o.Value("exit", fmt.Sprint(p.Exit))
	o.Value("ms", fmt.Sprint(p.Took.Milliseconds()))
	o.Str("output", p.Output)
	o.Str("at", p.At)
	o.Str("by", p.By)
	o.Str("in", p.In)
	o.Str("verdict", string(p.Verdict))
	o.StrIf("why", p.Why)
	if p.Again.Ran() && p.Again.State != "" {
		o.Member("again")
		again := term.Object{Sink: w}
		again.Value("exit", fmt.Sprint(p.Again.Exit))
		again.Value("ms", fmt.Sprint(p.Again.Took.Milliseconds()))
		again.StrOrNull("output", p.Again.Hash)
		again.StrOrNull("log", p.Again.Log)
		again.End()
	}
	o.End()
}
