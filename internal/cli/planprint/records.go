package planprint

import (
	"slices"
	"strings"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// recordText is a record, or a pointer to one.
type recordText interface{ JSON() string }

// WriteRecords writes records as the plan holds them.
func WriteRecords[R recordText](w term.Sink, records []R) {
	term.WriteArray(w, len(records), func(i int) { w.WriteString(strings.TrimSpace(records[i].JSON())) })
}

// writeTask writes a task with what is derived for it beside its own fields:
// "blocked_by", the "claim" of whoever works on it, and the "name" that an old task has in "desc". Fields of
// its own with these names are left out.
func (s State) writeTask(w term.Sink, r *plan.Record) {
	blockedBy := s.BlockedBy(r)
	h, held := s.Claims.Held[r.ID()]
	text := strings.TrimSpace(r.JSON())
	unnamed := r.Text("name") == "" && r.Name() != ""
	_, waits := r.Get("blocked_by")
	_, claimed := r.Get("claim")
	verdict, judged := s.Landed[r.ID()]
	_, landed := r.Get("landed")
	if _, named := r.Get("name"); waits || claimed && held || landed && judged || named && unnamed {
		text = withoutDerived(r.Object(), unnamed, held, judged).Text()
	}
	w.WriteString(text[:len(text)-1])
	if unnamed {
		w.WriteString(`, "name": `)
		term.WriteString(w, r.Name())
	}
	w.WriteString(`, "blocked_by": [`)
	for i, id := range blockedBy {
		if i > 0 {
			w.WriteString(", ")
		}
		term.WriteString(w, id)
	}
	w.WriteString("]")
	if held {
		w.WriteString(`, "claim": `)
		WriteClaim(w, h, s.Claims.Own[r.ID()])
	}
	if judged {
		w.WriteString(`, "landed": "` + string(verdict) + `"`)
	}
	w.WriteString("}")
}

// withoutDerived returns a task without "blocked_by", without "name" where it
// is unnamed, without "claim" where it is held, and without "landed" where that is judged.
func withoutDerived(o jsonl.Object, unnamed, held, judged bool) jsonl.Object {
	return jsonl.Build(slices.DeleteFunc(o.Members(), func(m jsonl.Member) bool {
		return m.Name == "blocked_by" || m.Name == "name" && unnamed || m.Name == "claim" && held || m.Name == "landed" && judged
	}))
}
