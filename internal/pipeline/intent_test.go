package pipeline

import (
	"strings"
	"testing"
)

func TestIntentsByCommand(t *testing.T) {
	for _, c := range []struct{ intent, command, want string }{
		{"__LOCK__", "research", "Research in Progress"},
		{"__LOCK__", "plan", "Plan in Progress"},
		{"__LOCK__", "impl", "In Progress"},
		{"__LOCK__", "ralph-research", "Research in Progress"},
		{"__LOCK__", "ralph_plan", "Plan in Progress"},
		{"__LOCK__", "implement", "In Progress"},
		{"__COMPLETE__", "split", "Backlog"},
		{"__COMPLETE__", "research", "Ready for Plan"},
		{"__COMPLETE__", "plan", "Plan in Review"},
		{"__COMPLETE__", "review", "In Progress"},
		{"__COMPLETE__", "impl", "In Progress"},
		{"__COMPLETE__", "pr", "In Review"},
		{"__COMPLETE__", "merge", "Done"},
		{"__CLOSE__", "", "Done"},
		{"__CLOSE__", "triage", "Done"},
		{"__CANCEL__", "", "Canceled"},
		{"__ESCALATE__", "", "Human Needed"},
		{"__ESCALATE__", "plan", "Human Needed"},
		{"In Review", "", "In Review"},
	} {
		got, err := ResolveIntent(c.intent, c.command, "the reason")
		if err != nil || got != c.want {
			t.Errorf("%s by %q: %q, %v; want %q", c.intent, c.command, got, err, c.want)
		}
	}
}

func TestIntentsWithoutAMeaningAreRefused(t *testing.T) {
	for _, c := range []struct{ intent, command, reason, want string }{
		{"__LOCK__", "", "", `invalid RALPH_COMMAND "" for __LOCK__: want research, plan or impl`},
		{"__LOCK__", "review", "", `invalid RALPH_COMMAND "review" for __LOCK__: want research, plan or impl`},
		{"__COMPLETE__", "team", "", `invalid RALPH_COMMAND "team" for __COMPLETE__: want split, research, plan, review, impl, pr or merge`},
		{"__COMPLETE__", "ralph-triage", "", `invalid intent __COMPLETE__ for RALPH_COMMAND "ralph-triage": want Research Needed, Ready for Plan, Done or Canceled`},
		{"__ESCALATE__", "plan", " ", `invalid reason " " for __ESCALATE__: want why a person is needed`},
		{"__UNLOCK__", "plan", "", `invalid intent "__UNLOCK__": want __LOCK__, __COMPLETE__, __ESCALATE__, __CLOSE__ or __CANCEL__`},
	} {
		got, err := ResolveIntent(c.intent, c.command, c.reason)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s by %q: %q, %v; want the error %s", c.intent, c.command, got, err, c.want)
		}
	}
}

// What a command locks, and what it completes, are moves of the pipeline: from a state that the command is for, through its
// lock, to the state in which it leaves the item.
func TestWhatACommandDoesIsAllowed(t *testing.T) {
	for _, c := range []struct{ command, path string }{
		{"triage", "Backlog → Research Needed"},
		{"research", "Research Needed → Research in Progress → Ready for Plan"},
		{"plan", "Ready for Plan → Plan in Progress → Plan in Review"},
		{"review", "Plan in Review → In Progress"},
		{"pr", "In Progress → In Review"},
		{"merge", "In Review → Done"},
	} {
		path := strings.Split(c.path, " → ")
		for i := range path[1:] {
			if err := CheckMove(path[i], path[i+1]); err != nil {
				t.Errorf("%s: %v", c.command, err)
			}
		}
		if lock, err := ResolveIntent(IntentLock, c.command, ""); err == nil && lock != path[1] {
			t.Errorf("%s locks %s, want %s", c.command, lock, path[1])
		}
		if end, err := ResolveIntent(IntentComplete, c.command, ""); err == nil && end != path[len(path)-1] {
			t.Errorf("%s completes %s, want %s", c.command, end, path[len(path)-1])
		}
	}
}
