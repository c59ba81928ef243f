package textmerge_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/textmerge"

	"pgregory.net/rapid"
)

// A draft is sentences, each by itself: "Aa bb cc." with words of a small pool.
type draft []string

func (d draft) String() string { return strings.Join(d, " ") }

var pool = strings.Split("parse read write open close the a file line plan it once", " ")

func sentence(r *rand.Rand) string {
	words := make([]string, 2+r.IntN(4))
	for i := range words {
		words[i] = pool[r.IntN(len(pool))]
	}
	return strings.Join(words, " ") + "."
}

// edited returns a draft after some edits, as people make them.
func (d draft) edited(r *rand.Rand, n int) draft {
	d = slices.Clone(d)
	for range n {
		if len(d) == 0 {
			return d
		}
		i, j := r.IntN(len(d)), r.IntN(len(d))
		switch r.IntN(6) {
		case 0:
			d = slices.Insert(d, i, sentence(r))
		case 1:
			d = slices.Delete(d, i, i+1)
		case 2, 3:
			moved := d[i]
			d = slices.Insert(slices.Delete(d, i, i+1), min(j, len(d)-1), moved)
		default:
			words := strings.Fields(strings.TrimSuffix(d[i], "."))
			words[r.IntN(len(words))] = pool[r.IntN(len(pool))]
			d[i] = strings.Join(words, " ") + "."
		}
	}
	return d
}

// TestProseKeepsSentences: in what merges, every sentence that both sides have
// is there, and none is there twice that neither side has twice, as a count of
// the sentences shows.
func TestProseKeepsSentences(t *testing.T) {
	clean, trials := 0, 4000
	if testing.Short() {
		trials = 400
	}
	for seed := range uint64(trials) {
		r := rand.New(rand.NewPCG(seed, 3))
		base := make(draft, 2+r.IntN(9))
		for i := range base {
			base[i] = sentence(r)
		}
		one, two := base.edited(r, 1+r.IntN(3)), base.edited(r, 1+r.IntN(3))
		merged, _, ok := textmerge.Merge(base.String(), one.String(), two.String())
		if !ok {
			continue
		}
		clean++
		all := map[string]int{}
		for s := range strings.SplitSeq(merged, ".") {
			all[strings.TrimSpace(s)+"."]++
		}
		for _, s := range one {
			if slices.Contains(two, s) && all[s] == 0 {
				t.Fatalf("%q is lost\nbase %s\none  %s\ntwo  %s\ngot  %s", s, base, one, two, merged)
			}
		}
		for s, n := range all {
			if larger := max(count(one)[s], count(two)[s]); s != "." && n > 1 && larger < 2 {
				t.Fatalf("%q is there %d times\nbase %s\none  %s\ntwo  %s\ngot  %s", s, n, base, one, two, merged)
			}
		}
	}
	if clean*5 < trials {
		t.Errorf("only %d of %d merged", clean, trials)
	}
	t.Logf("%d of %d merged", clean, trials)
}

// A text of any length merges where the edits of the sides are apart, wherever
// they are, whatever its words are.
func TestLongProse(t *testing.T) {
	for _, n := range []int{1_000, 20_000} {
		for _, different := range []int{40, 2_000, 1_000_000} {
			for seed := range uint64(3) {
				t.Run(fmt.Sprint(n, different, seed), func(t *testing.T) { testLongProse(t, n, different, seed) })
			}
		}
	}
}

func testLongProse(t *testing.T, n, different int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, uint64(n+different)))
	var base, one, two, want strings.Builder
	sides := [2]*strings.Builder{&one, &two}
	next, side := 20, 0
	for i := range n {
		word := fmt.Sprintf("w%d", r.IntN(different))
		switch {
		case i%90 == 89:
			word += ".\n\n"
		case i%12 == 11:
			word += ". "
		default:
			word += " "
		}
		if i < next {
			for _, b := range []*strings.Builder{&base, &one, &two, &want} {
				b.WriteString(word)
			}
			continue
		}
		fresh := fmt.Sprintf("side%d-%d ", side, i)
		base.WriteString(word)
		sides[1-side].WriteString(word)
		sides[side].WriteString(fresh)
		want.WriteString(fresh)
		next, side = i+n/20, 1-side
	}
	got, _, ok := textmerge.Merge(base.String(), one.String(), two.String())
	if !ok || got != want.String() {
		t.Errorf("merged: %v, as it should be: %v", ok, got == want.String())
	}
}

// Whatever is compared, the steps are bounded by the length of the texts: each
// stretch takes what reading it takes and its budget, and each word is in one
// stretch at a time.
func TestStepsAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		different := rapid.SampledFrom([]int{2, 30, 500, 9000}).Draw(t, "different")
		size := rapid.SampledFrom([]int{10, 300, 3000}).Draw(t, "words")
		r := rand.New(rand.NewPCG(seed, 5))
		var texts [3]string
		for i := range texts {
			var b strings.Builder
			for range size {
				fmt.Fprintf(&b, "%d%s", r.IntN(different), []string{" ", " ", " ", ". ", "\n\n"}[r.IntN(5)])
			}
			texts[i] = b.String()
		}
		if _, steps, _ := textmerge.Merge(texts[0], texts[1], texts[2]); steps > 1<<18+512*(len(texts[0])+len(texts[1])+len(texts[2])) {
			t.Fatalf("%d steps for %d words", steps, size)
		}
	})
}
