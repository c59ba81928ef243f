package oracle

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// copies groups what is one event: reports that a message stamped alike, and others that say the same for the same
// time on their lines of history.
func (s *history) copies() []*event {
	var events []*event
	for _, of := range s.subjects() {
		of = slices.DeleteFunc(of, s.named)
		facts := map[*recording]string{}
		level := map[*recording]int{}
		for _, t := range of {
			facts[t] = t.fact()
			level[t] = 1
			for _, o := range of {
				if facts[o] == facts[t] && t.commit.above[o.commit] && level[o] >= level[t] {
					level[t] = level[o] + 1
				}
			}
		}
		var found []*event
		for _, t := range of {
			if !ownedBefore(t, level[t]) {
				found = place(found, t, facts[t], level[t])
			}
		}
		events = append(events, found...)
	}
	return events
}

// subjects groups the recordings by the name and the record of the event, the oldest first.
func (s *history) subjects() map[string][]*recording {
	of := map[string][]*recording{}
	for _, c := range s.ordered {
		for _, t := range c.events {
			whose := "spec " + t.id
			if t.event == "rejected" {
				whose = fmt.Sprintf("%p", s.firstOf(t.kind, t.id))
			} else if t.kind != "spec" {
				whose = fmt.Sprintf("%p", s.lifeOf(t))
			}
			of[t.event+" "+whose] = append(of[t.event+" "+whose], t)
		}
	}
	return of
}

// fact is what a report says of its record: attempt, reason, and what changed from what to what.
func (t *recording) fact() string {
	changed, _ := json.Marshal(t.fields)
	return strings.Join([]string{t.mark(), t.why(), string(changed), t.corrected, fmt.Sprint(t.left)}, "\x00")
}

func (t *recording) stamp() string {
	if t.at == "" {
		return ""
	}
	return t.at + " " + t.by
}

// place adds a report to the event that it is of, or makes one of it.
func place(events []*event, t *recording, fact string, level int) []*event {
	stamped := func(e *event) bool { return t.stamp() != "" && e.stamp == t.stamp() }
	at := slices.IndexFunc(events, stamped)
	if at < 0 {
		at = slices.IndexFunc(events, func(e *event) bool { return slices.Contains(e.facts, nthFact{fact, level}) })
		if at >= 0 && events[at].stamp != "" && t.stamp() != "" {
			at = -1
		}
	}
	if at < 0 {
		events = append(events, &event{recording: t, level: level})
		at = len(events) - 1
	}
	e := events[at]
	if e.stamp == "" {
		e.stamp = t.stamp()
	}
	if !slices.ContainsFunc(events, func(e *event) bool { return slices.Contains(e.facts, nthFact{fact, level}) }) {
		e.facts = append(e.facts, nthFact{fact, level})
	}
	if !slices.ContainsFunc(e.copies, func(o *recording) bool { return o.commit == t.commit }) {
		e.copies = append(e.copies, t)
	}
	return events
}

// nthFact is something that happened, and for which time.
type nthFact struct {
	fact  string
	level int
}

// named reports whether a tombstone rejects nothing anew, and an ancestor's named the attempt with that reason.
func (s *history) named(t *recording) bool {
	if t.event != "rejected" || t.left || t.anew {
		return false
	}
	for a := range t.commit.above {
		if a.unknown {
			continue
		}
		for _, r := range stonesOf(a.plan) {
			mark := r.text("attempt")
			if mark == "" {
				mark = r.text("done_at")
			}
			if mark == t.mark() && r.text("reason") == t.reason && s.firstOf("task", r.text("id")) == s.firstOf("task", t.id) {
				return true
			}
		}
	}
	return false
}

// ownedBefore reports whether a merge only repeats what a line of its parents did.
func ownedBefore(t *recording, level int) bool {
	return len(t.commit.sides) > 1 && level > 1 && t.at == "" && t.event != "added" && t.event != "issue-added"
}
