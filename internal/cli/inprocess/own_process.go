package inprocess

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/debuglog"
	"git-ralph/internal/proc"
)

// checkMark is in the environment of a command that runs checks, and of all that it starts.
const checkMark = "GIT_RALPH_OWN_CHECKS"

// checkGrace is how long a command that runs checks may take to end them.
const checkGrace = 15 * time.Second

// runInOwnProcess runs a command line that runs checks. A check is ended together with all that its process has started meanwhile:
// in this one, that would be the changes of other callers too.
func (r *Runner) runInOwnProcess(ctx context.Context, line Line) (o Outcome) {
	env := r.environment(line, io.Discard, nil)
	defer func(began time.Time) {
		if _, err := planio.Open(ctx, env); err == nil { // the command has its own log, of which its caller is no part
			line.ended(env, o, began)
		}
	}(time.Now())
	program, err := os.Executable()
	if err != nil {
		return failed(fmt.Errorf("cannot find this program: %w", err))
	}
	var out, errs bytes.Buffer
	child, err := proc.StartChild(proc.Cmd{
		Name: program, Args: line.Words, Dir: env.Dir, Env: append(slices.Clip(env.Environ), debuglog.SessionVariable+"="+r.session),
		Stdout: &out, Stderr: &errs,
	}, fmt.Sprintf("%s=%d", checkMark, os.Getpid()))
	if err != nil {
		return failed(err)
	}
	child.EndWithParent() //nolint:errcheck // without it, checks go on to their time limit should this process be killed
	select {
	case <-child.Exited():
	case <-ctx.Done():
		child.End(checkGrace)
		return failed(context.Cause(ctx))
	}
	exit := child.Code()
	if exit < 0 { // a signal ended it
		exit = cmdline.ExitFailed
	}
	return Outcome{Exit: exit, Output: out.String(), Messages: messagesIn(errs.String())}
}

// messagesIn returns the messages that a command printed, a line each.
func messagesIn(text string) map[string][]string {
	messages := map[string][]string{}
	for line := range strings.Lines(text) {
		message, ours := strings.CutPrefix(strings.TrimSpace(line), "git-ralph: ")
		if sort, text, found := strings.Cut(message, ": "); ours && found {
			messages[sort] = append(messages[sort], text)
		}
	}
	return messages
}

// failed returns the outcome of a command that did not end by itself.
func failed(err error) Outcome {
	return Outcome{Exit: cmdline.ExitFailed, Messages: map[string][]string{"error": {err.Error()}}}
}
