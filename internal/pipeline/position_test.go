package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// states returns items #1, #2 and so on, in the states between the commas. A state may be followed by an estimate: "Backlog/M".
func states(list string) []Item {
	var items []Item
	for i, text := range strings.Split(list, ", ") {
		if list == "" {
			break
		}
		state, estimate, _ := strings.Cut(text, "/")
		if state == "none" {
			state = ""
		}
		items = append(items, Item{ID: fmt.Sprint("w-", i+1), Number: i + 1, State: state, Estimate: estimate})
	}
	return items
}

// Each row is a line of the rules, or two that apply at once, of which the first decides.
func TestPhaseOfAGroup(t *testing.T) {
	for _, c := range []struct {
		states string
		want   string // the phase, whether convergence is required and met, and the numbers that block
	}{
		{"", "TRIAGE not required, met, proceed"},

		{"Backlog/M", "SPLIT not required, met, proceed"},
		{"Research Needed/L", "SPLIT not required, met, proceed"},
		{"none/XL", "SPLIT not required, met, proceed"},
		{"Done/XS, In Progress/L, Human Needed", "SPLIT not required, met, proceed"},

		{"none", "TRIAGE not required, met, proceed"},
		{"none/S, Research Needed/XS", "TRIAGE not required, met, proceed"},
		{"Human Needed, none", "TRIAGE not required, met, proceed"},

		{"Research Needed", "RESEARCH not required, not met by 1, wait"},
		{"Research in Progress/S", "RESEARCH not required, not met by 1, wait"},
		{"Research in Progress, Ready for Plan, Research Needed", "RESEARCH required, not met by 1 3, wait"},
		{"Plan in Progress, Research Needed", "RESEARCH required, not met by 2, wait"},
		{"Human Needed, Research Needed", "RESEARCH required, not met by 2, wait"},

		{"Ready for Plan", "PLAN not required, met, proceed"},
		{"Ready for Plan, Ready for Plan", "PLAN required, met, proceed"},

		{"Plan in Progress", "REVIEW not required, met, proceed"},
		{"Plan in Progress, Ready for Plan, Human Needed", "REVIEW not required, met, proceed"},

		{"Plan in Review", "HUMAN_GATE not required, met, proceed"},
		{"Plan in Review, Plan in Review", "HUMAN_GATE not required, met, proceed"},
		{"Plan in Review, In Progress", "REVIEW not required, met, proceed"},
		{"Plan in Review, Plan in Progress", "REVIEW not required, met, proceed"},

		{"In Progress", "IMPLEMENT not required, met, proceed"},
		{"In Progress, In Review, Human Needed, Backlog", "IMPLEMENT not required, met, proceed"},

		{"In Review", "TERMINAL not required, met, proceed"},
		{"Done", "TERMINAL not required, met, proceed"},
		{"Canceled", "TERMINAL not required, met, proceed"},
		{"In Review, Done, Canceled", "TERMINAL not required, met, proceed"},

		{"Human Needed", "TERMINAL not required, not met by 1, escalate"},
		{"Backlog, Human Needed, Ready for Plan, Human Needed", "TERMINAL not required, not met by 2 4, escalate"},

		{"Backlog", "TRIAGE not required, met, proceed"},
		{"Done, Backlog, Ready for Plan", "TRIAGE not required, met, proceed"},

		{"Ready for Plan, Done", "PLAN required, not met by 2, wait"},
		{"In Review, Ready for Plan, Canceled, Ready for Plan", "PLAN required, not met by 1 3, wait"},

		{"Waiting", "TRIAGE not required, met, proceed"},
		{"Waiting, Done", "TRIAGE not required, met, proceed"},
	} {
		if got := describe(group(t, states(c.states)).Position(SeedFormula, 0)); got != c.want {
			t.Errorf("%q: %s, want %s", c.states, got, c.want)
		}
	}
}

// describe writes the phase and the convergence of a position as one line.
func describe(p Position) string {
	required := map[bool]string{true: "required", false: "not required"}[p.Convergence.Required]
	met := "met"
	if !p.Convergence.Met {
		met = "not met by"
	}
	for _, b := range p.Convergence.Blocking {
		met += fmt.Sprint(" ", b.Number.Number)
	}
	return fmt.Sprintf("%s %s, %s, %s", p.Phase, required, met, p.Convergence.Recommendation)
}

