package oracle

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// trailer is one event as a message reports it.
type trailer struct {
	name, id string
	detail   map[string]any
	branch   string
}

func (t trailer) text(name string) string {
	s, _ := t.detail[name].(string)
	return s
}

func (t trailer) at() string { return normalTime(t.text("at")) }

func (t trailer) event() string {
	switch t.name {
	case "decomposed":
		return "cancelled"
	case "superseded":
		return "rejected"
	}
	return t.name
}

func (t trailer) kind() string {
	switch {
	case t.name == "updated":
		return ""
	case t.name == "spec":
		return "spec"
	case strings.HasPrefix(t.name, "issue-"), t.name == "edited" && strings.HasPrefix(t.id, "i-"):
		return "issue"
	}
	return "task"
}

func (t trailer) record() string {
	if t.name == "spec" {
		return t.text("spec")
	}
	return t.id
}

func readTrailers(message string) []trailer {
	event := regexp.MustCompile(`^(?:[ \t>]|\* )*Ralph-Event: ([^ ]+) ([^ ]+)(?: (.*))?$`)
	branch := regexp.MustCompile(`^(?:[ \t>]|\* )*Ralph-Branch: (.*)$`)
	var all []trailer
	from := 0
	for _, line := range strings.Split(message, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if m := event.FindStringSubmatch(line); m != nil {
			t := trailer{name: m[1], id: m[2], detail: map[string]any{}}
			if json.Unmarshal([]byte(m[3]), &t.detail) != nil {
				t.detail = map[string]any{}
			}
			_, reported := order[t.event()]
			if t.name == "updated" || reported && t.named() {
				all = append(all, t)
			}
		} else if m := branch.FindStringSubmatch(line); m != nil {
			for ; from < len(all); from++ {
				all[from].branch = strings.TrimSpace(m[1])
			}
		}
	}
	return all
}

// named reports whether there can be a record of that name.
func (t trailer) named() bool {
	switch t.kind() {
	case "spec":
		return t.record() != ""
	case "issue":
		return regexp.MustCompile(`^i-[0-9a-z][0-9a-z-]*$`).MatchString(t.id)
	}
	return regexp.MustCompile(`^t-[0-9a-z][0-9a-z-]*$`).MatchString(t.id)
}

// about is what a message says of one record, by time where all of it has one.
func about(all []trailer, kind, id string) []trailer {
	var of []trailer
	timed := true
	for _, t := range all {
		if t.kind() == kind && t.record() == id {
			of = append(of, t)
			timed = timed && t.at() != ""
		}
	}
	if timed {
		sort.SliceStable(of, func(i, j int) bool { return of[i].at() < of[j].at() })
	}
	return of
}

// effect holds the states of a record before and after an event, as letters: absent, pending, done.
var effect = map[string][2]string{
	"added": {"a", "p"}, "issue-added": {"a", "p"}, "done": {"p", "d"}, "reopened": {"da", "p"}, "rejected": {"d", "pa"},
	"superseded": {"pd", "a"}, "decomposed": {"pd", "a"}, "cancelled": {"pd", "a"}, "accepted": {"d", "a"}, "issue-done": {"p", "a"},
}

// stateIn returns the state of a record in a plan, as a letter of effect.
func stateIn(p *plan, kind, id string) string {
	r := p.get(kind, id)
	switch {
	case r == nil:
		return "a"
	case kind == "task" && r.done():
		return "d"
	}
	return "p"
}

