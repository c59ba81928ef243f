package pipeline

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// This file computes groups, positions and rosters a second time, from the rules alone: by counting states in a text, where
// the package has predicates on items, and by a matrix of relations, where it walks along them.

// modelOf is the position that the rules give, as JSON without a reason. The order of items is that of their numbers.
func modelOf(items []Item, ids []string, formula string, streams int) string {
	members := modelGroup(items, ids)
	phase, required, blocking := modelPhase(members)
	met := blocking == ""
	recommendation := "wait"
	if met {
		recommendation = "proceed"
	} else if blocking == "H" {
		recommendation = "escalate"
	}
	var issues, blocked []string
	for _, it := range members {
		issues = append(issues, fmt.Sprintf(`{"number":%s,"title":%q,"workflowState":%s,"estimate":%s,"subIssueCount":0}`,
			modelNumber(it), it.Title, modelText(it.State), modelText(it.Estimate)))
		if strings.Contains(blocking, modelLetter(it.State)) {
			blocked = append(blocked, fmt.Sprintf(`{"number":%s,"state":%s}`, modelNumber(it), modelText(it.State)))
		}
	}
	several, primary := len(members) >= 2, "null"
	if several {
		primary = modelPrimary(members)
	}
	return fmt.Sprintf(`{"phase":%q,"reason":"","remainingPhases":%s,"issues":[%s],`+
		`"convergence":{"required":%v,"met":%v,"blocking":[%s],"recommendation":%q},`+
		`"isGroup":%v,"groupPrimary":%s,"suggestedRoster":%s}`,
		phase, modelRemaining(phase), strings.Join(issues, ","), required && several, met, strings.Join(blocked, ","), recommendation,
		several, primary, modelRoster(members, phase, formula, streams))
}

// modelLetters has a letter for each state: one without a state, Backlog, Research Needed, Research in Progress, Ready for
// Plan, Plan in Progress, Plan in Review, In Progress, In Review, Done, Canceled, Human Needed.
const modelLetters = "0BrRfpvPVDCH"

func modelLetter(state string) string {
	names := "|Backlog|Research Needed|Research in Progress|Ready for Plan|Plan in Progress|Plan in Review|In Progress|In Review|Done|Canceled|Human Needed"
	for i, name := range strings.Split(names, "|") {
		if name == state {
			return modelLetters[i : i+1]
		}
	}
	return "?"
}

// modelPhase returns the phase, whether a group has to converge in it, and the letters of the states that block.
func modelPhase(members []Item) (string, bool, string) {
	count, n, oversized := map[rune]int{}, len(members), 0
	for _, it := range members {
		count[rune(modelLetter(it.State)[0])]++
		if it.Estimate != "" && strings.HasSuffix("XL", it.Estimate) || it.Estimate == "M" {
			oversized++
		}
	}
	sum := func(letters string) (total int) {
		for _, l := range letters {
			total += count[l]
		}
		return total
	}
	if n == 0 || oversized > 0 || sum("0") > 0 {
		return map[bool]string{true: "SPLIT", false: "TRIAGE"}[oversized > 0], false, ""
	}
	if sum("rR") > 0 {
		return "RESEARCH", true, "rR"
	}
	if sum("f") == n {
		return "PLAN", true, ""
	}
	if sum("p") > 0 || sum("v") > 0 && sum("v") < n {
		return "REVIEW", false, ""
	}
	if sum("v") == n {
		return "HUMAN_GATE", false, ""
	}
	if sum("P") > 0 {
		return "IMPLEMENT", false, ""
	}
	if sum("H") > 0 {
		return "TERMINAL", false, "H"
	}
	if sum("VDC") == n {
		return "TERMINAL", false, ""
	}
	if sum("B") == 0 && sum("f") > 0 {
		return "PLAN", true, "?VDC"
	}
	return "TRIAGE", false, ""
}

