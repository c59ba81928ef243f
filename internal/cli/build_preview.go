package cli

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/loop"
)

// preview prints what the next iteration would be: the command, and the prompt.
func (c crew) preview(ctx context.Context, env *Env, goals loop.Goals) error {
	next, err := loop.New(loop.Config{Store: c.store, Agent: c.profile, Goals: goals, Settings: c.settings, Now: env.Now}).Preview(ctx)
	if err != nil {
		return err
	}
	if next.Why != "" {
		return nothingToRun(next.Why, next.Text, nil)
	}
	command := agent.Run{Profile: c.profile, Prompt: agent.PromptFile}.CommandLine()
	env.print(fmt.Sprintf("stage: %s", next.Stage))
	env.print("command: " + strings.Join(command, " "))
	env.print("")
	for line := range strings.Lines(next.Prompt) {
		env.print(strings.TrimRight(line, "\r\n"))
	}
	return nil
}
