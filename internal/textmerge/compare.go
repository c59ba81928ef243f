package textmerge

// A Piece is a run of words of two texts: kept where Old and New are the same,
// else changed. Old is empty for what was only inserted, New for what was only
// deleted.
type Piece struct {
	Old, New string
}

// Kept tells whether the piece is the same in both texts.
func (p Piece) Kept() bool { return p.Old == p.New }

// Compare tells what differs between two texts. Kept and changed pieces take
// turns; no piece is empty; all Old joined are the old text, all New the new.
// Texts that differ over more than 1,500 words are one changed piece.
func Compare(before, after string) []Piece {
	if before == after {
		return keep(nil, before)
	}
	var words alphabet
	old, now := words.spell(before), words.spell(after)
	all, ok := edits(old, now)
	if !ok {
		return []Piece{{before, after}}
	}
	var pieces []Piece
	at := 0
	for _, e := range all {
		pieces = keep(pieces, words.text(old[at:e.at]))
		pieces = append(pieces, Piece{words.text(old[e.at:e.end]), words.text(e.text)})
		at = e.end
	}
	return keep(pieces, words.text(old[at:]))
}

func keep(pieces []Piece, text string) []Piece {
	if text == "" {
		return pieces
	}
	return append(pieces, Piece{text, text})
}
