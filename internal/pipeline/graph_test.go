package pipeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// planOf makes a plan of items as parse reads them, the first of them the oldest.
func planOf(t testing.TB, lines ...string) *plan.Plan {
	t.Helper()
	text := ""
	for i, it := range parse(t, lines...) {
		record := object(
			jsonl.Member{Name: "t", Value: `"item"`}, jsonl.Member{Name: "id", Value: jsonl.Quote(it.ID)}, numberOf(it),
			jsonl.Member{Name: "name", Value: jsonl.Quote(it.Title)}, member("state", it.State), member("estimate", it.Estimate), member("parent", it.Parent),
			list("blocked_by", it.BlockedBy), list("files", it.Files), member("created_at", fmt.Sprintf("2026-01-01T00:00:%02d.000Z", i)),
		)
		text += record.Text() + "\n"
	}
	return decode(t, text)
}

func decode(t testing.TB, text string) *plan.Plan {
	t.Helper()
	p, problems := plan.Decode(text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return p
}

func numberOf(it Item) jsonl.Member {
	if it.Number == 0 {
		return jsonl.Member{}
	}
	return number("number", it.Number)
}

func member(name, value string) jsonl.Member { return jsonl.TextMember(name, value) }

func list(name string, values []string) jsonl.Member { return jsonl.ListMember(name, values) }

// tasksIn writes the tasks of a plan, a line each: id, name, role, what it waits for, stream, and whether it is done.
func tasksIn(p *plan.Plan) string {
	var lines []string
	for _, r := range p.Of(plan.KindTask) {
		line := fmt.Sprintf("%s: %s (%s)", r.ID(), r.Name(), r.Text("role"))
		if deps := r.Deps(); len(deps) > 0 {
			slices.Sort(deps)
			line += " <- " + strings.Join(deps, " ")
		}
		if stream := textIn(r.Meta(), metaStream); stream != "" {
			line += " in " + stream
		}
		if r.Done() {
			line += " done"
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func extend(t testing.TB, p *plan.Plan, ids ...string) {
	t.Helper()
	if _, err := Extend(p, ids, nil); err != nil {
		t.Fatal(err)
	}
}

// want compares the tasks of a plan.
func want(t testing.TB, p *plan.Plan, lines ...string) {
	t.Helper()
	slices.Sort(lines)
	if got := tasksIn(p); got != strings.Join(lines, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(lines, "\n"))
	}
}

// tail returns the tasks from a plan to the merge of an item, by its id and its name.
func tail(id, ref, planName, deps, stream string) []string {
	if deps != "" {
		deps = " <- " + deps
	}
	in := ""
	if stream != "" {
		in = " in " + stream
	}
	return []string{
		fmt.Sprintf("t-%s-plan: %s (builder)%s%s", id, planName, deps, in),
		fmt.Sprintf("t-%s-review: Review plan %s (validator) <- t-%s-plan%s", id, ref, id, in),
		fmt.Sprintf("t-%s-implement: Implement %s (builder) <- t-%s-review%s", id, ref, id, in),
		fmt.Sprintf("t-%s-pr: Create PR for %s (integrator) <- t-%s-implement%s", id, ref, id, in),
		fmt.Sprintf("t-%s-merge: Merge PR for %s (integrator) <- t-%s-pr%s", id, ref, id, in),
	}
}

// Everything that remains for an item is there at once, from its state on.
func TestGraphOfOneItem(t *testing.T) {
	chain := tail("w-a", "GH-42", "Plan GH-42", "", "")
	researched := tail("w-a", "GH-42", "Plan GH-42", "t-w-a-research", "")
	first := func(lines []string, from int) []string { // without what the first one waits for
		rest := slices.Clone(lines[from:])
		rest[0], _, _ = strings.Cut(rest[0], " <- ")
		return rest
	}
	for state, lines := range map[string][]string{
		"":                            {"t-w-a-triage: Triage GH-42 (analyst)"},
		Backlog:                       {"t-w-a-triage: Triage GH-42 (analyst)"},
		ResearchNeeded:                append(researched, "t-w-a-research: Research GH-42 (analyst)"),
		ResearchInProgress:            append(researched, "t-w-a-research: Research GH-42 (analyst)"),
		ReadyForPlan:                  chain,
		PlanInProgress:                chain,
		PlanInReview:                  first(chain, 1),
		InProgress:                    first(chain, 2),
		InReview:                      first(chain, 4),
		Done:                          nil,
		Canceled:                      nil,
		HumanNeeded:                   nil, // nobody knows what for
		"In Review estimate=L":        first(chain, 4),
		"Ready for Plan estimate=M":   {"t-w-a-split: Split GH-42 (analyst)"},
		"Backlog estimate=XL":         {"t-w-a-split: Split GH-42 (analyst)"},
		"Plan in Progress estimate=L": chain,
	} {
		t.Run(state, func(t *testing.T) {
			p := planOf(t, "w-a #42 state="+state)
			extend(t, p, "w-a")
			want(t, p, lines...)
		})
	}
}

// While a person is needed, what remains is what remained before.
func TestGraphOfAnItemThatAPersonIsNeededFor(t *testing.T) {
	p := planOf(t, "w-a state=Plan in Review")
	if _, err := Move(p, "w-a", HumanNeeded, "which one?", time.Time{}, nil); err != nil {
		t.Fatal(err)
	}
	extend(t, p, "w-a")
	want(t, p,
		"t-w-a-review: Review plan w-a (validator)",
		"t-w-a-implement: Implement w-a (builder) <- t-w-a-review",
		"t-w-a-pr: Create PR for w-a (integrator) <- t-w-a-implement",
		"t-w-a-merge: Merge PR for w-a (integrator) <- t-w-a-pr",
	)
	for _, r := range p.Of(plan.KindTask) {
		if r.ID() == "t-w-a-review" && strings.Join(p.BlockedBy(r), " ") != "w-a" {
			t.Errorf("the review waits for %v, want the item", p.BlockedBy(r))
		}
	}
}

// Each item of a group is researched by itself; one plan waits for all of that.
func TestGraphOfAGroup(t *testing.T) {
	p := planOf(t, "w-a #44 state=Research Needed", "w-b #42 state=Research Needed", "w-c #43 state=Ready for Plan", "w-d #7 state=Done")
	extend(t, p, "w-a", "w-b", "w-c", "w-d")
	want(t, p, append(tail("w-b", "GH-42", "Plan group GH-42", "t-w-a-research t-w-b-research", ""),
		"t-w-a-research: Research GH-44 (analyst)", "t-w-b-research: Research GH-42 (analyst)")...)
	r, _ := p.Task("t-w-b-implement")
	if got := r.Meta().Text(); got != `{"issue_number": 42, "group_primary": 42, "group_members": [42, 43, 44], "phase": "implement"}` {
		t.Errorf("meta %s", got)
	}
	r, _ = p.Task("t-w-a-research")
	if got := r.Meta().Text(); got != `{"issue_number": 44, "group_primary": 42, "group_members": [42, 43, 44], "phase": "research"}` {
		t.Errorf("meta %s", got)
	}
	if got := r.CreatedAt(); got != "2026-01-01T00:00:00.000Z" {
		t.Errorf("created at %s, want the item's time", got)
	}
}

// Items without a number go by their ids, also in "meta"; what is known of their work is passed on.
func TestGraphOfItemsWithoutANumber(t *testing.T) {
	p := planOf(t, "w-b state=Ready for Plan", "w-a state=Ready for Plan blocked=w-b")
	if _, err := p.EditItem("w-a", []jsonl.Member{{Name: "artifacts", Value: `{"research": "thoughts/a.md"}`}}, nil); err != nil {
		t.Fatal(err)
	}
	extend(t, p, "w-b", "w-a")
	want(t, p, tail("w-b", "w-b", "Plan group w-b", "", "")...)
	r, _ := p.Task("t-w-b-plan")
	if got := r.Meta().Text(); got != `{"issue_number": "w-b", "group_primary": "w-b", "group_members": ["w-a", "w-b"], "phase": "plan", "artifacts": ["thoughts/a.md"]}` {
		t.Errorf("meta %s", got)
	}
}

// An epic is left out: its sub-items are worked on.
func TestGraphOfAnEpic(t *testing.T) {
	p := planOf(t, "w-e #1 estimate=XL", "w-a #2 parent=w-e state=In Review", "w-b #3 parent=w-e state=In Progress")
	extend(t, p, "w-e")
	want(t, p,
		"t-w-a-merge: Merge PR for GH-2 (integrator)",
		"t-w-b-implement: Implement GH-3 (builder)",
		"t-w-b-pr: Create PR for GH-3 (integrator) <- t-w-b-implement",
		"t-w-b-merge: Merge PR for GH-3 (integrator) <- t-w-b-pr",
	)
}

// Members that are further along than others have their own tasks; those of one state share them.
func TestGraphOfAGroupWithDifferentStates(t *testing.T) {
	p := planOf(t, "w-a #1 state=In Progress", "w-b #2 state=Research Needed", "w-c #3 state=In Progress", "w-d #4 state=Backlog")
	extend(t, p, "w-a", "w-b", "w-c", "w-d")
	want(t, p, append(tail("w-b", "GH-2", "Plan group GH-2", "t-w-b-research t-w-d-triage", ""),
		"t-w-b-research: Research GH-2 (analyst)", "t-w-d-triage: Triage GH-4 (analyst)",
		"t-w-a-implement: Implement GH-1 (builder)",
		"t-w-a-pr: Create PR for GH-1 (integrator) <- t-w-a-implement",
		"t-w-a-merge: Merge PR for GH-1 (integrator) <- t-w-a-pr")...)
}

// Streams that are known when the graph is made have a chain each.
func TestGraphOfAGroupThatIsResearched(t *testing.T) {
	p := planOf(t, "w-a #1 state=Ready for Plan files=a", "w-b #2 state=Ready for Plan files=b", "w-c #3 state=Ready for Plan files=a")
	extend(t, p, "w-c", "w-b", "w-a")
	lines := append(tail("w-a", "GH-1", "Plan group GH-1", "", "stream-1-3"), tail("w-b", "GH-2", "Plan GH-2", "", "stream-2")...)
	want(t, p, lines...)
}

// A second group takes over nothing of a first one.
func TestGraphsOfOverlappingGroups(t *testing.T) {
	p := planOf(t, "w-a #1 state=Ready for Plan", "w-b #2 state=Ready for Plan", "w-c #3 state=Research Needed")
	extend(t, p, "w-a", "w-b")
	first := tail("w-a", "GH-1", "Plan group GH-1", "", "")
	want(t, p, first...)
	extend(t, p, "w-b", "w-c")
	want(t, p, append(append(first, tail("w-c", "GH-3", "Plan GH-3", "t-w-c-research", "")...), "t-w-c-research: Research GH-3 (analyst)")...)
}

// Running it again adds what is missing, and only that.
func TestGraphIsContinued(t *testing.T) {
	all := append(tail("w-a", "GH-1", "Plan GH-1", "t-w-a-research", ""), "t-w-a-research: Research GH-1 (analyst)")
	for _, cancelled := range []string{"research", "plan", "review", "implement", "pr", "merge"} {
		p := planOf(t, "w-a #1 state=Research Needed")
		extend(t, p, "w-a")
		if _, err := p.Cancel([]string{"t-w-a-" + cancelled}, plan.CancelDetach); err != nil {
			t.Fatal(err)
		}
		extend(t, p, "w-a")
		want(t, p, all...)
	}
}

// What is accepted has left the plan, and is not missing.
func TestGraphDoesNotRepeatAcceptedTasks(t *testing.T) {
	p := planOf(t, "w-a #1 state=In Progress")
	extend(t, p, "w-a")
	finish(t, p, Result{}, "t-w-a-implement")
	if _, err := p.Accept([]string{"t-w-a-implement"}); err != nil {
		t.Fatal(err)
	}
	before := tasksIn(p)
	extend(t, p, "w-a")
	want(t, p, strings.Split(before, "\n")...)
}

// An item that goes back is worked on in another round, whose tasks have other ids.
func TestGraphOfALaterRound(t *testing.T) {
	p := planOf(t, "w-a #1 state=In Progress")
	extend(t, p, "w-a")
	finish(t, p, Result{}, "t-w-a-implement")
	finish(t, p, Result{}, "t-w-a-pr")
	if _, err := p.Accept([]string{"t-w-a-implement"}); err != nil {
		t.Fatal(err)
	}
	if _, err := Move(p, "w-a", InProgress, "the reviewer wants another way", time.Time{}, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		extend(t, p, "w-a")
		want(t, p,
			"t-w-a-implement-2: Implement GH-1 (builder)",
			"t-w-a-pr: Create PR for GH-1 (integrator) <- t-w-a-implement done",
			"t-w-a-pr-2: Create PR for GH-1 (integrator) <- t-w-a-implement-2",
			"t-w-a-merge: Merge PR for GH-1 (integrator) <- t-w-a-pr-2",
		)
	}
}

// Random groups: twice is once, the order of ids changes nothing, and a graph that lost any of its tasks is completed.
func TestGraphProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 4))
	for range 400 {
		items := randomPlan(r)
		ids := make([]string, len(items))
		for i, line := range items {
			ids[i], _, _ = strings.Cut(line, " ")
		}
		p, other := planOf(t, items...), planOf(t, items...)
		extend(t, p, ids...)
		once := string(p.Encode())
		extend(t, p, ids...)
		if again := string(p.Encode()); again != once {
			t.Fatalf("%q: twice is not once:\n%s\n%s", items, once, again)
		}
		shuffle(r, ids)
		extend(t, other, ids...)
		if got := string(other.Encode()); got != once {
			t.Fatalf("%q: the order of ids matters:\n%s\n%s", items, once, got)
		}
		checkGraph(t, p)
		if lost := p.Of(plan.KindTask); len(lost) > 0 {
			if _, err := p.Cancel([]string{lost[r.IntN(len(lost))].ID()}, plan.CancelDetach); err != nil {
				t.Fatal(err)
			}
			extend(t, p, ids...)
			want(t, p, strings.Split(tasksIn(other), "\n")...)
		}
	}
}

