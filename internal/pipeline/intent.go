package pipeline

import (
	"fmt"
	"strings"
)

// The intents: what a command wants of an item, whatever state that is for the command.
const (
	IntentLock     = "__LOCK__"
	IntentComplete = "__COMPLETE__"
	IntentEscalate = "__ESCALATE__"
	IntentClose    = "__CLOSE__"
	IntentCancel   = "__CANCEL__"
)

// Intents returns all intents.
func Intents() []string {
	return []string{IntentLock, IntentComplete, IntentEscalate, IntentClose, IntentCancel}
}

// ResolveIntent returns the state that an intent means to a command, which may be "" where the intent means the same to all.
// Text that is no intent is a state already, and returned as it is.
func ResolveIntent(intent, command, reason string) (string, error) {
	switch intent {
	case IntentClose:
		return Done, nil
	case IntentCancel:
		return Canceled, nil
	case IntentEscalate:
		return escalate(reason)
	case IntentLock:
		return stateFor(intent, command, Step.locks)
	case IntentComplete:
		return stateFor(intent, command, Step.completes)
	}
	if strings.HasPrefix(intent, "__") {
		return "", fmt.Errorf("invalid intent %q: want %s", intent, OneOf(Intents()))
	}
	return intent, nil
}

// escalate returns the state of an item that a person is needed for, who has to know why.
func escalate(reason string) (string, error) {
	if strings.TrimSpace(reason) == "" {
		return "", fmt.Errorf("invalid reason %q for %s: want why a person is needed", reason, IntentEscalate)
	}
	return HumanNeeded, nil
}

// stateFor returns the one state that a table has for the step of a command.
func stateFor(intent, command string, table func(Step) []string) (string, error) {
	states := table(stepOf(command))
	switch len(states) {
	case 1:
		return states[0], nil
	case 0:
		return "", fmt.Errorf("invalid RALPH_COMMAND %q for %s: want %s", command, intent, OneOf(commandsWith(table)))
	}
	return "", fmt.Errorf("invalid intent %s for RALPH_COMMAND %q: want %s", intent, command, OneOf(states))
}

// shortImplement is what RALPH_COMMAND calls StepImplement; the other commands have the names of their steps.
const shortImplement = "impl"

// stepOf returns the step that a command does, "" for none. The skills' own names, such as ralph-plan, name it too.
func stepOf(command string) Step {
	name := strings.TrimPrefix(strings.ReplaceAll(command, "_", "-"), "ralph-")
	if name == shortImplement {
		return StepImplement
	}
	return Step(name)
}

// commandsWith returns the commands whose steps a table has exactly one state for.
func commandsWith(table func(Step) []string) []string {
	var commands []string
	for _, step := range Steps() {
		if len(table(step)) == 1 {
			commands = append(commands, strings.Replace(string(step), string(StepImplement), shortImplement, 1))
		}
	}
	return commands
}

// locks returns the lock state of a step, where it has one.
func (s Step) locks() []string {
	if lock := s.Lock(); lock != "" {
		return []string{lock}
	}
	return nil
}

// completes returns the states that an item may be in once a step is finished. Triage decides between several.
func (s Step) completes() []string {
	if s == StepTriage {
		return []string{ResearchNeeded, ReadyForPlan, Done, Canceled}
	}
	if state := s.ends(); state != "" {
		return []string{state}
	}
	return nil
}
