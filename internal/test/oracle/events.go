package oracle

import (
	"slices"
	"sort"
	"strings"
	"time"
)

// recording is one event as one commit records it.
type recording struct {
	event, kind, id, born string

	attempt, doneAt, reason, successor string
	at, by, branch                     string
	title, spec                        string
	trailer, loose                     bool
	corrected                          string // the reason that stood in a tombstone before
	left                               bool   // a rejection with which the task left
	anew                               bool   // a tombstone of an attempt that stood done before, and does not after
	divided                            bool   // a cancellation of which the message says that others took the place
	inferred                           bool   // an end that no message says, and no successor
	fields                             map[string][2][]any
	before, after                      record

	commit *commit
	number int
}

// mark distinguishes the attempts of a record, in events that are of one attempt.
func (t *recording) mark() string {
	switch t.event {
	case "done", "rejected", "accepted", "reopened", "cancelled", "edited":
		if t.attempt != "" {
			return t.attempt
		}
		return t.doneAt
	}
	return ""
}

// why is the reason, which two people may give differently.
func (t *recording) why() string {
	switch t.event {
	case "rejected", "killed", "edited":
		return t.reason
	}
	return ""
}

func (t *recording) key() string {
	return strings.Join([]string{t.event, t.kind, t.id, t.born, t.mark(), t.why(), t.at, t.by}, "\x00")
}

// parentsOf are the commits that a commit's plan is compared with: its parents,
// and in place of one whose plan is unknown, that one's. They are hidden too where
// the plan came up in a commit whose plan is missing.
func parentsOf(c *commit) (list []*commit, hidden bool) {
	seen := map[*commit]bool{}
	var visit func(c *commit, gap bool)
	visit = func(c *commit, gap bool) {
		hidden = hidden || c.hidden || gap && len(c.parents) == 0
		for _, p := range c.parents {
			if seen[p] {
				continue
			}
			seen[p] = true
			switch {
			case p.unknown:
				visit(p, gap || p.plan == nil)
			case gap && p.plan == nil:
				hidden = true
			default:
				list = append(list, p)
			}
		}
	}
	visit(c, false)
	return list, hidden
}

// recordings returns the events that a commit records, in the order in which they
// happened.
func (r *repo) recordings(c *commit) []*recording {
	if c.unknown || c.plan == nil && len(c.parents) == 0 {
		return nil
	}
	for _, p := range c.parents {
		if p.unknown && p.plan == nil {
			continue
		}
		if blobOf(p) == blobOf(c) {
			return nil
		}
	}
	trailers := readTrailers(c.message)
	parents, hidden := parentsOf(c)
	var own []*recording
	switch {
	case hidden:
	case len(parents) == 0:
		own = difference(nil, c, trailers)
	default:
		for _, t := range difference(parents[0], c, trailers) {
			if againstAll(t, parents[1:], c, trailers) {
				own = append(own, t)
			}
		}
	}
	var before *plan
	if len(parents) > 0 {
		before = parents[0].plan
	}
	own = withTrailers(own, trailers, before, c.plan, hidden)
	sortRecordings(own)
	for i, t := range own {
		t.commit, t.number = c, i
	}
	return own
}

// againstAll reports whether an event follows against further parents of a commit. Of an edit, the fields do that changed
// against each.
func againstAll(t *recording, parents []*commit, c *commit, trailers []trailer) bool {
	for _, p := range parents {
		var there *recording
		for _, o := range difference(p, c, trailers) {
			if o.key() == t.key() {
				there = o
			}
		}
		if there == nil {
			return false
		}
		t.left, t.inferred, t.anew = t.left && there.left, t.inferred || there.inferred, t.anew && there.anew
		if t.fields == nil {
			continue
		}
		both := map[string][2][]any{}
		for name, values := range t.fields {
			if _, changed := there.fields[name]; changed {
				both[name] = values
			}
		}
		if t.fields = both; len(both) == 0 {
			return false
		}
	}
	return true
}

func blobOf(c *commit) string {
	if c.plan == nil {
		return ""
	}
	return c.plan.blob
}

var order = map[string]int{
	"spec": 0, "issue-added": 1, "added": 2, "edited": 3, "killed": 4, "rejected": 5, "reopened": 6, "done": 7, "accepted": 8,
	"cancelled": 9, "issue-done": 10,
}

// sortRecordings puts first what has no time and is new, then what has a time, then
// the rest.
func sortRecordings(list []*recording) {
	class := func(t *recording) string {
		if t.at != "" {
			return "1" + t.at
		}
		if t.event == "spec" || t.event == "added" || t.event == "issue-added" {
			return "0"
		}
		return "2"
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if class(a) != class(b) {
			return class(a) < class(b)
		}
		if order[a.event] != order[b.event] {
			return order[a.event] < order[b.event]
		}
		return strings.Join([]string{a.kind, a.id, a.born, a.mark(), a.why(), a.by}, "\x00") < strings.Join([]string{b.kind, b.id, b.born, b.mark(), b.why(), b.by}, "\x00")
	})
}

