package runcmd

import (
	"context"
	"strings"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/loop"
	"git-ralph/internal/proc"
)

// notifyTime is how long the command of ralph.notify may take.
const notifyTime = 30 * time.Second

// notify runs the command of ralph.notify. The run is over, so its errors are only warnings.
func (c runner) notify(ctx context.Context, env *term.Env, what string, s loop.Summary) {
	command := c.settings.Notify
	if len(command) == 0 {
		return
	}
	env.Flush() // the summary appears before any output of the command
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), notifyTime)
	defer stop()
	event := s.Event()
	event.At = env.Now()
	_, err := proc.Run(ctx, proc.Cmd{
		Name: command[0], Args: append(command[1:len(command):len(command)], what+": "+sentenceOf(s)),
		Dir: c.store.Repo().Root(), Env: env.Environ, Stdin: []byte(event.JSON().Text() + "\n"), Stdout: env.Err, Group: true,
	})
	if err != nil {
		env.Warn("ralph.notify: " + err.Error())
	}
}

// sentenceOf returns how a run ended, on one line.
func sentenceOf(s loop.Summary) string {
	var parts []string
	for _, line := range summaryLines(s)[:min(2, len(summaryLines(s)))] {
		for _, c := range line {
			parts = append(parts, c.Text)
		}
	}
	return term.Printable(strings.Join(parts, " · "))
}
