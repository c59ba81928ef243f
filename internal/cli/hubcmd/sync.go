package hubcmd

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/hubgate"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/cli/workplancmd"
	"git-ralph/internal/hub"
)

// Sync is `git ralph hub sync`.
func Sync(ctx context.Context, env *term.Env, o uicmd.HubOptions) error {
	ctx, cancel := limited(ctx, o)
	defer cancel()
	c, err := open(ctx, env)
	if err != nil {
		return err
	}
	defer c.close()
	if !o.Queued {
		files, invalid, err := workplancmd.Selected(ctx, env, o.Files)
		if err != nil {
			return err
		}
		for _, it := range invalid {
			env.Warn(it.Error())
		}
		err = c.Change(func(s *hub.State) {
			for _, f := range files {
				s.Reconcile(f.File, o.Reopen)
			}
		})
		if err != nil {
			return err
		}
	}
	r := c.sendAll(ctx)
	if o.Format.Json(env) {
		env.WriteJSON(func(w term.Sink) { writeResult(w, r) })
	} else {
		printResult(env, r)
	}
	if r.Left > 0 || r.Err != nil {
		return cmdline.StatusError(cmdline.ExitFailed)
	}
	return nil
}

func writeResult(w term.Sink, r hub.Result) {
	out := term.Object{Sink: w}
	out.Value("sent", strconv.Itoa(len(r.Sent)))
	out.Value("left", strconv.Itoa(r.Left))
	out.Member("unknown")
	term.WriteArray(w, len(r.Unknown), func(i int) { term.WriteString(w, r.Unknown[i].Workplan) })
	out.Member("refused")
	term.WriteArray(w, len(r.Refused), func(i int) {
		refused := term.Object{Sink: w}
		refused.Str("id", r.Refused[i].ID)
		refused.Str("error", r.Refused[i].Why.Error())
		refused.End()
	})
	if r.Err != nil {
		out.Str("error", r.Err.Error())
	}
	out.End()
}

func printResult(env *term.Env, r hub.Result) {
	for _, e := range r.Sent {
		env.Print(strings.TrimSpace(fmt.Sprintf("sent %s %s %s", e.Kind, e.ID, e.Status)))
	}
	for _, e := range r.Ahead {
		env.Warn(fmt.Sprintf("%s %s stays as it is: the hub is further than the file, and nothing goes backwards without --reopen", e.Kind, e.ID))
	}
	for range r.Unknown {
		env.Warn(hubgate.UnknownMilestone)
	}
	for _, f := range r.Refused {
		env.Say("error", fmt.Sprintf("%s %s: %v", f.Kind, f.ID, f.Why))
	}
	if r.Err != nil {
		env.Say("error", r.Err.Error())
	}
	if r.Left > 0 {
		env.Print(term.Plural(r.Left, "call") + " left in the queue")
	} else if len(r.Sent) == 0 {
		env.Print("nothing to send")
	}
}
