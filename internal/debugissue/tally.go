package debugissue

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/debuglog"
)

// A Tally says how often a failure happened, and when for the last time, in each clone that is known.
type Tally struct{ marks marks }

// OwnTally is what this clone counted of a failure.
func OwnTally(c *debuglog.Collection, f *debuglog.Failure) Tally {
	return Tally{marks{c.Clone: ownMark(c, f)}}
}

func ownMark(c *debuglog.Collection, f *debuglog.Failure) mark { return mark{c.Clone, f.Count, f.Last} }

// ParseTally reads what String wrote. Words that are of no tally are passed over.
func ParseTally(text string) Tally {
	t := Tally{marks{}}
	for _, word := range strings.Fields(text) {
		name, at, _ := strings.Cut(word, "=")
		if m, ok := parseMark(name, at); ok {
			t.marks.add(m)
		}
	}
	return t
}

// String returns the tally as words, such as "3fa81c02-12=2026-02-22T08:00:09.000Z".
func (t Tally) String() string {
	var words []string
	for _, clone := range slices.Sorted(maps.Keys(t.marks)) {
		words = append(words, t.marks[clone].name()+"="+t.marks[clone].last())
	}
	return strings.Join(words, " ")
}

// Join adds what another tally has: of two counts of a clone the higher one is the newer one.
func (t Tally) Join(other Tally) {
	for _, m := range other.marks {
		t.marks.add(m)
	}
}

// Sentence says the same for people.
func (t Tally) Sentence() string {
	count, last := t.marks.sum()
	times, in := "times", ""
	if count == 1 {
		times = "time"
	}
	if len(t.marks) > 1 {
		in = fmt.Sprintf(" in %d clones", len(t.marks))
	}
	return fmt.Sprintf("Seen %d %s%s, the last time at %s.", count, times, in, last.UTC().Format(time.DateTime)+" UTC")
}

func (m marks) sum() (count int, last time.Time) {
	for _, one := range m {
		count += one.Count
		if one.Last.After(last) {
			last = one.Last
		}
	}
	return count, last
}

func (m mark) name() string { return m.Clone + "-" + strconv.Itoa(m.Count) }

func (m mark) last() string { return m.Last.UTC().Format(timeFormat) }

// parseMark reads a mark of its name and when it was last seen. An unreadable time is none.
func parseMark(name, at string) (mark, bool) {
	dash := strings.LastIndexByte(name, '-')
	count, err := strconv.Atoi(name[dash+1:])
	if dash <= 0 || err != nil {
		return mark{}, false
	}
	last, _ := time.Parse(timeFormat, at) //nolint:errcheck // see above
	return mark{name[:dash], count, last}, true
}
