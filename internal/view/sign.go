package view

// Sign returns the sign of a status in terminals, one column wide. No two statuses of a board have the same one.
func (s Status) Sign() string { sign, _ := s.signs(); return sign }

// ASCIISign returns the sign of a status where a terminal shows nothing but ASCII.
func (s Status) ASCIISign() string { _, ascii := s.signs(); return ascii }

func (s Status) signs() (sign, ascii string) {
	switch s {
	case Ready:
		return "○", "o"
	case Blocked:
		return "‖", "="
	case Claimed:
		return "▷", ">"
	case Done:
		return "✓", "v"
	case Landed:
		return "⇊", "V"
	case Accepted, Closed:
		return "●", "*"
	case Decomposed:
		return "⑂", "Y"
	case Unknown, "":
		return "?", "?"
	}
	return "✗", "x"
}
