package merge_test

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// lost returns what somebody wrote and nobody took back or wrote over since,
// and that a plan has nowhere: neither as a value, nor as a candidate, nor
// merged with others, nor did a merge name that it gave way.
func (h *history) lost(end *commit) []string {
	var lost []string
	now := says(end.data)
	writes := h.writes()
	for p, all := range writes {
		there := place{p.record, "there"}
		if slices.ContainsFunc(writes[there], func(w write) bool { return len(w.gone) > 0 }) {
			continue // somebody removed the record
		}
		if len(now[there]) == 0 {
			lost = append(lost, p.record)
			continue
		}
		for _, w := range all {
			if h.last(all, w) && !h.holds(now[p], p, w) {
				lost = append(lost, p.record+" "+p.field)
			}
		}
	}
	return lost
}

// last reports whether nobody who saw a write wrote again, or wrote the contrary
// without having seen it.
func (h *history) last(all []write, w write) bool {
	return !slices.ContainsFunc(all, func(v write) bool {
		return v.by != w.by && v.by.seen.has(w.by.n) || v.beside(w) && shares(v.gone, w.stated)
	})
}

// holds reports whether a plan has all that a write said newly.
func (h *history) holds(now saying, p place, w write) bool {
	for _, v := range w.news {
		_, found := now[v]
		switch {
		case found, v == "", h.isNamed(p, w):
		case isProse(p.field) && h.holdsNewWords(now, p, w):
		case isDeps(p.field) || p.field == "parent" || p.field == "id" || p.field == "renamed_from":
			// may follow another record: see TestFollows
		default:
			return false
		}
	}
	return true
}

// isNamed reports whether a merge named what gave way there.
func (h *history) isNamed(p place, w write) bool {
	for _, r := range decode(w.by.data).Records() {
		if placeOf(r, "").record != p.record {
			continue
		}
		for named := range h.named {
			if (named[0] == r.ID() || slices.Contains(r.Texts("renamed_from"), named[0])) && placeOf(r, named[1]).field == p.field {
				return true
			}
		}
	}
	return false
}

func isProse(field string) bool {
	return slices.Contains([]string{"name", "notes", "accept", "desc"}, field)
}

// holdsNewWords reports whether every word that a write put into a text, and that
// no commit before it had there, stands in one of the texts that there are.
func (h *history) holdsNewWords(now saying, p place, w write) bool {
	var known strings.Builder
	for _, c := range h.commits[:w.by.n] {
		known.WriteString(textsOf(says(c.data)[p]) + " ")
	}
	after := textsOf(now)
	for _, word := range strings.Fields(textsOf(says(w.by.data)[p])) {
		if !strings.Contains(known.String(), word) && !strings.Contains(after, word) {
			return false
		}
	}
	return true
}

func textsOf(s saying) string {
	var all []string
	for _, v := range s {
		text, _ := jsonl.Value(v).Str()
		all = append(all, text)
	}
	return strings.Join(all, " ")
}
