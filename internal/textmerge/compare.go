package textmerge

import "strings"

// A Piece is a run of words of two texts: kept where Old and New are the same,
// else changed. Old is empty for what was only inserted, New for what was only
// deleted.
type Piece struct {
	Old, New string
}

// Kept reports whether the piece is the same in both texts.
func (p Piece) Kept() bool { return p.Old == p.New }

// Compare returns what differs between two texts. Kept and changed pieces take
// turns; no piece is empty; all Old joined are the old text, all New the new.
// Stretches too different to be compared word by word are one changed piece.
func Compare(before, after string) []Piece {
	if before == after {
		return keep(nil, before)
	}
	var words alphabet
	old, now := words.spell(before), words.spell(after)
	if words.isFull() {
		return []Piece{{before, after}}
	}
	all, _ := edits(old.letters, now.letters, words.kind)
	var pieces []Piece
	at := 0
	for _, e := range all {
		pieces = keep(pieces, join(old.words[at:e.at]))
		pieces = append(pieces, Piece{join(old.words[e.at:e.end]), join(now.words[e.from:e.to])})
		at = e.end
	}
	return keep(pieces, join(old.words[at:]))
}

func join(words []string) string { return strings.Join(words, "") }

func keep(pieces []Piece, text string) []Piece {
	if text == "" {
		return pieces
	}
	return append(pieces, Piece{text, text})
}