// withTrailers adds what the message says: to events that the plans show, when,
// by whom and where; and events of its own where they lead from one plan to the
// other.
func withTrailers(shown []*recording, trailers []trailer, before, after *plan, blind bool) []*recording {
	all := shown
	visited := map[string]bool{}
	for _, first := range trailers {
		kind, id := first.kind(), first.record()
		if kind == "" || visited[kind+id] {
			continue
		}
		visited[kind+id] = true
		steps := about(trailers, kind, id)
		var moves []trailer
		for _, s := range steps {
			if _, moving := effect[s.name]; moving {
				moves = append(moves, s)
			}
		}
		matches := kind != "spec" && stateIn(after, kind, id) != "a"
		if len(moves) > 0 {
			matches = strings.Contains(effect[moves[len(moves)-1].name][1], stateIn(after, kind, id)) &&
				(blind || strings.Contains(effect[moves[0].name][0], stateIn(before, kind, id)))
		}
		for i, s := range steps {
			if confirmed(shown, kind, id, s) || !matches {
				continue
			}
			more := invented(all, kind, id, s, steps[:i], before, after)
			for _, t := range more {
				t.trailer = !(len(steps) == 1 && onlyState(shown, kind, id, s, before, after))
			}
			all = append(all, more...)
		}
	}
	only := map[string]bool{}
	for _, t := range trailers {
		if t.branch != "" {
			only[t.branch] = true
		}
	}
	if len(only) == 1 {
		for _, t := range all {
			for branch := range only {
				if t.branch == "" {
					t.branch = branch
				}
			}
		}
	}
	return all
}

// confirmed adds a trailer to the event of the plans that it records, and reports whether there is one.
func confirmed(shown []*recording, kind, id string, s trailer) bool {
	for _, t := range shown {
		if t.kind != kind || t.id != id {
			continue
		}
		again := s.name == "reopened" && t.event == "added"
		if !again && s.event() != t.event {
			continue
		}
		if a := s.text("attempt"); !again && a != "" && t.attempt != "" && a != t.attempt {
			continue
		}
		if t.at == "" && t.by == "" && t.branch == "" {
			t.at, t.by, t.branch = s.at(), s.text("by"), s.branch
			if t.divided = s.name == "decomposed"; t.event == "cancelled" {
				t.reason = s.text("reason")
			}
		}
		if s.at() == "" || t.at == "" || s.at() == t.at && s.text("by") == t.by {
			return true
		}
	}
	return false
}

// onlyState reports whether what the message calls an edit is a change that the plans show, of a record of which they show no event but a
// tombstone that is there again.
func onlyState(shown []*recording, kind, id string, s trailer, before, after *plan) bool {
	for _, t := range shown {
		if t.kind == kind && t.id == id && (t.event != "rejected" || t.left || t.anew) {
			return false
		}
	}
	was, is := before.get(kind, id), after.get(kind, id)
	return s.name == "edited" && kind == "task" && was != nil && is != nil &&
		slices.ContainsFunc([]string{"s", "done_at", "attempt", "kill", "kill_log", "reject"}, func(name string) bool { return !reflect.DeepEqual(was[name], is[name]) })
}

// invented returns the event of a trailer that no plan shows.
func invented(all []*recording, kind, id string, s trailer, earlier []trailer, before, after *plan) []*recording {
	if s.name == "superseded" {
		for _, e := range earlier {
			if e.name != "rejected" {
				continue
			}
			for i := len(all) - 1; i >= 0; i-- {
				if t := all[i]; t.event == "rejected" && t.kind == kind && t.id == id {
					t.successor, t.left, t.inferred = s.text("superseded_by"), true, false
					break
				}
			}
			return nil
		}
	}
	t := &recording{
		event: s.event(), kind: kind, id: id, attempt: s.text("attempt"), reason: s.text("reason"), successor: s.text("superseded_by"),
		at: s.at(), by: s.text("by"), branch: s.branch, title: s.text("name"), spec: s.text("spec"), trailer: true,
		left: s.name == "superseded", anew: s.name == "rejected", divided: s.name == "decomposed",
	}
	switch t.event {
	case "issue-added":
		t.title = s.text("desc")
	case "killed":
		t.reason = s.text("kill")
	}
	r := after.get(kind, id)
	if r == nil {
		r = before.get(kind, id)
	}
	t.born, t.loose = r.text("created_at"), r == nil
	for _, other := range all {
		if other.key() == t.key() {
			return nil
		}
	}
	return []*recording{t}
}
