package hubcmd

import (
	"context"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/cli/workplancmd"
	"git-ralph/internal/hub"
)

// A checked is a comparison, and the file that it is about.
type checked struct {
	file string
	hub.Comparison
}

// Check is `git ralph hub check`. An error means that it is unknown whether the hub is equal.
func Check(ctx context.Context, env *term.Env, o uicmd.HubOptions) error {
	ctx, cancel := limited(ctx, o)
	defer cancel()
	all, err := check(ctx, env, o)
	if err != nil {
		return &cmdline.CodedError{Err: err, Code: cmdline.ExitUsage}
	}
	verdict := verdictOf(all)
	if o.Format.Json(env) {
		env.WriteJSON(func(w term.Sink) { writeChecked(w, all, verdict) })
	} else {
		printChecked(env, all)
	}
	switch verdict {
	case hub.Differs:
		return cmdline.StatusError(cmdline.ExitFailed)
	case hub.Unknown:
		return cmdline.StatusError(cmdline.ExitUsage) // 2, as for whatever else keeps it from an answer
	}
	return nil
}

func check(ctx context.Context, env *term.Env, o uicmd.HubOptions) ([]checked, error) {
	files, invalid, err := workplancmd.Selected(ctx, env, o.Files)
	if err != nil {
		return nil, err
	}
	all, err := checkValid(ctx, env, o, files)
	for _, it := range invalid { // what such a file says is not known
		all = append(all, checked{it.File, hub.Comparison{Verdict: hub.Unknown, Why: it.Error()}})
	}
	return all, err
}

// checkValid compares workplans with the hub, and makes the hub equal with --fix.
func checkValid(ctx context.Context, env *term.Env, o uicmd.HubOptions, files []workplancmd.Named) ([]checked, error) {
	c, err := open(ctx, env)
	if err != nil {
		return nil, err
	}
	defer c.close()
	all, err := c.compareAll(ctx, files)
	if err != nil || !o.Fix {
		return all, err
	}
	err = c.Change(func(s *hub.State) {
		for _, it := range all {
			s.Repair([]hub.Comparison{it.Comparison}, o.Reopen)
		}
	})
	if err != nil {
		return nil, err
	}
	r := c.sendAll(ctx)
	for _, f := range r.Refused {
		env.Warn(f.ID + ": " + f.Why.Error())
	}
	if r.Err != nil {
		return nil, r.Err
	}
	return c.compareAll(ctx, files)
}

func (c *client) compareAll(ctx context.Context, files []workplancmd.Named) ([]checked, error) {
	var all []checked
	for _, f := range files {
		if f.Workstream == "" {
			continue
		}
		compared, err := c.Compare(ctx, f.File)
		if err != nil {
			return nil, err
		}
		for _, it := range compared {
			all = append(all, checked{f.Name, it})
		}
	}
	return all, nil
}

func verdictOf(all []checked) hub.Verdict {
	each := make([]hub.Comparison, len(all))
	for i, it := range all {
		each[i] = it.Comparison
	}
	return hub.VerdictOf(each)
}

func writeChecked(w term.Sink, all []checked, verdict hub.Verdict) {
	out := term.Object{Sink: w}
	out.Str("verdict", string(verdict))
	out.Member("items")
	term.WriteArray(w, len(all), func(i int) {
		it := all[i]
		item := term.Object{Sink: w}
		item.Str("file", it.file)
		item.Str("kind", string(it.Kind))
		item.Str("id", it.ID)
		item.Str("name", it.Name)
		item.Str("status", string(it.Status))
		item.StrOrNull("hub", it.Hub)
		item.Str("verdict", string(it.Verdict))
		item.StrIf("error", it.Why)
		if it.OpenWorkstream() {
			item.Str("check", "C-13")
		}
		item.End()
	})
	out.End()
}

func printChecked(env *term.Env, all []checked) {
	var t term.Table
	ahead := false
	for _, it := range all {
		note := it.Why
		switch {
		case it.OpenWorkstream():
			note = "C-13: the workplan is done, the workstream is not"
		case it.Ahead:
			note, ahead = "the hub is further", true
		}
		style := term.Green
		if it.Verdict != hub.Equal {
			style = term.Yellow
		}
		t.Add(term.Cell{Text: it.ID, Style: term.Cyan}, term.Cell{Text: string(it.Verdict), Style: style},
			term.Cell{Text: string(it.Status)}, term.Cell{Text: it.Hub}, term.Cell{Text: it.Name}, term.Cell{Text: note})
	}
	t.Write(env)
	switch {
	case len(all) == 0:
		env.Print("no workplan has a state_hub_workstream_id")
	case ahead:
		env.Hint("`git ralph hub check --fix --reopen` makes the hub equal also where it is further than the file")
	case verdictOf(all) == hub.Differs:
		env.Hint("`git ralph hub check --fix` makes the hub equal")
	}
}