// An item with sub-items is too large on purpose: they are what is worked on.
func TestAnEpicIsNotSplit(t *testing.T) {
	items := parse(t, "w-epic #1 estimate=L", "w-a #2 parent=w-epic state=Ready for Plan estimate=S")
	for _, ids := range [][]string{{"w-epic"}, {"w-a"}, {"w-epic", "w-a"}} {
		if p := group(t, items, ids...).Position(SeedFormula, 0); p.Phase != Plan || p.IsGroup {
			t.Errorf("%v: %s, group %v; want PLAN of one", ids, p.Phase, p.IsGroup)
		}
	}
}

func TestRemainingPhases(t *testing.T) {
	for phase, want := range map[Phase]string{
		Split:     "split triage research plan review implement pr",
		Triage:    "triage research plan review implement pr",
		Research:  "research plan review implement pr",
		Plan:      "plan review implement pr",
		Review:    "review implement pr",
		Implement: "implement pr",
		HumanGate: "",
		Terminal:  "",
	} {
		if got := strings.Join(phase.Remaining(), " "); got != want {
			t.Errorf("%s: %s, want %s", phase, got, want)
		}
	}
}

func TestReasonNamesTheItemsThatDecide(t *testing.T) {
	many := strings.Repeat("Research Needed, ", 7) + "Done"
	for _, c := range []struct{ states, want string }{
		{"", "there are no items"},
		{"In Progress", "GH-1 is being implemented"},
		{"Ready for Plan, Ready for Plan", "all 2 items are ready for a plan"},
		{"Done, Backlog", "1 of 2 items is in the backlog: GH-2"},
		{many, "7 of 8 items are still to be researched: GH-1, GH-2, GH-3, GH-4, GH-5, 2 more"},
	} {
		if got := group(t, states(c.states)).Position(SeedFormula, 0).Reason; got != c.want {
			t.Errorf("%q: %s, want %s", c.states, got, c.want)
		}
	}
}

func TestPositionAsJSON(t *testing.T) {
	items := parse(
		t,
		"w-a #42 state=Research Needed estimate=S",
		"w-b state=Human Needed blocked=w-a",
	)
	for _, c := range []struct {
		ids  []string
		want string
	}{
		{[]string{"w-a"}, `{
			"phase": "RESEARCH", "reason": "1 of 2 items is still to be researched: GH-42",
			"remainingPhases": ["research", "plan", "review", "implement", "pr"],
			"issues": [
				{"number": 42, "title": "Title of w-a", "workflowState": "Research Needed", "estimate": "S", "subIssueCount": 0},
				{"number": "w-b", "title": "Title of w-b", "workflowState": "Human Needed", "estimate": null, "subIssueCount": 0}
			],
			"convergence": {"required": true, "met": false, "blocking": [{"number": 42, "state": "Research Needed"}], "recommendation": "wait"},
			"isGroup": true, "groupPrimary": 42,
			"suggestedRoster": {"analyst": 1, "builder": 1, "validator": 1, "integrator": 1}
		}`},
		{nil, `{
			"phase": "TRIAGE", "reason": "there are no items",
			"remainingPhases": ["triage", "research", "plan", "review", "implement", "pr"],
			"issues": [],
			"convergence": {"required": false, "met": true, "blocking": [], "recommendation": "proceed"},
			"isGroup": false, "groupPrimary": null,
			"suggestedRoster": {"analyst": 1, "builder": 1, "validator": 1, "integrator": 1}
		}`},
	} {
		g, err := NewItems(items).Group(c.ids...)
		if err != nil {
			t.Fatal(err)
		}
		compareJSON(t, g.Position(SeedFormula, 0), c.want)
	}
}

// compareJSON compares a value, as it is written, with JSON text in which only spaces differ: the order of names counts.
func compareJSON(t *testing.T, value any, want string) {
	t.Helper()
	got, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	words := func(text string) []string {
		return strings.Fields(strings.NewReplacer("{", " { ", "}", " } ", "[", " [ ", "]", " ] ", ":", ": ", ",", " , ").Replace(text))
	}
	if !slices.Equal(words(string(got)), words(want)) {
		t.Errorf("JSON:\n%s\nwant:\n%s", got, want)
	}
}