func modelRemaining(phase string) string {
	all := `["split","triage","research","plan","review","implement","pr"]`
	at := strings.Index(all, `"`+strings.ToLower(phase)+`"`)
	if at < 0 {
		return "[]"
	}
	return "[" + all[at:]
}

func modelRoster(members []Item, phase, formula string, streams int) string {
	research, large := 0, 0
	for _, it := range members {
		research += strings.Count(it.State, "Research")
		large += len(strings.TrimLeft(it.Estimate, "XS")) // M, L and the L of XL
	}
	analysts := []int{1, 1, 1, 2, 2, 2, 3}[min(research, 6)]
	builders := []int{1, 1, 2, 3}[min(streams, 3)]
	if formula == "phase" {
		analysts = 0
		if slices.Contains([]string{"SPLIT", "TRIAGE", "RESEARCH"}, phase) {
			analysts = []int{1, 1, 2, 2, 2, 2, 3}[min(research, 6)]
		}
		builders = []int{1, 1, 1, 1, 1, 2}[min(large, 5)]
	}
	return fmt.Sprintf(`{"analyst":%d,"builder":%d,"validator":1,"integrator":1}`, analysts, builders)
}

// modelGroup returns the members of a group, in the order of their numbers.
func modelGroup(items []Item, ids []string) []Item {
	at := map[string]int{}
	parents := map[string]bool{}
	for i, it := range items {
		at[it.ID] = i
		parents[it.Parent] = true
	}
	chosen := make([]bool, len(items))
	for _, id := range ids {
		chosen[at[id]] = true
	}
	if len(ids) == 1 {
		modelJoin(items, ids[0], parents, chosen)
	}
	var members []Item
	for i, it := range items {
		if chosen[i] && !parents[it.ID] {
			members = append(members, it)
		}
	}
	sort.Slice(members, func(i, j int) bool { return modelKey(members[i]) < modelKey(members[j]) })
	return members
}

// modelJoin chooses all that belongs to one item, until nothing is added any more.
func modelJoin(items []Item, id string, parents map[string]bool, chosen []bool) {
	epic := parents[id]
	one := items[slices.IndexFunc(items, func(it Item) bool { return it.ID == id })]
	for i, it := range items {
		if !epic && it.Parent != "" && it.Parent == one.Parent {
			chosen[i] = true
		}
		for above := it.Parent; epic && above != ""; {
			if above == id && !slices.ContainsFunc(items, func(sub Item) bool { return sub.Parent == it.ID }) {
				chosen[i] = true
			}
			above = items[slices.IndexFunc(items, func(p Item) bool { return p.ID == above })].Parent
		}
	}
	for range items {
		for i, a := range items {
			for j, b := range items {
				if slices.Contains(a.BlockedBy, b.ID) && (chosen[i] || chosen[j]) && !parents[a.ID] && !parents[b.ID] {
					chosen[i], chosen[j] = true, true
				}
			}
		}
	}
}

// modelPrimary returns the first of the members, which are in the order of their numbers, that waits for no other.
func modelPrimary(members []Item) string {
	for _, a := range members {
		if !slices.ContainsFunc(members, func(b Item) bool { return slices.Contains(a.BlockedBy, b.ID) }) {
			return modelNumber(a)
		}
	}
	return "a cycle"
}

func modelNumber(it Item) string {
	if it.Number == 0 {
		return strconv.Quote(it.ID)
	}
	return strconv.Itoa(it.Number)
}

// modelKey is a text that sorts as items do.
func modelKey(it Item) string {
	if it.Number == 0 {
		return "z" + it.ID
	}
	return fmt.Sprintf("%09d", it.Number)
}

func modelText(text string) string {
	if text == "" {
		return "null"
	}
	return strconv.Quote(text)
}

