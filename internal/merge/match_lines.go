package merge

// window is how many lines ahead a pair of equal lines is looked for.
const window = 8

// match finds lines of a side that are lines of the base, each once, and sets
// their origin. It reports which lines of the base were found.
//
// Both are walked together, since most lines stand where they stood. What
// that does not find, because it was moved far, is looked up at the end.
func match(base []line, side *input) (kept []bool) {
	kept = make([]bool, len(base))
	side.begin()
	i, j, left := 0, 0, 0
	for i < len(base) {
		if j == len(side.lines) && !side.follow(&base[i]) && !side.cut() {
			break
		}
		if base[i].text == side.lines[j].text {
			kept[i], side.lines[j].origin = true, int32(i)
			i, j = i+1, j+1
			continue
		}
		for len(side.lines) <= j+window && side.cut() {
		}
		di, dj := ahead(base[i:], side.lines[j:])
		i, j, left = i+di, j+dj, left+dj
	}
	for side.cut() {
	}
	if left+len(side.lines)-j > 0 {
		matchMoved(base, side.lines, kept)
	}
	return kept
}

// ahead returns how many lines to leave behind on each side to come to the
// nearest pair of equal lines.
func ahead(base, side []line) (di, dj int) {
	for d := 1; d <= window; d++ {
		for di := max(0, d-len(side)+1); di <= min(d, len(base)-1); di++ {
			if base[di].text == side[d-di].text {
				return di, d - di
			}
		}
	}
	return 1, 1
}

// matchMoved pairs the remaining lines of both sides, wherever they are.
func matchMoved(base, side []line, kept []bool) {
	free := map[string][]int32{}
	for j := range side {
		if side[j].origin < 0 {
			free[side[j].text] = append(free[side[j].text], int32(j))
		}
	}
	for i := range base {
		if kept[i] {
			continue
		}
		if js := free[base[i].text]; len(js) > 0 {
			kept[i], side[js[0]].origin = true, int32(i)
			free[base[i].text] = js[1:]
		}
	}
}
