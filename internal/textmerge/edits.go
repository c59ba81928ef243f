package textmerge

import (
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// mostWords is how many words may stand, in either text, between the first
// difference and the last. The time to compare grows with its square: at most
// about 15 ms for two texts and 30 ms for a merge, on a machine of 2 GHz or so.
const mostWords = 1500

// An edit says that the old words [at, end) gave way to others.
type edit struct {
	at, end int
	text    []rune // what stands there now
}

// edits returns what leads from one text to another: in order, with at least
// one kept word between each two. It is not ok if the texts differ over too
// many words to be compared. The answer depends on which words are equal, not
// on their letters.
func edits(old, now []rune) (all []edit, ok bool) {
	head := commonPrefix(old, now)
	tail := commonSuffix(old[head:], now[head:])
	old, now = old[head:len(old)-tail], now[head:len(now)-tail]
	if len(old) > mostWords || len(now) > mostWords {
		return nil, false
	}
	engine := diffmatchpatch.New()
	engine.DiffTimeout = 0 // the answer must not depend on the machine
	at, from := head, 0    // at counts in the whole old text, from in what is compared of the new
	open := false          // whether the last edit may still grow
	for _, d := range engine.DiffMainRunes(old, now, false) {
		n := utf8.RuneCountInString(d.Text)
		if n == 0 {
			continue
		}
		if d.Type == diffmatchpatch.DiffEqual {
			at, from, open = at+n, from+n, false
			continue
		}
		if !open {
			all, open = append(all, edit{at: at, end: at, text: now[from:from]}), true
		}
		last := &all[len(all)-1]
		if d.Type == diffmatchpatch.DiffDelete {
			at += n
			last.end = at
		} else {
			last.text = now[from-len(last.text) : from+n]
			from += n
		}
	}
	return all, true
}

func commonPrefix(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
