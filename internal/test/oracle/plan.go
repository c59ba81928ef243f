package oracle

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// record is one line of a plan.
type record map[string]any

// plan is the content of a plan file.
type plan struct {
	blob    string
	records []record
	bad     bool
}

func parsePlan(blob, text string) *plan {
	p := &plan{blob: blob}
	for _, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.Trim(line, " \t\r")
		if line == "" {
			continue
		}
		d := json.NewDecoder(bytes.NewReader([]byte(line)))
		d.UseNumber()
		var r record
		if d.Decode(&r) != nil || r == nil {
			p.bad = true
			continue
		}
		p.records = append(p.records, r)
	}
	return p
}

func (r record) text(name string) string {
	s, _ := r[name].(string)
	return s
}

func (r record) is(kind, id string) bool { return r.text("t") == kind && r.text("id") == id }

func (r record) done() bool { return r.text("s") == "d" }

func (r record) pending() bool { return r["s"] == nil || r.text("s") == "p" }

func (r record) title() string {
	if r.text("t") == "task" && r.text("name") != "" {
		return r.text("name")
	}
	return r.text("desc")
}

// get finds the first record of a kind with an id.
func (p *plan) get(kind, id string) record {
	if p == nil {
		return nil
	}
	for _, r := range p.records {
		if r.is(kind, id) {
			return r
		}
	}
	return nil
}

func (p *plan) all(kind, id string) []record {
	var found []record
	if p == nil {
		return nil
	}
	for _, r := range p.records {
		if r.is(kind, id) {
			found = append(found, r)
		}
	}
	return found
}

func (p *plan) spec() string {
	if p == nil {
		return ""
	}
	for _, r := range p.records {
		if r.text("t") == "spec" {
			return r.text("spec")
		}
	}
	return ""
}

// ids are the ids of the plan's records of a kind.
func (p *plan) ids(kind string) map[string]bool {
	ids := map[string]bool{}
	if p == nil {
		return ids
	}
	for _, r := range p.records {
		if r.text("t") == kind && r.text("id") != "" {
			ids[r.text("id")] = true
		}
	}
	return ids
}

// known are the fields of tasks and issues, in which null is nothing.
var known = map[string]string{
	"task":  " t id spec name notes accept deps s done_at priority reject kill kill_log parent created_from supersedes created_at labels role meta attempt renamed_from conflict ",
	"issue": " t id spec desc created_at priority labels meta renamed_from conflict ",
}

// withoutState returns a record without the fields that hold the state of a task.
func (r record) withoutState() map[string]any {
	kept := map[string]any{}
	for name, v := range r {
		if v == nil && strings.Contains(known[r.text("t")], " "+name+" ") {
			continue
		}
		if r.text("t") == "task" && strings.Contains(" s done_at attempt reject kill kill_log ", " "+name+" ") {
			continue
		}
		kept[name] = v
	}
	if _, named := kept["name"]; !named && r.text("t") == "task" && r["desc"] != nil { // as old plans have it
		kept["name"] = r["desc"]
		delete(kept, "desc")
	}
	return kept
}

// changedFields returns the fields of a record that changed: the old value and the new one. A state
// that has no name is a field as well.
func changedFields(was, is record) map[string][2][]any {
	changed := map[string][2][]any{}
	old, now := was.withoutState(), is.withoutState()
	values := func(m map[string]any, name string) []any {
		if v, there := m[name]; there {
			return []any{v}
		}
		return nil
	}
	for _, m := range []map[string]any{old, now} {
		for name := range m {
			if a, b := values(old, name), values(now, name); !reflect.DeepEqual(a, b) {
				changed[name] = [2][]any{a, b}
			}
		}
	}
	named := func(r record) bool { return r.done() || r.pending() }
	if was.text("t") == "task" && was.text("s") != is.text("s") && !(named(was) && named(is)) {
		changed["s"] = [2][]any{{was.text("s")}, {is.text("s")}}
	}
	return changed
}

// sameAttempt reports whether two records are of one attempt.
func sameAttempt(attemptA, doneA, attemptB, doneB string) bool {
	if attemptA != "" && attemptB != "" {
		return attemptA == attemptB
	}
	if doneA == "" || doneB == "" {
		return doneA == doneB
	}
	return strings.HasPrefix(doneA, doneB) || strings.HasPrefix(doneB, doneA)
}

func dateIn(seconds int64, minutes int) string {
	if minutes <= -24*60 || minutes >= 24*60 {
		minutes = 0
	}
	return time.Unix(seconds, 0).In(time.FixedZone("", minutes*60)).Format(time.RFC3339)
}
