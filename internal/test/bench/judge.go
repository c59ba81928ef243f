package main

import (
	"encoding/json"
	"slices"
	"strings"
)

// A merged file, as the judge reads it: each task's fields by the names that a teamTask has for them.
type merged struct {
	tasks    map[string]fields // by id
	valid    bool              // every line is a record, and no field of a task is missing
	doubled  int               // ids that more than one task has
	reported string            // what the merge said to the user
}

// fields are the values of a task; "raw" is its line, with whatever else was recorded in it.
type fields map[string]string

// judged are the fields that are compared.
var judged = [...]string{"name", "notes", "priority", "state", "deps"}

func (t teamTask) fields() fields {
	return fields{"name": t.name, "notes": t.notes, "priority": t.priority, "state": t.state, "deps": strings.Join(t.deps, " ")}
}

// read reads either format.
func read(text, reported string) merged {
	m := merged{tasks: map[string]fields{}, valid: true, reported: reported}
	for line := range strings.Lines(text) {
		f, id, ok := readTask(line)
		if !ok {
			m.valid = false
			continue
		}
		if _, known := m.tasks[id]; known {
			m.doubled++
		}
		m.tasks[id] = f
	}
	return m
}

// readTask reads one line of either format.
func readTask(line string) (f fields, id string, ok bool) {
	var r struct {
		ID, Name, Title, Notes, S, Status string
		Priority                          any
		Deps                              []string
		Dependencies                      []struct {
			On string `json:"depends_on_id"`
		}
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil || r.ID == "" {
		return nil, "", false
	}
	for _, d := range r.Dependencies {
		r.Deps = append(r.Deps, d.On)
	}
	slices.Sort(r.Deps)
	f = fields{"name": r.Name + r.Title, "notes": r.Notes, "state": r.S, "deps": strings.Join(r.Deps, " "), "raw": line}
	switch r.Status {
	case "open":
		f["state"] = "p"
	case "closed":
		f["state"] = "d"
	}
	switch v := r.Priority.(type) {
	case string:
		f["priority"] = v
	case float64:
		f["priority"] = []string{"none", "high", "medium", "low", "none"}[min(int(v), 4)]
	}
	return f, r.ID, f["name"] != "" && f["state"] != ""
}

// lost counts what a side changed and what is neither in the merged file, nor recorded in it, nor reported.
func (m merged) lost(base, side teamPlan) int {
	was, n := map[string]fields{}, 0
	for _, t := range base {
		was[t.id] = t.fields()
	}
	for _, t := range side {
		now := t.fields()
		got, there := m.tasks[t.id]
		for _, field := range judged {
			old, new := was[t.id][field], now[field]
			if old != new && !m.reports(t.id, field) && (!there || !got.hold(field, old, new)) {
				n++
			}
		}
		delete(was, t.id)
	}
	for id := range was { // removed
		if got, there := m.tasks[id]; there && !strings.Contains(got["raw"], `"removed"`) && !m.reports(id, "removed") {
			n++
		}
	}
	return n
}

// reports whether the merge reported a field.
func (m merged) reports(id, field string) bool {
	if field == "state" {
		field = "s"
	}
	for line := range strings.Lines(m.reported) {
		if strings.Contains(line, id) && strings.Contains(line, " "+field) {
			return true
		}
	}
	return false
}

// hold reports whether a merged task has a change, as its value or recorded. Of texts and sets every word counts that is
// new.
func (f fields) hold(field, old, new string) bool {
	whole := (field == "name" || field == "notes") && strings.Contains(f[field], new) // perhaps beside the other side's
	if f[field] == new || whole || strings.Contains(f["raw"], `"conflict"`) && strings.Contains(f["raw"], `"`+new+`"`) {
		return true
	}
	if field == "priority" || field == "state" {
		return false
	}
	for word := range strings.FieldsSeq(new) {
		if !slices.Contains(strings.Fields(old), word) && !strings.Contains(f["raw"], word) {
			return false
		}
	}
	for word := range strings.FieldsSeq(old) {
		if !slices.Contains(strings.Fields(new), word) && slices.Contains(strings.Fields(f[field]), word) {
			return false
		}
	}
	return true
}