// positionOf returns the position as the package computes it, in the form of the model.
func positionOf(t *testing.T, items []Item, ids []string, formula string, streams int) string {
	t.Helper()
	g, err := NewItems(items).Group(ids...)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Position(Formula(formula), streams)
	p.Reason = ""
	slices.SortFunc(p.Issues, func(a, b Issue) int { return a.Number.Compare(b.Number) })
	slices.SortFunc(p.Convergence.Blocking, func(a, b Blocking) int { return a.Number.Compare(b.Number) })
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPositionAgreesWithTheModel compares both implementations, and makes sure that the sets drawn reach every outcome.
func TestPositionAgreesWithTheModel(t *testing.T) {
	reached := map[string]int{}
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 4))
		items := randomItems(r, 1+r.IntN(14))
		named := []int{0, 1, r.IntN(len(items) + 1), len(items)}[r.IntN(4)]
		var ids []string
		for _, it := range items[:named] {
			ids = append(ids, it.ID)
		}
		formula, streams := []string{"seed", "phase"}[r.IntN(2)], r.IntN(6)
		got, want := positionOf(t, items, ids, formula, streams), modelOf(items, ids, formula, streams)
		if got != want {
			t.Fatalf("seed %d: %v of %+v:\n%s\nwant\n%s", seed, ids, items, got, want)
		}
		reached[outcome(t, got)]++
		_, roster, _ := strings.Cut(got, "suggestedRoster")
		reached[formula+roster]++
	}
	for _, want := range everyOutcome {
		if reached[want] < 5 {
			t.Errorf("%s: reached %d times, want at least 5", want, reached[want])
		}
		delete(reached, want)
	}
	if len(reached) > 0 {
		t.Errorf("outcomes that no rule has: %v", reached)
	}
}

// outcome is the phase and the convergence of a position.
func outcome(t *testing.T, position string) string {
	t.Helper()
	var p struct {
		Phase       string
		Convergence struct {
			Required, Met  bool
			Recommendation string
		}
	}
	if err := json.Unmarshal([]byte(position), &p); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %v %v %s", p.Phase, p.Convergence.Required, p.Convergence.Met, p.Convergence.Recommendation)
}

// everyOutcome lists what the rules can lead to: phase, required, met and recommendation, and each roster by each formula.
var everyOutcome = []string{
	"SPLIT false true proceed", "TRIAGE false true proceed", "RESEARCH false false wait", "RESEARCH true false wait",
	"PLAN false true proceed", "PLAN true true proceed", "PLAN true false wait", "REVIEW false true proceed",
	"HUMAN_GATE false true proceed", "IMPLEMENT false true proceed", "TERMINAL false true proceed", "TERMINAL false false escalate",
	`seed":{"analyst":1,"builder":1,"validator":1,"integrator":1}}`, `seed":{"analyst":1,"builder":2,"validator":1,"integrator":1}}`,
	`seed":{"analyst":1,"builder":3,"validator":1,"integrator":1}}`, `seed":{"analyst":2,"builder":1,"validator":1,"integrator":1}}`,
	`seed":{"analyst":2,"builder":2,"validator":1,"integrator":1}}`, `seed":{"analyst":2,"builder":3,"validator":1,"integrator":1}}`,
	`seed":{"analyst":3,"builder":1,"validator":1,"integrator":1}}`, `seed":{"analyst":3,"builder":2,"validator":1,"integrator":1}}`,
	`seed":{"analyst":3,"builder":3,"validator":1,"integrator":1}}`,
	`phase":{"analyst":0,"builder":1,"validator":1,"integrator":1}}`, `phase":{"analyst":1,"builder":1,"validator":1,"integrator":1}}`,
	`phase":{"analyst":2,"builder":1,"validator":1,"integrator":1}}`, `phase":{"analyst":3,"builder":1,"validator":1,"integrator":1}}`,
	`phase":{"analyst":1,"builder":2,"validator":1,"integrator":1}}`, `phase":{"analyst":2,"builder":2,"validator":1,"integrator":1}}`,
	`phase":{"analyst":3,"builder":2,"validator":1,"integrator":1}}`,
}