// randomPlan returns lines of items, none of them epics.
func randomPlan(r *rand.Rand) []string {
	var lines []string
	for i := range 1 + r.IntN(6) {
		line := fmt.Sprintf("w-%c", 'a'+i)
		if r.IntN(3) > 0 {
			line += fmt.Sprintf(" #%d", 10-i)
		}
		states := plan.ItemStates()
		line += " state=" + states[r.IntN(len(states))]
		if r.IntN(4) == 0 {
			line += " estimate=" + plan.Estimates()[r.IntN(5)]
		}
		if r.IntN(2) == 0 {
			line += fmt.Sprintf(" files=f%d", r.IntN(4))
		}
		if i > 0 && r.IntN(4) == 0 {
			line += fmt.Sprintf(" blocked=w-%c", 'a'+r.IntN(i))
		}
		lines = append(lines, line)
	}
	return lines
}

// checkGraph checks what is true of every graph: it can be finished, and each open item is in exactly one chain, or waits for one.
func checkGraph(t *testing.T, p *plan.Plan) {
	t.Helper()
	for range p.Cycles(plan.KindTask) {
		t.Fatalf("tasks wait for each other:\n%s", tasksIn(p))
	}
	b := newBuilder(p, nil)
	chains := map[string]int{}
	for _, c := range b.chains() {
		for _, it := range c.members {
			chains[it.ID]++
		}
	}
	for _, it := range b.items.all {
		step := b.items.firstStep(it)
		if n := chains[it.ID]; n > 1 || step != "" && b.isTriaged(it) && n == 0 {
			t.Errorf("%s, %q, is in %d chains:\n%s", it.ID, it.State, n, tasksIn(p))
		}
	}
}

func shuffle(r *rand.Rand, values []string) {
	r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
}
