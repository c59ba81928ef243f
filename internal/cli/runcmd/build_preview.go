package runcmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/iteration"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// unstarted is a loop that starts nothing.
func (c runner) unstarted(env *term.Env, goals loop.Goals) *loop.Loop {
	return loop.New(loop.Config{
		Store: c.store, Agents: c.agents, Environ: env.Environ, Goals: goals, Settings: c.settings, Now: env.Now, History: rejectionsOf(env, c.store),
		BuiltInPrompts: c.untrusted,
	})
}

// rejectionsOf returns from the commits of HEAD why a task, and those whose place it took, were rejected.
func rejectionsOf(env *term.Env, st *store.Store) iteration.History {
	return func(ctx context.Context) (iteration.Rejections, error) {
		h, err := history.Read(ctx, planio.HistoryOf(env, st))
		if err != nil {
			return nil, err
		}
		return func(id string) (reasons []string) {
			line := ancestry(h.Lives, id)
			for _, e := range h.Events {
				if isRejection(e) && e.InHead && e.Life != nil && slices.Contains(line, e.Life.ID) {
					reasons = append(reasons, e.Reason)
				}
			}
			return reasons
		}, nil
	}
}

// isRejection reports whether an event says why an attempt was rejected. That a task gave way to another before anyone did it
// counts as a rejection too.
func isRejection(e *fold.Event) bool {
	return e.Name == plan.EventRejected && e.Reason != "" && (e.Successor == "" || e.Attempt != "" || e.DoneAt != "")
}

// ancestry lists the ids of a task and of those that it superseded, directly or not.
func ancestry(lives []*fold.Life, id string) []string {
	line := []string{id}
	for i := 0; i < len(line); i++ {
		for _, life := range lives {
			isOne := life.Has(line[i]) || life.SupersededBy == line[i]
			if life.Kind == plan.KindTask && isOne && !slices.Contains(line, life.ID) {
				line = append(line, life.ID)
			}
		}
	}
	return line
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
