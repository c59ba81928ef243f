package evidence

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/plan"
	"git-ralph/internal/worktree"
)

// A Check is one command line of a task.
type Check struct {
	Task string // its id
	Line string // the command line, as the plan has it
}

// Shown returns the command line with escapes for characters that people do not see, or see as a space. Words accepts none of these.
func (c Check) Shown() string {
	var b strings.Builder
	for _, r := range c.Line {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

// ChecksOf lists the checks of tasks.
func ChecksOf(tasks []*plan.Record) []Check {
	var all []Check
	for _, task := range tasks {
		for _, line := range task.Checks() {
			all = append(all, Check{task.ID(), line})
		}
	}
	return all
}

// A State is what became of a check.
type State string

// The states, as --json names them.
const (
	Passed     State = "passed"      // it ended with status 0
	Failed     State = "failed"      // it ended with another status, or by a signal
	TimedOut   State = "timed out"   // it was ended because its time was over
	NotStarted State = "not started" // its program could not be started, which is a failure
	NotAllowed State = "not allowed" // nobody allowed it, so it was not run
	Allowed    State = "allowed"     // it may be run; only asked for, not done
)

// A Result is what became of a check on a commit.
type Result struct {
	Check
	State  State
	Why    string // it was not run or not started
	Commit string // that it was run on
	Tree   string // of that commit
	At     time.Time
	Took   time.Duration
	Exit   int    // status; -1 where there is none
	Hash   string // SHA-256 of all of the output, in hex
	Output string // without secrets; of more than worktree.MaxOutput the beginning and the end
	Log    string // the file that holds Output; "" where it could not be written
}

// Ran reports whether the check was run.
func (r Result) Ran() bool { return r.State != NotAllowed && r.State != Allowed }

// Bad reports whether the check was run and did not pass.
func (r Result) Bad() bool { return r.Ran() && r.State != Passed }

// take adds what a command did.
func (r *Result) take(did worktree.Result) {
	r.Took, r.Exit, r.Hash, r.State = did.Took, did.Exit, did.SHA256, Failed
	switch {
	case did.TimedOut:
		r.State = TimedOut
	case did.Passed():
		r.State = Passed
	}
}

// Summary says in one line what became of the check.
func (r Result) Summary() string {
	switch r.State {
	case Passed:
		return fmt.Sprintf("`%s` passed", r.Line)
	case TimedOut:
		return fmt.Sprintf("`%s` was ended after %s", r.Line, r.Took.Round(time.Second))
	case Failed:
		if r.Exit < 0 {
			return fmt.Sprintf("`%s` was ended by a signal", r.Line)
		}
		return fmt.Sprintf("`%s` failed with exit code %d", r.Line, r.Exit)
	}
	return fmt.Sprintf("`%s` was not run: %s", r.Shown(), r.Why)
}
