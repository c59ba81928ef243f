package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// onlooker is a loop that starts nothing.
func (c crew) onlooker(env *Env, goals loop.Goals) *loop.Loop {
	return loop.New(loop.Config{
		Store: c.store, Agents: c.agents, Environ: env.Environ, Goals: goals, Settings: c.settings, Now: env.Now, History: rejectionsOf(env, c.store),
		BuiltInPrompts: c.untrusted,
	})
}

// rejectionsOf tells from the commits of HEAD why a task, and those whose place it took, were rejected.
func rejectionsOf(env *Env, st *store.Store) loop.History {
	return func(ctx context.Context) (loop.Rejections, error) {
		h, err := history.Read(ctx, env.historyOf(st))
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

// isRejection tells whether an event says why an attempt was rejected. That a task gave way to another before anyone did it
// is told as a rejection too.
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
func (c crew) preview(ctx context.Context, env *Env, goals loop.Goals) error {
	next, err := c.onlooker(env, goals).Preview(ctx)
	if err != nil {
		return nothingToRun("", "", err)
	}
	if next.Why != "" {
		return nothingToRun(next.Why, next.Text, nil)
	}
	command := agent.Run{Profile: c.agents[next.Stage], Prompt: agent.PromptFile}.CommandLine()
	if c.json {
		env.writePreview(next, command)
		return nil
	}
	env.print(fmt.Sprintf("stage: %s", next.Stage))
	env.print("command: " + shellLine(command))
	env.print("")
	for line := range strings.Lines(next.Prompt) {
		env.print(strings.TrimRight(line, "\r\n"))
	}
	return nil
}

// writePreview prints {"stage", "command", "prompt"}; the command is a list of words.
func (e *Env) writePreview(next loop.Preview, command []string) {
	e.writeJSON(func(out sink) {
		o := object{sink: out}
		o.str("stage", string(next.Stage))
		o.value("command", string(jsonl.List(command)))
		o.str("prompt", next.Prompt)
		o.end()
	})
}

// shellLine writes a command line as sh reads it, so that it can be copied.
func shellLine(words []string) string {
	line := make([]string, len(words))
	for i, word := range words {
		line[i] = word
		if word == "" || strings.Trim(word, shellSafe) != "" {
			line[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(line, " ")
}

// shellSafe are the characters that mean nothing to a shell.
const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
