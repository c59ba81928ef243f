package iteration

import (
	"cmp"
	"fmt"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/report"
)

// A Result is how an iteration ended.
type Result string

// The results, as the journal and --json name them.
const (
	Progress    Result = "progress"    // the plan or the code made progress
	Blocked     Result = "blocked"     // the task is blocked by an issue that says why the agent could not do it
	NoProgress  Result = "no progress" // nothing changed
	Killed      Result = "killed"      // the agent exceeded a limit
	Failed      Result = "failed"      // the agent failed
	Limited     Result = "limited"     // the agent's service refused because of a rate limit or overload
	Interrupted Result = "interrupted" // the user stopped the run
)

// result returns the result, and the reason for it.
func (f finishedJob) result(s settled, o Outcome, lost, repeated bool) (Result, string) {
	ended, stuck := f.ended, s.memory.Stuck
	switch {
	case ended.End == agent.Interrupted:
		return Interrupted, ""
	case s.damage != "":
		return Failed, s.damage
	case limited(ended) && stuck == nil && !o.Progress:
		return Limited, ended.ServiceLimit
	case ended.End != agent.Exited:
		return Killed, killText(ended.End)
	case stuck != nil:
		return Failed, "the agent left a " + stuck.Operation + " in progress"
	case !ended.Success() && !o.Progress:
		return Failed, failureText(ended)
	case s.applied.blocked != "":
		return Blocked, s.applied.blocked
	case o.Progress:
		return Progress, s.applied.feedback
	case repeated:
		return NoProgress, fmt.Sprintf("the same output %d times in a row", maxEqualAnswers)
	case s.applied.feedback != "":
		return NoProgress, s.applied.feedback
	case lost:
		return NoProgress, "HEAD lost commits"
	case f.Source != nil:
		return NoProgress, "nothing changed; " + lastWords(ended)
	case len(o.Steps) > 0:
		return NoProgress, "tasks were only edited"
	}
	return NoProgress, "nothing was committed and the plan did not change; " + lastWords(ended)
}

// maxQuoted is how much of an agent's last line is quoted, in characters.
const maxQuoted = 200

// lastWords quotes the last line of an agent that succeeded and changed nothing.
func lastWords(ended agent.Outcome) string {
	last := cmp.Or(lastLine(ended.Output), lastLine(ended.Messages))
	switch {
	case last == "":
		return "the agent printed nothing"
	case strings.HasSuffix(last, report.End):
		return "the agent's report changes nothing"
	}
	return "the agent's last line: " + shortened(last, maxQuoted)
}

func failureText(ended agent.Outcome) string {
	what := "the agent reported failure"
	switch {
	case ended.Code > 0:
		what = fmt.Sprintf("the agent exited with code %d", ended.Code)
	case ended.Code < 0:
		return "the agent was killed by a signal"
	}
	last := cmp.Or(lastLine(ended.Messages), lastLine(ended.Output))
	if last == "" {
		return what + ", with no output"
	}
	return what + ": " + last
}

func killText(end agent.End) string {
	switch end {
	case agent.TimedOut:
		return "the time limit"
	case agent.Idle:
		return "it was silent for too long"
	}
	return "its context was full"
}

// lastLine returns the last line of a text that is not blank.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
