package pipelineoracle

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"git-ralph/internal/pipeline"
)

// TestBothImplementationsAgree compares what the product and this package say about random items, in two orders of everything,
// and makes sure that the draws reach every row of the table and every number of workers. GIT_RALPH_PIPELINE_SETS draws another
// number of sets.
func TestBothImplementationsAgree(t *testing.T) {
	sets, reached := uint64(20_000), map[string]int{}
	if n, err := strconv.ParseUint(os.Getenv("GIT_RALPH_PIPELINE_SETS"), 10, 64); err == nil {
		sets = n
	}
	for seed := range sets {
		r := rand.New(rand.NewPCG(seed, 17))
		items, named := draw(r)
		want := expected(items, named, reached)
		for _, order := range []string{"as drawn", "shuffled"} {
			if got := actual(t, items, named); got != want {
				t.Fatalf("seed %d, %s: %v of %+v:\n%s\nwant\n%s", seed, order, named, items, got, want)
			}
			shuffle(r, items)
			shuffle(r, named)
			for _, i := range items {
				shuffle(r, i.BlockedBy)
				shuffle(r, i.Files)
			}
		}
	}
	var wanted []string
	for row := 1; row <= Rows; row++ {
		wanted = append(wanted, fmt.Sprint("row ", row), fmt.Sprint("row ", row, " of a group"))
	}
	wanted = slices.DeleteFunc(wanted, func(row string) bool { return row == "row 1 of a group" })
	for n := 1; n <= 3; n++ {
		wanted = append(wanted, fmt.Sprint("seed analysts ", n), fmt.Sprint("seed builders ", n), fmt.Sprint("phase analysts ", n))
	}
	wanted = append(wanted, "phase analysts 0", "phase builders 1", "phase builders 2", "cycle")
	for _, want := range wanted {
		if reached[want] < 20 {
			t.Errorf("%s: reached %d times, want at least 20", want, reached[want])
		}
	}
}

func shuffle[T any](r *rand.Rand, values []T) {
	r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
}

// draw draws items, and which of them are named. Items may be blocked by each other, by themselves and by what is not there, and
// so it is with parents. Half of the sets have few states, so that rows that apply to few are reached.
func draw(r *rand.Rand) (items []Item, named []string) {
	states := []string{
		"", "Backlog", "Research Needed", "Research in Progress", "Ready for Plan", "Plan in Progress", "Plan in Review",
		"In Progress", "In Review", "Done", "Canceled", "Human Needed", "Waiting",
	}
	shuffle(r, states)
	states = states[:1+r.IntN(3+10*r.IntN(2))]
	estimates := []string{"", "XS", "S", "M", "L", "XL"}[:3+3*(r.IntN(5)/4)]
	n, numbers, edges := 1+r.IntN(12), r.Perm(100), 1+r.IntN(4)
	id := func() string { return fmt.Sprint("w-", r.IntN(n+n/4+1)) }
	for i := range n {
		it := Item{ID: fmt.Sprint("w-", i), State: states[r.IntN(len(states))], Estimate: estimates[r.IntN(len(estimates))]}
		if r.IntN(4) > 0 {
			it.Number = 1 + numbers[i]
		}
		if r.IntN(5) == 0 {
			it.Parent = id()
		}
		if r.IntN(edges) == 0 {
			it.BlockedBy = append(it.BlockedBy, id())
		}
		for range r.IntN(3) {
			it.Files = append(it.Files, fmt.Sprintf("f%d.go", r.IntN(2*n)))
		}
		items = append(items, it)
	}
	shuffle(r, items)
	for _, it := range items[:[]int{0, 1, 1, r.IntN(n + 1), n, n}[r.IntN(6)]] {
		named = append(named, it.ID)
	}
	return items, named
}

