package merge_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const (
	clones = 8
	rounds = 8 // in which clones come to one plan, once nobody changes anything
)

// A step is what one clone does.
type step struct {
	do    string // a job, or a way to take what others have
	clone int
	other int // the clone or, modulo their number, the commit that it takes
	seed  uint64
}

// takings are the ways to take what others have. Those in front occur more
// often.
var takings = []string{"pull", "pull", "pull", "rebase", "pick", "revert"}

func drawSteps(t *rapid.T) []step {
	names := []string{"hand"}
	for _, j := range jobs {
		names = append(names, j.name)
	}
	few := make([]string, pick(t, []int{1, 2, 3, 5, 9}))
	for i := range few {
		few[i] = pick(t, names)
	}
	some := takings[:pick(t, []int{3, 4, 5, 6})]
	n := pick(t, []int{4, 8, 16, 24, 32})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		s := step{clone: number(t, clones), other: number(t, 99), seed: uint64(number(t, 1<<20))}
		switch number(t, 7) {
		case 0, 1, 2:
			s.do = pick(t, some)
		case 3:
			s.do = pick(t, names)
		default:
			s.do = pick(t, few)
		}
		return s
	}), n/2, n).Draw(t, "steps")
}

func newHistory() *history {
	return &history{merged: map[[2]*commit]*commit{}, named: map[[2]string]bool{}}
}

// play lets clones of one plan do steps, and returns what each has in the end.
func (h *history) play(t fataler, steps []step) []*commit {
	clock := 0
	start := work(nil, "spec", 1, &clock)
	for i := range 4 {
		start = work(start, "add", uint64(i), &clock)
		start = work(start, "item", uint64(i), &clock)
	}
	tips := slices.Repeat([]*commit{h.add(start)}, clones)
	for _, s := range steps {
		tips[s.clone] = h.take(t, tips, s, &clock)
	}
	return tips
}

// take does one step, and returns what its clone has then.
func (h *history) take(t fataler, tips []*commit, s step, clock *int) *commit {
	tip, other, c := tips[s.clone], tips[s.other%clones], h.commits[s.other%len(h.commits)]
	switch s.do {
	case "pull":
		return h.pull(t, tip, other)
	case "rebase":
		return h.rebase(t, tip, other)
	case "pick":
		if len(c.parents) == 1 && !tip.seen.has(c.n) {
			return h.pick(t, tip, c.parents[0].data, c.data)
		}
	case "revert":
		if len(c.parents) == 1 && tip.seen.has(c.n) {
			return h.pick(t, tip, c.data, c.parents[0].data)
		}
	default:
		if data := work(tip.data, s.do, s.seed, clock); string(data) != string(tip.data) {
			return h.add(data, tip)
		}
	}
	return tip
}

// A gossip is an order in which clones pull from each other. It returns from whom
// clone i pulls in a round.
type gossip struct {
	name string
	from func(i, round int) int
	turn bool // one after the other, else all at once: no merge is a fast-forward
}

var gossips = []gossip{
	{"in turn from the next", func(i, _ int) int { return i + 1 }, true},
	{"in turn from any", func(i, round int) int { return i*5 + round*3 + 1 }, true},
	{"at once from the next", func(i, _ int) int { return i + 1 }, false},
	{"at once from further ones", func(i, round int) int { return i + 1<<(round%3) }, false},
}

// spread lets clones pull from each other, and returns what they have then.
func (h *history) spread(t fataler, tips []*commit, g gossip) []*commit {
	tips = slices.Clone(tips)
	for round := range rounds {
		next := tips
		if !g.turn {
			next = slices.Clone(tips)
		}
		for i := range tips {
			next[i] = h.pull(t, tips[i], tips[g.from(i, round)%clones])
		}
		tips = next
	}
	return tips
}

// TestConvergence: clones that change, merge, rebase, cherry-pick and revert in
// any order, and then only pull, have the same bytes after eight rounds,
// whoever pulls from whom. Where they have not, the place is under a limit that
// no merge of three versions can lift. And nothing is lost.
func TestConvergence(t *testing.T) {
	teams, merges, under := 0, 0, map[string]int{}
	fewer(t, 20, func(t *rapid.T) {
		steps := drawSteps(t)
		for _, g := range gossips {
			h := newHistory()
			tips := h.spread(t, h.play(t, steps), g)
			limits, wrong := h.judge(tips)
			if len(wrong) > 0 {
				t.Fatalf("%s: clones end with different plans, in %v\n%s", g.name, wrong, h.report(tips))
			}
			if lost := h.lost(tips[0]); len(lost) > 0 {
				t.Fatalf("%s: lost: %v\n%s", g.name, lost, h.report(tips))
			}
			teams, merges = teams+1, merges+h.merges
			for l := range limits {
				under[string(l)]++
			}
			if len(limits) == 0 {
				under["none: one plan"]++
			}
		}
	})
	t.Logf("%d teams, %d merges", teams, merges)
	for l, n := range under {
		t.Logf("%7d %s", n, l)
	}
}

// TestOnePlace: clones that pull from and push to one place have the same bytes
// after two rounds, under whatever limit they were.
func TestOnePlace(t *testing.T) {
	fewer(t, 20, func(t *rapid.T) {
		h := newHistory()
		tips := h.play(t, drawSteps(t))
		origin := tips[0]
		for range 2 {
			for i := range tips {
				origin = h.pull(t, tips[i], origin)
				tips[i] = origin
			}
		}
		if len(diverging(tips)) > 0 {
			t.Fatalf("clones end with different plans\n%s", h.report(tips))
		}
	})
}

// report describes who made what, and what clones have.
func (h *history) report(tips []*commit) string {
	var b strings.Builder
	for _, c := range h.commits {
		if len(c.parents) == 1 {
			c.report(&b, "change")
		}
	}
	reported := map[string]bool{}
	for _, c := range tips {
		if !reported[string(c.data)] {
			c.report(&b, "in the end")
		}
		reported[string(c.data)] = true
	}
	return b.String()
}
