package pipeline

import (
	"strings"
	"testing"

	"git-ralph/internal/plan"
)

// repeat returns items in one state, with an estimate.
func repeat(n int, state string) []Item {
	return states(strings.TrimSuffix(strings.Repeat(state+", ", n), ", "))
}

func TestSeedFormula(t *testing.T) {
	for _, c := range []struct {
		items             []Item
		streams           int
		analysts, builder int
	}{
		{nil, 0, 1, 1},
		{repeat(1, "Research Needed"), 0, 1, 1},
		{repeat(2, "Research Needed"), 0, 1, 1},
		{repeat(3, "Research Needed"), 0, 2, 1},
		{repeat(5, "Research in Progress"), 0, 2, 1},
		{repeat(6, "Research Needed"), 0, 3, 1},
		{repeat(100, "Research Needed"), 0, 3, 1},
		{repeat(100, "Ready for Plan"), 1, 1, 1},
		{repeat(3, "Ready for Plan"), 2, 1, 2},
		{repeat(3, "Ready for Plan"), 3, 1, 3},
		{repeat(9, "Ready for Plan"), 9, 1, 3},
	} {
		want := Roster{c.analysts, c.builder, 1, 1}
		if got := group(t, c.items).Position(SeedFormula, c.streams).SuggestedRoster; got != want {
			t.Errorf("%d items, %d streams: %+v, want %+v", len(c.items), c.streams, got, want)
		}
	}
}

func TestPhaseFormula(t *testing.T) {
	for _, c := range []struct {
		name              string
		items             []Item
		analysts, builder int
	}{
		{"no items: TRIAGE", nil, 1, 1},
		{"TRIAGE", repeat(9, "Backlog"), 1, 1},
		{"RESEARCH of one", repeat(1, "Research Needed"), 1, 1},
		{"RESEARCH of two", repeat(2, "Research Needed"), 2, 1},
		{"RESEARCH of five", repeat(5, "Research in Progress"), 2, 1},
		{"RESEARCH of six", repeat(6, "Research Needed"), 3, 1},
		{"SPLIT of four", repeat(4, "Research Needed/M"), 2, 1},
		{"SPLIT of five", repeat(5, "Backlog/L"), 1, 2},
		{"SPLIT of nine", repeat(9, "Research Needed/XL"), 3, 2},
		{"PLAN", repeat(9, "Ready for Plan/S"), 0, 1},
		{"REVIEW", repeat(9, "Plan in Progress"), 0, 1},
		{"HUMAN_GATE", repeat(9, "Plan in Review"), 0, 1},
		{"IMPLEMENT", repeat(9, "In Progress"), 0, 1},
		{"TERMINAL", repeat(9, "Done"), 0, 1},
	} {
		want := Roster{c.analysts, c.builder, 1, 1}
		if got := group(t, c.items).Position(PhaseFormula, 9).SuggestedRoster; got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
}

func TestFormulas(t *testing.T) {
	for text, want := range map[string]Formula{"": SeedFormula, "seed": SeedFormula, "phase": PhaseFormula} {
		if got, err := ParseFormula(text); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if _, err := ParseFormula("Seed"); err == nil || err.Error() != `invalid roster formula "Seed": want seed or phase` {
		t.Error(err)
	}
}

// Streams are found once all research is done, and change no roster before.
func TestResearchedOnceNoItemIsBeforeItsPlan(t *testing.T) {
	for state, want := range map[string]bool{
		"none": false, "Backlog": false, "Research Needed": false, "Research in Progress": false,
		"Ready for Plan": true, "Plan in Progress": true, "Plan in Review": true, "In Progress": true,
		"In Review": true, "Done": true, "Canceled": true, "Human Needed": true,
	} {
		if got := group(t, states("Ready for Plan, "+state)).Researched(); got != want {
			t.Errorf("%s: %v, want %v", state, got, want)
		}
	}
}

// The roster of a run is that of the items named, those of an epic included, else that of all that have tasks; without any, it has one
// worker of each role.
func TestRosterOfARun(t *testing.T) {
	p, problems := plan.DecodeBytes([]byte(`{"t": "item", "id": "w-e", "number": 9, "name": "epic", "state": "Backlog", "estimate": "L"}
{"t": "item", "id": "w-a", "name": "a", "state": "Research Needed", "parent": "w-e"}
{"t": "item", "id": "w-b", "name": "b", "state": "Research Needed", "parent": "w-e"}
{"t": "item", "id": "w-c", "name": "c", "state": "Research Needed"}
{"t": "item", "id": "w-d", "name": "d", "state": "Ready for Plan", "files": ["d"]}
{"t": "item", "id": "w-f", "name": "f", "state": "Ready for Plan", "files": ["f"]}
{"t": "item", "id": "w-g", "name": "g", "state": "Ready for Plan", "files": ["f"]}
{"t": "task", "id": "t-w-d-plan", "name": "Plan", "s": "p", "meta": {"issue_number": "w-d", "group_members": ["w-d", "w-f", "w-g"]}}
`))
	if !problems.Readable() {
		t.Fatal(problems)
	}
	for ids, want := range map[string]Roster{
		"":            {1, 2, 1, 1},
		"w-e w-c w-d": {2, 1, 1, 1},
		"w-d":         {1, 1, 1, 1},
	} {
		if got, err := RosterOf(p, strings.Fields(ids), nil, SeedFormula); got != want || err != nil {
			t.Errorf("%q: %+v, %v; want %+v", ids, got, err, want)
		}
	}
	if _, err := RosterOf(p, []string{"w-x"}, nil, SeedFormula); err == nil {
		t.Error("there is no w-x")
	}
	empty, _ := plan.DecodeBytes(nil)
	if got, err := RosterOf(empty, nil, nil, SeedFormula); got != (Roster{1, 1, 1, 1}) || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
