package oracle

import "slices"

// end returns how a life ended: by HEAD, else by the first other tip that has the life, unless the life is gone there and another
// tip is surer how that happened.
func (s *history) end(l *life) ending {
	asked := []*commit{}
	if s.head != nil {
		asked = append(asked, s.head)
	}
	for _, t := range s.tips {
		asked = append(asked, t.at)
	}
	var e ending
	for i, at := range asked {
		e = ending{record: recordIn(s, at, l), events: eventsAt(l, at)}
		if e.here = e.record != nil; e.here {
			return s.described(e, l)
		}
		if len(e.events) == 0 {
			continue
		}
		e.last = lastEnd(l, at, at)
		known := at
		for _, other := range asked[i+1:] {
			if last := lastEnd(l, other, other, known); last.sureness() > e.last.sureness() {
				e.last, e.events, e.other = last, eventsAt(l, known, other), true
			}
		}
		return s.described(e, l)
	}
	return s.described(ending{}, l)
}

func reaches(at *commit, c *commit) bool { return at == c || at.above[c] }

// eventsAt are the events of a life that some tips know.
func eventsAt(l *life, tips ...*commit) (events []*event) {
	for _, e := range l.events {
		if slices.ContainsFunc(e.copies, func(t *recording) bool {
			return slices.ContainsFunc(tips, func(at *commit) bool { return reaches(at, t.commit) })
		}) {
			events = append(events, e)
		}
	}
	return events
}

// lastEnd is the event with which a life ended, as a tip knows it: the one that was reported last, unless a commit that some
// tips know brought the life back after it.
func lastEnd(l *life, at *commit, undoing ...*commit) *event {
	var last *event
	var when *recording
	for _, e := range l.events {
		for _, t := range e.copies {
			if !t.ends() || !reaches(at, t.commit) || undone(l, t, undoing) {
				continue
			}
			if last == nil || t.commit.order > when.commit.order || t.commit == when.commit && t.number > when.number {
				last, when = e, t
			}
		}
	}
	return last
}

func undone(l *life, end *recording, tips []*commit) bool {
	for _, e := range l.events {
		for _, t := range e.copies {
			if t.event != "added" && t.event != "issue-added" && t.event != "reopened" {
				continue
			}
			later := t.commit.above[end.commit] || t.commit == end.commit && t.number > end.number
			if later && slices.ContainsFunc(tips, func(at *commit) bool { return reaches(at, t.commit) }) {
				return true
			}
		}
	}
	return false
}

func (t *recording) ends() bool {
	return t.event == "accepted" || t.event == "cancelled" || t.event == "issue-done" || t.event == "rejected" && t.left
}

// sureness ranks an ending: recorded, or shown by a successor; inferred from a task that was done; inferred from one that was not, or
// that a tombstone names.
func (e *event) sureness() int {
	switch {
	case e == nil:
		return 0
	case !onlyInferred(e.copies):
		return 3
	case e.event == "accepted":
		return 2
	}
	return 1
}
