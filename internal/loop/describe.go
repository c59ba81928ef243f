package loop

import (
	"fmt"

	"git-ralph/internal/agent"
)

// describe returns the result, and why it is so.
func (it *iteration) describe() (Result, string) {
	o := it.outcome
	switch {
	case o.End == agent.Interrupted:
		return ResultInterrupted, ""
	case it.damage != "":
		return ResultFailed, it.damage
	case it.limited() && it.stuck == nil && !it.progress:
		return ResultLimited, o.Limit
	case o.End != agent.Exited:
		return ResultKilled, killText(o.End)
	case it.stuck != nil:
		return ResultFailed, "the agent left a " + it.stuck.operation + " in progress"
	case !o.Success() && !it.progress:
		return ResultFailed, it.failureText()
	case it.blocked != "":
		return ResultBlocked, it.blocked
	case it.progress && !o.Success(): // what was wrong with a former answer has nothing to do with it
		return ResultProgress, ""
	case it.progress:
		return ResultProgress, it.feedback.text
	}
	if it.repeated {
		return ResultNone, fmt.Sprintf("the same output %d times in a row", maxSame)
	}
	return ResultNone, it.feedback.text
}

func (it *iteration) failureText() string {
	last := lastLine(it.outcome.Tail)
	if last == "" {
		last = lastLine(it.outcome.Words)
	}
	what := "the agent says that it failed"
	switch {
	case it.outcome.Code > 0:
		what = fmt.Sprintf("the agent exited with code %d", it.outcome.Code)
	case it.outcome.Code < 0:
		return "the agent was killed by a signal"
	}
	if last == "" {
		return what + " and no output"
	}
	return what + ": " + last
}

// limited reports whether a limit of its service is why the agent did not succeed, however it ended.
func (it *iteration) limited() bool {
	return it.outcome.Limit != "" && it.outcome.End != agent.Interrupted && !it.outcome.Success()
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
