package planio

import (
	"context"
	"os"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/debuglog"
	"git-ralph/internal/git/config"
	"git-ralph/internal/store"
)

// DebugVariable turns the debug log on or off, whatever the setting ralph.debug says.
const DebugVariable = "RALPH_DEBUG"

// recording returns a store that was opened, with its events in the debug log where somebody has asked for that.
func recording(e *term.Env, st *store.Store) *store.Store {
	if st == nil {
		return nil
	}
	if e.Debug == nil {
		config, err := st.Repo().Config(context.Background()) // it was read
		if err != nil || !wantsDebug(e, config) {
			return st
		}
		e.Debug = debuglog.Of(st.Repo().CommonDir()).Open(sessionOf(e), e.Now)
		recordBegin(e)
	}
	return st.Recording(e.Debug)
}

// wantsDebug reports whether events are to be recorded. Every command calls it, so it takes no memory.
func wantsDebug(e *term.Env, config *config.Config) bool {
	if value := e.Getenv(DebugVariable); value != "" {
		return term.IsTrue(value)
	}
	on, err := config.Bool("ralph.debug", false)
	return on && err == nil
}

// sessionOf returns the session of a command: that of the agent or server that runs it, else one of its own.
func sessionOf(e *term.Env) string {
	for _, name := range []string{e.Getenv(debuglog.SessionVariable), e.DebugSession} {
		if name != "" {
			return name
		}
	}
	return debuglog.SessionName(e.Now(), os.Getpid())
}

// recordBegin records that a command began, unless its end is another event, such as that of a tool.
func recordBegin(e *term.Env) {
	if begin, ok := commandEvent(e); ok {
		begin.Result = debuglog.Began
		e.Debug.Record(begin)
	}
}

// RecordEnd records how a command ended, by its error and its exit code. Blocked says that a hook kept an agent from something.
func RecordEnd(e *term.Env, err error, code int, blocked bool) {
	if e.Debug == nil {
		return
	}
	end, ok := commandEvent(e)
	if !ok {
		return
	}
	end.Took, end.Exit, end.Blocked = e.Now().Sub(e.Debug.Began), code, blocked || end.Category == debuglog.Hook && code != cmdline.ExitDone
	switch {
	case code == cmdline.ExitNothing, code == cmdline.ExitLimit, code == cmdline.ExitGate, code == cmdline.ExitInterrupted, code == cmdline.ExitDone && err == nil:
	case err != nil:
		end.Error = err.Error()
		fallthrough
	default:
		end.Type = debuglog.ExitType(code)
	}
	e.Debug.Record(end)
	e.Debug.Close()
}

// commandEvent returns what events about the command have in common. ok is false for one that is part of another event.
func commandEvent(e *term.Env) (event debuglog.Event, ok bool) {
	if e.LongLived || e.Command == nil {
		return event, false
	}
	event = debuglog.Event{Category: debuglog.Session, Name: e.Command.String()}
	switch line := e.Line; {
	case event.Name == "hook" && len(line) > 1:
		event.Category, event.Name = debuglog.Hook, line[1]
	case event.Name == "agent hook" && len(line) > 3:
		event.Category, event.Name = debuglog.Hook, line[2]+" "+line[3]
	default:
		event.Params = debuglog.Words(line)
	}
	return event, true
}
