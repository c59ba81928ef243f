package textmerge

// A hunk is an edit with its reach: the base words [lo, hi) that must not
// touch the reach of the other side's hunks.
type hunk struct {
	edit
	lo, hi int
}

// hunks returns the edits of one side with their reach.
func (a *alphabet) hunks(base, now []rune, all []edit) []hunk {
	reach := make([]hunk, len(all))
	for i, e := range all {
		from, to := 0, len(base) // the kept words around the edit
		if i > 0 {
			from = all[i-1].end
		}
		if i+1 < len(all) {
			to = all[i+1].at
		}
		lo, hi := slide(base[:to], from, e, now[e.from:e.to])
		for lo > 0 && a.isSpace(base[lo-1]) {
			lo--
		}
		for hi < len(base) && a.isSpace(base[hi]) {
			hi++
		}
		reach[i] = hunk{edit: e, lo: lo, hi: hi}
	}
	return reach
}

// slide returns all the words that an edit could as well stand at: "a a" can
// come of "a" by an insertion before or after it. Only words from from on
// count; base ends where those kept behind the edit end.
func slide(base []rune, from int, e edit, inserted []rune) (lo, hi int) {
	lo, hi = e.at, e.end
	moving := inserted // what would move: the words inserted, or those deleted
	switch {
	case e.at == e.end:
	case len(inserted) == 0:
		moving = base[e.at:e.end]
	default:
		return lo, hi // the two differ at both ends, so neither can
	}
	n := len(moving)
	for i := 0; hi < len(base) && base[hi] == moving[i%n]; i++ {
		hi++
	}
	for i := 0; lo > from && base[lo-1] == moving[n-1-i%n]; i++ {
		lo--
	}
	return lo, hi
}