// difference returns what happened between the plans of two commits.
func difference(from, to *commit, trailers []trailer) []*recording {
	var old *plan
	moved := false
	if from != nil {
		old = from.plan
		if old != nil && to.plan != nil && from.path != to.path {
			moved = !follows(old, to.plan)
		}
	}
	now := to.plan
	var all []*recording
	add := func(t recording) {
		for _, other := range all {
			if other.key() == t.key() {
				if other.successor == "" {
					other.successor = t.successor
				}
				if t.before != nil {
					other.before = t.before
				}
				other.left, other.inferred, other.anew = other.left || t.left, other.inferred || t.inferred, other.anew || t.anew
				return
			}
		}
		all = append(all, &t)
	}
	if spec := now.spec(); spec != "" && spec != old.spec() {
		add(recording{event: "spec", kind: "spec", id: spec, spec: spec})
	}
	rejections(old, now, add)
	whole := now == nil || moved || old.spec() != now.spec()
	for _, kind := range []string{"task", "issue"} {
		ids := old.ids(kind)
		for id := range now.ids(kind) {
			ids[id] = true
		}
		for id := range ids {
			compareRecords(old, now, kind, id, whole, trailers, add)
		}
	}
	return all
}

// follows reports whether a plan at another path is the same, moved.
func follows(old, now *plan) bool {
	all, kept := 0, 0
	for _, kind := range []string{"task", "issue"} {
		there := now.ids(kind)
		for id := range old.ids(kind) {
			all++
			if there[id] {
				kept++
			}
		}
	}
	return 2*kept >= all
}

func compareRecords(old, now *plan, kind, id string, whole bool, trailers []trailer, add func(recording)) {
	was, is := old.get(kind, id), now.get(kind, id)
	if was != nil && is != nil && was.text("created_at") != "" && is.text("created_at") != "" && was.text("created_at") != is.text("created_at") {
		left(old, now, kind, id, was, whole, trailers, add)
		appeared(kind, id, is, add)
		return
	}
	switch {
	case was == nil:
		appeared(kind, id, is, add)
	case is == nil:
		left(old, now, kind, id, was, whole, trailers, add)
	default:
		changed(old, now, kind, id, was, is, add)
	}
}

func appeared(kind, id string, is record, add func(recording)) {
	t := recording{event: "added", kind: kind, id: id, born: is.text("created_at"), after: is}
	if kind == "issue" {
		t.event = "issue-added"
		add(t)
		return
	}
	add(t)
	if is.text("kill") != "" {
		t.event, t.reason = "killed", is.text("kill")
		add(t)
		t.reason = ""
	}
	if is.done() {
		t.event, t.attempt, t.doneAt = "done", is.text("attempt"), is.text("done_at")
		add(t)
	}
}

func changed(old, now *plan, kind, id string, was, is record, add func(recording)) {
	t := recording{kind: kind, id: id, born: is.text("created_at"), before: was, after: is}
	if fields := changedFields(was, is); len(fields) > 0 {
		t.event, t.fields = "edited", fields
		add(t)
		t.fields = nil
	}
	if kind == "issue" {
		return
	}
	if is.text("kill") != "" && (is.text("kill") != was.text("kill") || is.text("kill_log") != was.text("kill_log")) {
		t.event, t.reason = "killed", is.text("kill")
		add(t)
		t.reason = ""
	}
	if is.done() && (!was.done() || !sameAttempt(was.text("attempt"), was.text("done_at"), is.text("attempt"), is.text("done_at"))) {
		t.event, t.attempt, t.doneAt = "done", is.text("attempt"), is.text("done_at")
		add(t)
	} else if was.done() && is.pending() && tombstone(old, now, was) == nil {
		t.event, t.attempt, t.doneAt = "reopened", was.text("attempt"), was.text("done_at")
		add(t)
	}
}

func left(old, now *plan, kind, id string, was record, whole bool, trailers []trailer, add func(recording)) {
	t := recording{event: "issue-done", kind: kind, id: id, born: was.text("created_at"), before: was}
	if kind == "issue" {
		add(t)
		return
	}
	t.attempt, t.doneAt = was.text("attempt"), was.text("done_at")
	said := ""
	for _, tr := range about(trailers, "task", id) {
		if e := tr.event(); e == "accepted" || e == "cancelled" {
			said = e
		}
	}
	successor := ""
	if now != nil {
		for _, r := range now.records {
			if r.text("t") == "task" && r.text("supersedes") == id && successor == "" {
				successor = r.text("id")
			}
		}
	}
	switch {
	case said != "":
		t.event = said
	case whole:
		t.event = "cancelled"
	case successor != "" && (old.get("reject", id) != nil || now.get("reject", id) != nil):
		t.event, t.successor = "rejected", successor
	case was.text("done_at") == "":
		t.event = "cancelled"
	case tombstone(old, now, was) != nil:
		t.event = "rejected"
	default:
		t.event = "accepted"
	}
	replaced := t.successor != "" && !old.supersedes(id)
	for _, tr := range about(trailers, "task", id) {
		replaced = replaced || t.successor != "" && tr.name == "superseded"
	}
	t.left, t.inferred = t.event == "rejected", said == "" && !replaced
	if t.left {
		for _, p := range []*plan{old, now} {
			for _, stone := range p.all("reject", id) {
				if sameAttempt(stone.text("attempt"), stone.text("done_at"), was.text("attempt"), was.text("done_at")) {
					t.reason = stone.text("reason")
				}
			}
		}
	}
	add(t)
}

// supersedes reports whether a task of the plan names another one as what it took the place of.
func (p *plan) supersedes(id string) bool {
	return p != nil && slices.ContainsFunc(p.records, func(r record) bool { return r.text("t") == "task" && r.text("supersedes") == id })
}

// normalTime rewrites a time so that it sorts as text, "" where it is none.
func normalTime(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
