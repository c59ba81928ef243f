package svg

import "git-ralph/internal/view"

// classOf returns the class that has the colour of a status.
func classOf(s view.Status) string {
	switch s {
	case view.Ready, view.Blocked, view.Claimed, view.Done, view.Landed, view.Accepted:
		return string(s)
	case view.Closed, view.Removed, view.Decomposed:
		return "accepted"
	}
	return "bad"
}

// icon draws the sign of a status around a point: no two statuses of a board have the same one.
func (p *picture) icon(s view.Status, x, y int) {
	p.write(`<path class="icon `, classOf(s), `" transform="translate(`, x, " ", y, `)" d="`, iconPath(s), `"/>`)
}

func iconPath(s view.Status) string {
	const circle = "M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0"
	switch s {
	case view.Ready:
		return circle
	case view.Blocked:
		return "M-2.5 -4V4M2.5 -4V4" // a pause
	case view.Claimed:
		return "M-3.5 -4.5L4.5 0L-3.5 4.5Z" // at work
	case view.Done:
		return "M-5 0L-1.5 3.5L5 -4"
	case view.Landed:
		return "M-5 -1L-1.5 2.5L5 -5M-5 5.5H5"
	case view.Accepted:
		return circle + "M-2.5 0L-.7 1.8L2.5 -1.8"
	case view.Closed:
		return circle + "M-2.5 0H2.5"
	case view.Decomposed:
		return "M-5 0H-1L4 -4M-1 0L4 4"
	}
	return "M-4 -4L4 4M4 -4L-4 4"
}
