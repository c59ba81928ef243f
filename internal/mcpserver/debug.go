package mcpserver

import (
	"strings"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/debuglog"
)

// record records a call in the debug log, if its command has opened one.
func record(env *term.Env, line commandLine, o outcome, began time.Time) {
	if env.Debug == nil || line.tool == "" {
		return
	}
	e := debuglog.Event{Category: debuglog.Tool, Name: line.tool, Params: debuglog.Arguments(line.arguments), Took: time.Since(began), Exit: o.exit}
	if o.exit != cmdline.ExitDone && o.exit != cmdline.ExitNothing {
		e.Type, e.Error = debuglog.ExitType(o.exit), strings.Join(o.messages["error"], "; ")
	}
	env.Debug.Record(e)
	env.Debug.Close()
}
