package historytest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A sheet is a plan in memory: its records, and whether the file is broken.
type sheet struct {
	records []record
	broken  string // a line that is no JSON
}

type record map[string]any

func (r record) text(name string) string {
	s, _ := r[name].(string)
	return s
}

func (s *sheet) clone() *sheet {
	if s == nil {
		return nil
	}
	c := &sheet{}
	for _, r := range s.records {
		c.records = append(c.records, maps.Clone(r))
	}
	return c
}

// maxLines is how long plans may become: records without an id double with each commit that is copied.
const maxLines = 300

func (s *sheet) short() *sheet {
	s.records = s.records[:min(len(s.records), maxLines)]
	return s
}

func (s *sheet) text() string {
	var b strings.Builder
	for _, r := range s.records {
		line, _ := json.Marshal(r)
		b.Write(line)
		b.WriteByte('\n')
	}
	if s.broken != "" {
		b.WriteString(s.broken + "\n")
	}
	return b.String()
}

func (s *sheet) find(kind, id string) int {
	return slices.IndexFunc(s.records, func(r record) bool { return r["t"] == kind && r["id"] == id })
}

func (s *sheet) remove(kind, id string) {
	s.records = slices.DeleteFunc(s.records, func(r record) bool { return r["t"] == kind && r["id"] == id })
}

// those returns the ids of the tasks (or issues) that match.
func (s *sheet) those(kind string, matches func(record) bool) []string {
	var ids []string
	for _, r := range s.records {
		if r["t"] == kind && matches(r) {
			ids = append(ids, r.text("id"))
		}
	}
	return ids
}

func (s *sheet) setSpec(spec string) {
	for _, r := range s.records {
		if r["t"] == "spec" {
			r["spec"] = spec
			return
		}
	}
	s.records = slices.Insert(s.records, 0, record{"t": "spec", "spec": spec})
}
