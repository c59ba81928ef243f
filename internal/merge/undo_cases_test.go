package merge_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
)

// drawBefore draws a plan that has something for each kind of change.
func drawBefore(t *rapid.T) []byte {
	m := drawBase(t, nil)
	if number(t, 2) == 0 {
		drawItems(t, &m)
	}
	if number(t, 2) == 0 {
		drawReview(&m)
	}
	for _, name := range []string{"add issue", "conflict", "done"} {
		if number(t, 2) == 0 {
			edits[slices.IndexFunc(edits, func(e edit) bool { return e.name == name })].do(t, &m)
		}
	}
	return m.file()
}

// changedBy draws a change of a plan: by a command, or an edit by hand of every kind that the laws are tried on. It returns the
// plan after it; the name is "" where nothing could be changed.
func changedBy(t *rapid.T, before []byte) (after []byte, name string) {
	for range 12 {
		if number(t, 3) == 0 {
			m := modelOf(before)
			e := pick(t, slices.Concat(edits, itemEdits))
			e.do(t, &m)
			after, name = m.file(), "by hand: "+e.name
		} else {
			d, p := pick(t, deeds), decode(before)
			if _, err := d.do(t, p); err != nil {
				continue
			}
			after, name = p.Encode(), d.name
		}
		if _, problems := plan.Decode(string(after)); string(after) != string(before) && len(problems) == 0 {
			return after, name
		}
	}
	return before, ""
}

// modelOf makes a model of a plan's file.
func modelOf(data []byte) model {
	m := model{end: "\n"}
	for _, r := range decode(data).Records() {
		m.add(parse(r.JSON()))
	}
	return m
}

// changedSince draws what happened to a plan since a change: more changes, or a merge of what others made of the plan with the change or
// of the one without it. Each third time it happened to a record that the change touched.
func changedSince(t *rapid.T, before, after, now []byte) []byte {
	base := pick(t, [][]byte{now, now, now, now, before, after})
	theirs := base
	if number(t, 3) == 0 {
		base = pick(t, [][]byte{now, before, after})
		theirs = changedSame(t, before, after, base)
	} else {
		for range pick(t, []int{1, 1, 1, 2}) {
			theirs, _ = changedBy(t, theirs)
		}
	}
	merged, err := merge.Merge(base, now, theirs)
	if err != nil {
		t.Fatalf("%v\nbase\n%s\nx\n%s\ny\n%s", err, base, now, theirs)
	}
	return merged.Data
}

// changedSame draws a change of one of the records in which two plans differ, in a third one; one that is not there is added as it was.
func changedSame(t *rapid.T, before, after, in []byte) []byte {
	var touched []plan.Record
	for _, d := range plandiff.Compare(decode(before), decode(after)).Records {
		touched = append(touched, d.Shown())
	}
	if len(touched) == 0 {
		return in
	}
	r, m := pick(t, touched), modelOf(in)
	at := slices.IndexFunc(m.lines, func(l line) bool { return l.get("t") == string(r.Kind()) && l.get("id") == r.ID() })
	if at < 0 {
		at = len(m.lines)
		m.add(parse(r.JSON()))
	}
	l := &m.lines[at]
	switch what := pick(t, []string{"text", "text", "x", "time", "state", "gone", "as it was", "meta"}); {
	case what == "as it was":
	case what == "gone":
		m.remove(at)
	case l.members == nil:
	case r.Kind() == plan.KindSpec:
		l.set("spec", jsonl.Quote(pick(t, specs)))
	case what == "text":
		if field := pick(t, []string{"name", "desc", "notes", "reason"}); l.raw(field) == "" {
			l.set(field, prose(t))
		} else {
			l.set(field, reworded(t, l.raw(field)))
		}
	case what == "meta" && r.Kind().HasUniqueID():
		l.set("meta", pick(t, []jsonl.Value{`{"a": 1, "b": {"c": "y"}}`, `{"a": 3, "n": "other"}`, `{"verdict": "ok"}`}))
	case what == "time" && r.Kind().HasUniqueID():
		l.set("created_at", created(t, &m))
	case what == "state" && r.Kind() == plan.KindTask:
		l.set("s", `"p"`)
		done(t, &m, l)
	case what == "state" && r.Kind() == plan.KindItem:
		l.set("state", itemState(t))
	default:
		l.set("x", jsonl.Value(fmt.Sprint(number(t, 3))))
	}
	if _, problems := plan.Decode(string(m.file())); len(problems) > 0 {
		return in
	}
	return m.file()
}
