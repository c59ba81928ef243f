package plan

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// ContainsText reports whether the id or a text of a record contains a text, ignoring case. Members that are not written by
// people do not count: a search for "11" should not find what was created in November.
func (r Record) ContainsText(text string) bool {
	text = strings.ToLower(text)
	contains := func(s string) bool { return strings.Contains(strings.ToLower(s), text) }
	return slices.ContainsFunc(r.Object().Members(), func(m jsonl.Member) bool {
		switch m.Name {
		case "t", "s", "created_at", "done_at", "attempt", "kill_log":
			return false
		}
		if list, ok := m.Value.Strings(); ok {
			return slices.ContainsFunc(list, contains)
		}
		s, ok := m.Value.Str()
		return ok && contains(s)
	})
}
