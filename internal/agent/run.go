package agent

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"git-ralph/internal/mask"
	"git-ralph/internal/proc"
)

// A Run is one start of an agent.
type Run struct {
	Profile Profile
	Prompt  string   // the file that holds the prompt
	Dir     string   // where it works
	Env     []string // its whole environment
	Limits  Limits
	Log     io.Writer      // receives the lines of output and messages, one per call; may be nil
	Watch   func(Progress) // called regularly with its progress; may be nil
	Started func(proc.ID)  // called once, as soon as it runs; may be nil
	Tools   func(ToolCall) // called with each call of a tool; may be nil
	Warn    func()         // called once when its context reaches Limits.Warn; may be nil
	Masker  *mask.Masker   // for everything that it prints; nil for our own rules only
	Inherit []*os.File     // files that it holds open as long as it runs, such as a lock
}

// An End is how a run ended.
type End string

// How a run may end.
const (
	Exited      End = "exited"      // by itself, or after its last event
	TimedOut    End = "timeout"     // it took too long
	Idle        End = "idle"        // it was silent for too long
	ContextFull End = "context"     // its context was full
	Interrupted End = "interrupted" // the context of Do ended
)

// An Outcome is the result of a run.
type Outcome struct {
	Progress
	End      End
	Code     int    // exit status, -1 where a signal ended it, 0 where we ended it after its last event
	Output   string // the end of its text
	Messages string // the end of its messages on standard error

	Answered       bool      // the output shows that its service answered
	ServiceLimitAt time.Time // when the limit was reported, if there is one
}

// Success reports whether the agent succeeded, by its exit status and by its own report.
func (o Outcome) Success() bool {
	return o.End == Exited && !o.Failed && o.Code == 0
}

// CommandLine returns the program and its arguments, with the prompt's file in its place.
func (r Run) CommandLine() []string {
	line := make([]string, len(r.Profile.Command))
	for i, word := range r.Profile.Command {
		line[i] = strings.ReplaceAll(word, PromptFile, r.Prompt)
	}
	return line
}

// Do starts the agent and returns when it and all processes that it started have ended. The error is a *proc.Error if the
// program cannot be started.
func (r Run) Do(ctx context.Context) (Outcome, error) {
	input, err := r.input()
	if err != nil {
		return Outcome{}, err
	}
	defer input.Close()
	line := r.CommandLine()
	job, err := proc.StartJob(proc.Cmd{Name: line[0], Args: line[1:], Dir: r.Dir, Env: r.Env, Input: input, Inherit: r.Inherit})
	if err != nil {
		return Outcome{}, err
	}
	if r.Started != nil {
		r.Started(job.ID)
	}
	return r.session(job).follow(ctx), nil
}

// input opens what the agent reads: the prompt, or nothing where the command names its file.
func (r Run) input() (*os.File, error) {
	if strings.Contains(strings.Join(r.Profile.Command, " "), PromptFile) {
		return os.Open(os.DevNull)
	}
	return os.Open(r.Prompt)
}
