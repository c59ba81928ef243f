package runcmd

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/loop"
)

// unstarted returns a loop that is only asked what it would do.
func (c runner) unstarted(env *term.Env, goals loop.Goals) *loop.Loop {
	return loop.New(loop.Config{
		Store: c.store, Agents: c.agents, Environ: env.Environ, Goals: goals, Settings: c.settings, Now: env.Now, History: rejectionsOf(env, c.store),
		BuiltInPrompts: c.untrusted, Claims: c.claims(env), Items: c.itemRules(env),
	})
}

// preview prints what the next iteration would be: the command, and the prompt.
func (c runner) preview(ctx context.Context, env *term.Env, goals loop.Goals) error {
	next, err := c.unstarted(env, goals).Preview(ctx)
	if err != nil {
		return nothingToRun("", "", err)
	}
	if next.Why != "" {
		return nothingToRun(next.Why, next.Text, nil)
	}
	command := agent.Run{Profile: c.agents[next.Stage], Prompt: agent.PromptFile}.CommandLine()
	if c.json {
		writePreview(env, next, command)
		return nil
	}
	env.Print(fmt.Sprintf("stage: %s", next.Stage))
	env.WriteLine(term.Printable("command: " + term.ShellLine(command))) // to copy
	env.Print("")
	for line := range strings.Lines(next.Prompt) {
		env.Print(strings.TrimRight(line, "\r\n"))
	}
	return nil
}

// writePreview prints {"stage", "command", "prompt"}; the command is a list of words.
func writePreview(e *term.Env, next loop.Preview, command []string) {
	e.WriteJSON(func(out term.Sink) {
		o := term.Object{Sink: out}
		o.Str("stage", string(next.Stage))
		o.Value("command", string(jsonl.List(command)))
		o.Str("prompt", next.Prompt)
		o.End()
	})
}
