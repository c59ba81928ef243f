package pipeline

import (
	"fmt"
	"slices"
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

// The commands that an intent may come from, as RALPH_COMMAND names them. The skills' own names, such as ralph-plan, name them too.
const (
	commandTriage    = "triage"
	commandSplit     = "split"
	commandResearch  = "research"
	commandPlan      = "plan"
	commandReview    = "review"
	commandImplement = "impl"
	commandPR        = "pr"
	commandMerge     = "merge"
)

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
		return stateFor(intent, command, lockedBy)
	case IntentComplete:
		return stateFor(intent, command, completedBy)
	}
	if strings.HasPrefix(intent, "__") {
		return "", fmt.Errorf("invalid intent %q: want %s", intent, oneOf(Intents()))
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

// stateFor returns the one state that a table has for a command.
func stateFor(intent, command string, table func(command string) []string) (string, error) {
	states := table(commandName(command))
	switch len(states) {
	case 1:
		return states[0], nil
	case 0:
		return "", fmt.Errorf("invalid RALPH_COMMAND %q for %s: want %s", command, intent, oneOf(commandsWith(table)))
	}
	return "", fmt.Errorf("invalid intent %s for RALPH_COMMAND %q: want %s", intent, command, oneOf(states))
}

// commandName returns the name that we use for a command.
func commandName(command string) string {
	name := strings.TrimPrefix(strings.ReplaceAll(command, "_", "-"), "ralph-")
	if name == "implement" {
		return commandImplement
	}
	return name
}

// commandsWith returns the commands that a table has exactly one state for.
func commandsWith(table func(command string) []string) []string {
	all := []string{
		commandTriage, commandSplit, commandResearch, commandPlan, commandReview, commandImplement, commandPR, commandMerge,
	}
	return slices.DeleteFunc(all, func(command string) bool { return len(table(command)) != 1 })
}

// lockedBy returns the lock state of the work that a command does, where there is one.
func lockedBy(command string) []string {
	switch command {
	case commandResearch:
		return []string{ResearchInProgress}
	case commandPlan:
		return []string{PlanInProgress}
	case commandImplement:
		return []string{InProgress}
	}
	return nil
}

// completedBy returns the states that an item may be in once the work of a command is finished. Triage decides between several.
func completedBy(command string) []string {
	switch command {
	case commandTriage:
		return []string{ResearchNeeded, ReadyForPlan, Done, Canceled}
	case commandSplit:
		return []string{Backlog}
	case commandResearch:
		return []string{ReadyForPlan}
	case commandPlan:
		return []string{PlanInReview}
	case commandReview, commandImplement:
		return []string{InProgress}
	case commandPR:
		return []string{InReview}
	case commandMerge:
		return []string{Done}
	}
	return nil
}
