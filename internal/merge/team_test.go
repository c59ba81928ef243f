package merge_test

import (
	"flag"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/plan"
)

// A commit is a plan in a history that a test simulates.
type commit struct {
	data    []byte
	parents []*commit
	depth   int // longer than that of each parent
}

func (c *commit) ancestors(seen map[*commit]bool) map[*commit]bool {
	if !seen[c] {
		seen[c] = true
		for _, p := range c.parents {
			p.ancestors(seen)
		}
	}
	return seen
}

// mergeBases returns the best ancestors that two commits share, as git does.
func mergeBases(a, b *commit) []*commit {
	ofA, ofB := a.ancestors(map[*commit]bool{}), b.ancestors(map[*commit]bool{})
	var shared []*commit
	for c := range ofA {
		if ofB[c] {
			shared = append(shared, c)
		}
	}
	best := slices.DeleteFunc(slices.Clone(shared), func(c *commit) bool {
		return slices.ContainsFunc(shared, func(d *commit) bool { return d != c && d.ancestors(map[*commit]bool{})[c] })
	})
	slices.SortFunc(best, func(x, y *commit) int {
		if x.depth != y.depth {
			return x.depth - y.depth
		}
		return slices.Compare(x.data, y.data)
	})
	return best
}

// join merges two commits. Several bases are first merged to a virtual one, as
// git's recursive strategy does.
func join(t *rapid.T, a, b *commit) *commit {
	bases := mergeBases(a, b)
	if slices.Contains(bases, a) {
		return b
	}
	if slices.Contains(bases, b) {
		return a
	}
	virtual := bases[0]
	for _, c := range bases[1:] {
		virtual = join(t, virtual, c)
	}
	data := mustMerge(t, virtual.data, a.data, b.data).Data
	return &commit{data: data, parents: []*commit{a, b}, depth: max(a.depth, b.depth) + 1}
}

// edited makes a commit of edits on top of another one.
func edited(t *rapid.T, on *commit, kinds []edit, clock *int) *commit {
	m := read(on.data)
	m.clock = clock
	for range pick(t, []int{1, 2, 4}) {
		pick(t, kinds).do(t, &m)
	}
	if clock != nil {
		m.tidy()
	}
	return &commit{data: m.file(), parents: []*commit{on}, depth: on.depth + 1}
}

// tidy writes a plan as our commands do: in order, and each record too.
func (m *model) tidy() {
	for i, l := range m.lines {
		m.lines[i] = parse(plan.Make(plan.Kind(l.get("t")), l.members).JSON())
	}
	m.sort()
}

func read(data []byte) model {
	m := model{end: "\n"}
	for _, r := range decode(data).Records() {
		m.lines = append(m.lines, parse(r.JSON()))
	}
	return m
}

// fewer runs a property less often than the others: each trial is many merges.
func fewer(t *testing.T, divisor int, property func(t *rapid.T)) {
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	n, _ := strconv.Atoi(before)
	defer func() { _ = checks.Value.Set(before) }()
	_ = checks.Value.Set(strconv.Itoa(max(1, n/divisor)))
	rapid.Check(t, property)
}

// A team is clones of one repository.
type team []*commit

// drawTeam draws clones that edited and merged in any order, by kinds of edits.
func drawTeam(t *rapid.T, kinds []edit, clock *int) team {
	base := drawBase(t, clock)
	if clock != nil {
		base.tidy()
	}
	root := &commit{data: base.file()}
	clones := make(team, pick(t, []int{2, 3, 4, 5, 8}))
	for i := range clones {
		clones[i] = root
	}
	for range pick(t, []int{2, 4, 8, 12, 16}) {
		i := rapid.IntRange(0, len(clones)-1).Draw(t, "clone")
		if rapid.Bool().Draw(t, "merges") {
			clones[i] = join(t, clones[i], pick(t, clones))
		} else {
			clones[i] = edited(t, clones[i], kinds, clock)
		}
	}
	return clones
}