// expected returns what this package says of items, and counts what that reaches.
func expected(items []Item, named []string, reached map[string]int) string {
	all := Read(items)
	group := Group(all, named...)
	p := Find(all, group)
	looked := !slices.ContainsFunc(group, func(i Item) bool {
		return slices.Contains([]string{"", "Backlog", "Research Needed", "Research in Progress"}, i.State)
	})
	seed, phase := SeedRoster(group, looked), PhaseRoster(all, group)
	row := fmt.Sprint("row ", p.Row)
	reaches := []string{
		row, fmt.Sprint("seed analysts ", seed.Analyst), fmt.Sprint("seed builders ", seed.Builder),
		fmt.Sprint("phase analysts ", phase.Analyst), fmt.Sprint("phase builders ", phase.Builder),
	}
	primary := "none"
	if p.IsGroup {
		primary = first(group)
		reaches = append(reaches, row+" of a group", primary)
	}
	for _, what := range reaches {
		reached[what]++
	}
	var lines []string
	for _, i := range group {
		lines = append(lines, fmt.Sprintf("%s %q %q %d", i.Name(), i.State, i.Estimate, len(subItems(all, i.ID))))
	}
	for _, i := range p.Blocking {
		lines = append(lines, fmt.Sprintf("blocked by %s %q", i.Name(), i.State))
	}
	lines = append(lines, fmt.Sprintf(
		"%s %v required=%v met=%v %s group=%v primary=%s",
		p.Phase, p.Remaining, p.Required, p.Met, p.Recommendation, p.IsGroup, primary,
	), fmt.Sprint(seed), fmt.Sprint(phase))
	for _, s := range Streams(group) {
		var names []string
		for _, i := range s.Items {
			names = append(names, i.Name())
		}
		lines = append(lines, fmt.Sprint(s.ID, names, s.Shared, first(s.Items)))
	}
	return strings.Join(lines, "\n")
}

// first returns the name of the first item of a group.
func first(group []Item) string {
	if primary, found := Primary(group); found {
		return primary.Name()
	}
	return waitsForItself
}

// waitsForItself stands for the first of items that all wait for each other. No valid plan has such, so nothing says which one it is.
const waitsForItself = "cycle"

// actual returns what the product says of items, in the same form.
func actual(t *testing.T, items []Item, named []string) string {
	t.Helper()
	product := product{map[string]Item{}}
	var read []pipeline.Item
	for _, i := range items {
		product.byName[i.Name()] = i
		read = append(read, pipeline.Item{
			ID: i.ID, Number: i.Number, State: i.State, Estimate: i.Estimate, Parent: i.Parent, BlockedBy: i.BlockedBy, Files: i.Files,
		})
	}
	g, err := pipeline.NewItems(read).Group(named...)
	if err != nil {
		t.Fatal(err)
	}
	streams, looked := g.Streams(), 0
	if g.Researched() {
		looked = streams.TotalStreams
	}
	if streams.TotalIssues != len(g.Members) || streams.TotalStreams != len(streams.Streams) {
		t.Errorf("%d items in %d streams, want %d and %d", streams.TotalIssues, streams.TotalStreams, len(g.Members), len(streams.Streams))
	}
	p := g.Position(pipeline.SeedFormula, looked)
	lines := append(product.position(p), fmt.Sprint(p.SuggestedRoster), fmt.Sprint(g.Position(pipeline.PhaseFormula, looked).SuggestedRoster))
	return strings.Join(append(lines, product.streams(streams)...), "\n")
}

// A product writes what the product answers.
type product struct{ byName map[string]Item }

func (product) name(ref pipeline.Ref) string { return strings.TrimPrefix(ref.String(), "GH-") }

func (o product) first(ref pipeline.Ref, of []pipeline.Ref) string {
	var group []Item
	for _, one := range of {
		group = append(group, o.byName[o.name(one)])
	}
	if first(group) == waitsForItself {
		return waitsForItself
	}
	return o.name(ref)
}

func (o product) position(p pipeline.Position) []string {
	var lines []string
	var members []pipeline.Ref
	slices.SortFunc(p.Issues, func(a, b pipeline.Issue) int { return a.Number.Compare(b.Number) })
	for _, i := range p.Issues {
		members = append(members, i.Number)
		lines = append(lines, fmt.Sprintf("%s %q %q %d", o.name(i.Number), i.WorkflowState, i.Estimate, i.SubIssueCount))
	}
	c := p.Convergence
	slices.SortFunc(c.Blocking, func(a, b pipeline.Blocking) int { return a.Number.Compare(b.Number) })
	for _, i := range c.Blocking {
		lines = append(lines, fmt.Sprintf("blocked by %s %q", o.name(i.Number), i.State))
	}
	primary := "none"
	if p.GroupPrimary != nil {
		primary = o.first(*p.GroupPrimary, members)
	}
	return append(lines, fmt.Sprintf(
		"%s %v required=%v met=%v %s group=%v primary=%s",
		p.Phase, p.RemainingPhases, c.Required, c.Met, c.Recommendation, p.IsGroup, primary,
	))
}

func (o product) streams(streams pipeline.Streams) []string {
	var lines []string
	for _, s := range streams.Streams {
		var names []string
		for _, ref := range s.Issues {
			names = append(names, o.name(ref))
		}
		lines = append(lines, fmt.Sprint(s.ID, names, s.SharedFiles, o.first(s.PrimaryIssue, s.Issues)))
	}
	return lines
}
