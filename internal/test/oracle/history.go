package oracle

import (
	"errors"
	"slices"
	"sort"
	"strings"
)

// history puts together what all commits report.
type history struct {
	*repo
	lives  []*life
	of     map[string]*life // by kind, id and birth
	events []*event         // the oldest first
}

// life is one task or issue.
type life struct {
	kind   string
	id     string
	born   string
	former []string
	names  []identity
	events []*event
}

type identity struct{ kind, id, born string }

func (i identity) key() string { return i.kind + "\x00" + i.id + "\x00" + i.born }

// event is one event and all that report it.
type event struct {
	*recording
	name   string
	life   *life
	copies []*recording // the oldest first
	stamp  string
	facts  []nthFact
	level  int
	branch string

	branches []string // all, branch first
	logged   bool     // the log of a branch alone says it
}

func newHistory(r *repo) *history {
	s := &history{repo: r, of: map[string]*life{}}
	s.findLives()
	s.group()
	return s
}

// lifeOf finds whose event it is.
func (s *history) lifeOf(t *recording) *life {
	if l := s.of[identity{t.kind, t.id, t.born}.key()]; l != nil && !t.loose {
		return l
	}
	return s.firstOf(t.kind, t.id)
}

// firstOf finds the oldest life that had an id.
func (s *history) firstOf(kind, id string) *life {
	var best *life
	born := ""
	for _, l := range s.lives {
		for _, n := range l.names {
			if n.kind == kind && n.id == id && (best == nil || n.born < born) {
				best, born = l, n.born
			}
		}
	}
	return best
}

// group finds the events, and which commits report each.
func (s *history) group() {
	for _, e := range s.copies() {
		for i := len(e.copies) - 1; i >= 0; i-- {
			if s.inHead(e.copies[i].commit) {
				e.recording = e.copies[i]
			}
		}
		e.life = s.lifeOf(e.copies[0])
		if e.kind == "spec" {
			e.life = nil
		}
		if e.name = e.event; e.level > 1 && (e.event == "added" || e.event == "rejected" && !e.left && !e.isSaid()) {
			e.name = "reopened"
		}
		s.name(e)
		s.events = append(s.events, e)
	}
	sort.Slice(s.events, func(i, j int) bool {
		a, b := s.events[i], s.events[j]
		if a.commit != b.commit {
			return a.commit.order < b.commit.order
		}
		return a.number < b.number
	})
	for _, e := range s.events {
		if e.life != nil {
			e.life.events = append(e.life.events, e)
		}
	}
}

// isSaid reports whether a message says when the event happened.
func (e *event) isSaid() bool {
	return slices.ContainsFunc(e.copies, func(t *recording) bool { return t.at != "" })
}

func (s *history) inHead(c *commit) bool {
	return s.head != nil && (c == s.head || s.head.above[c])
}

// check looks for what cannot be.
func (s *history) check() error {
	for _, e := range s.events {
		if strings.Contains(e.name, " ") || e.commit == nil || e.kind != "spec" && e.life == nil {
			return errors.New("an event without a life: " + e.name + " " + e.id)
		}
	}
	return nil
}