// TestTeam: clones that edit and merge in any order, and then pull from and
// push to one place, have the same bytes after two rounds. No merge on the way
// gives an invalid plan.
func TestTeam(t *testing.T) {
	fewer(t, 20, func(t *rapid.T) {
		clones := drawTeam(t, drawKinds(t), nil)
		origin := clones[0]
		for range 2 {
			for i := range clones {
				origin = join(t, clones[i], origin)
				clones[i] = origin
			}
		}
		if !settled(clones) {
			t.Fatal("clones do not come to one plan")
		}
	})
}

// TestNothingLeaves: among clones of which nobody removes a record, each record
// that anybody added is in every plan in the end, whatever met on the way: ids
// that two of them took, edits that overlap, merges across each other.
func TestNothingLeaves(t *testing.T) {
	forward := []string{"add task", "insert task", "reword", "done", "kill", "add issue", "edit issue", "wait for", "meta", "priority"}
	kinds := slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return !slices.Contains(forward, e.name) })
	fewer(t, 20, func(t *rapid.T) {
		clones := drawTeam(t, kinds, new(int))
		born := map[string]bool{}
		for _, c := range clones {
			for d := range c.ancestors(map[*commit]bool{}) {
				for _, r := range decode(d.data).Records() {
					born[r.CreatedAt()] = true
				}
			}
		}
		for range 3 {
			next := slices.Clone(clones)
			for i := range next {
				next[i] = join(t, clones[i], clones[(i+1)%len(clones)])
			}
			clones = next
		}
		for _, c := range clones[1:] {
			clones[0] = join(t, clones[0], c)
		}
		for _, r := range decode(clones[0].data).Records() {
			delete(born, r.CreatedAt())
		}
		if len(born) > 0 {
			t.Fatalf("lost: %v\n%s", born, clones[0].data)
		}
	})
}

func settled(clones []*commit) bool {
	for _, c := range clones {
		if string(c.data) != string(clones[0].data) {
			return false
		}
	}
	return true
}

// TestRevert: a change that is taken back leaves the plan as it is without it,
// where nothing touched the same records since.
func TestRevert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, mx, my := drawSides(t)
		b, x, y := base.file(), mx.file(), my.file()
		if touchesTheSame(decode(b), decode(x), decode(y)) {
			t.Skip()
		}
		with := mustMerge(t, b, x, y)
		if len(with.Conflicts) > 0 {
			t.Skip() // dependencies of several tasks meet in a cycle
		}
		without := mustMerge(t, x, with.Data, b)
		if got, want := linesIn(without.Data), linesIn(y); !slices.Equal(got, want) {
			t.Fatalf("base\n%s\nx\n%s\ny\n%s\nmerged\n%s\nwithout x\n%s", b, x, y, with.Data, without.Data)
		}
	})
}

// touchesTheSame tells whether two sides changed records of one name, or
// records that have none.
func touchesTheSame(b, x, y *plan.Plan) bool {
	changed := func(p *plan.Plan) map[string]bool {
		had, ids := map[string]int{}, map[string]bool{}
		for _, r := range b.Records() {
			had[r.JSON()]++
		}
		for _, r := range p.Records() {
			if had[r.JSON()]--; had[r.JSON()] < 0 {
				ids[r.ID()] = true
			}
		}
		for _, r := range b.Records() {
			if had[r.JSON()] > 0 {
				ids[r.ID()] = true
			}
		}
		return ids
	}
	inX, inY := changed(x), changed(y)
	for id := range inX {
		if inY[id] || mentions(inY, y, id) || mentions(inY, b, id) {
			return true
		}
	}
	for id := range inY {
		if mentions(inX, x, id) || mentions(inX, b, id) {
			return true
		}
	}
	return false
}

// mentions tells whether one of some records points at an id.
func mentions(ids map[string]bool, p *plan.Plan, id string) bool {
	return slices.ContainsFunc(p.Records(), func(r plan.Record) bool {
		return ids[r.ID()] && (slices.Contains(r.Deps(), id) || r.Text("parent") == id || r.Text("supersedes") == id)
	})
}

func linesIn(data []byte) []string {
	var lines []string
	for _, r := range decode(data).Records() {
		lines = append(lines, canon(value(r)))
	}
	slices.Sort(lines)
	return lines
}
