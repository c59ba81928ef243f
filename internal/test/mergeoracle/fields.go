package mergeoracle

import (
	"slices"
	"strings"
)

// state are the fields of a task that are merged as one.
var state = []string{"s", "done_at", "attempt", "kill", "kill_log", "reject"}

// prose are the texts that are merged by words.
var prose = []string{"name", "notes", "accept", "desc", "reason"}

// mergeFields merges a record by fields.
func (m *merger) mergeFields(b, x, y record) *fate {
	f := &fate{fields: map[string][]outcome{}, open: map[string]bool{}}
	names := map[string]bool{}
	var recordedIn [3]map[string][]value
	for i, r := range []record{b, x, y} {
		for name := range r.fields {
			names[name] = names[name] || name != "conflict"
		}
		candidates, ok := r.conflict()
		for name := range candidates {
			names[name], f.open[name] = true, f.open[name] || !ok
		}
		recordedIn[i] = candidates
	}
	if b.kind == "task" {
		m.state(f, b, x, y)
		for _, name := range state {
			f.open[name] = f.open[name] || names[name] && recordedIn[0][name] != nil || recordedIn[1][name] != nil || recordedIn[2][name] != nil
			names[name] = false
		}
	}
	if isLegacy(b, x, y) {
		m.legacyName(f, b, x, y)
		names["name"], names["desc"] = false, false
	}
	for name, wanted := range names {
		if wanted {
			f.fields[name] = m.field(f, name, [3]record{b, x, y}, [3][]value{recordedIn[0][name], recordedIn[1][name], recordedIn[2][name]})
		}
	}
	if at, other := x.fields["created_at"], y.fields["created_at"]; at != "" && other != "" && !isOne(b.fields["created_at"], at, other) {
		f.fields["renamed_from"] = setOf([]value{value(quote(x.id)), max(at, other)})
	}
	return f
}

// isLegacy reports whether the name of a task is in desc in some version and in name in another one.
func isLegacy(all ...record) bool {
	var inDesc, inName bool
	for _, r := range all {
		hasName := !r.isUnnamed()
		inName = inName || hasName
		inDesc = inDesc || !hasName && r.fields["desc"] != ""
	}
	return all[0].kind == "task" && inDesc && inName
}

// legacyName merges a name that is in desc and in name. Where a version has both, the rules leave open what is the name.
func (m *merger) legacyName(f *fate, b, x, y record) {
	f.fields["name"] = proseOutcomes(b.name(), x.name(), y.name())
	if v, ok := oneSided(b.name(), x.name(), y.name()); ok {
		f.fields["name"] = just(v)
	}
	for _, r := range []record{b, x, y} {
		candidates, _ := r.conflict()
		if r.fields["name"] != "" && r.fields["desc"] != "" || candidates["name"] != nil || candidates["desc"] != nil {
			f.open["name"], f.open["desc"] = true, true
		}
	}
	if v, ok := oneSided(b.fields["name"], x.fields["name"], y.fields["name"]); ok && v == "" { // a side took the new name back
		f.open["name"], f.open["desc"] = true, true
	}
}

// field merges a field: its values and what was recorded of it.
func (m *merger) field(f *fate, name string, r [3]record, was [3][]value) []outcome {
	values := [3]value{r[0].fields[name], r[1].fields[name], r[2].fields[name]}
	switch name {
	case "conflict":
		return []outcome{{candidates: mergeSets(sorted(was[0]), sorted(was[1]), sorted(was[2]))}}
	case "t", "id":
		return []outcome{{value: values[1], candidates: mergeSets(sorted(was[0]), sorted(was[1]), sorted(was[2]))}}
	case "removed":
		return []outcome{{value: mustOne(values), candidates: mergeSets(sorted(was[0]), sorted(was[1]), sorted(was[2]))}}
	}
	if name == r[0].waitsField() {
		f.open[name] = f.open[name] || was[0] != nil || was[1] != nil || was[2] != nil
		return nil
	}
	for _, pointer := range pointers {
		for _, o := range r {
			if name == pointer && slices.ContainsFunc(o.pointsAt(name), func(id value) bool { return m.moved[id.text()] }) {
				f.open[name] = true
			}
		}
	}
	odd, able := [3][]value{}, [3][]value{}
	isConflict := false
	for i, all := range was {
		for _, c := range sorted(all) {
			if canHold(r[0].kind, name, c) && name != "created_at" { // which of these stays has a rule of its own
				able[i] = append(able[i], c)
			} else {
				odd[i] = append(odd[i], c)
			}
		}
		isConflict = isConflict || !isNone(able[i], values[i])
	}
	outcomes := plain(r[0].kind, name, values)
	if isConflict {
		outcomes = candidates(ranksOf(r[0].kind, name), values, able)
	}
	if slices.ContainsFunc(r[:], func(r record) bool { return strings.Contains(r.line, `\u`) }) {
		outcomes = anyShown(outcomes) // the longer spelling wins, and values here have none
	}
	kept := mergeSets(odd[0], odd[1], odd[2])
	for i, o := range outcomes {
		outcomes[i].candidates = nilIfEmpty(sorted(append(slices.Clone(o.candidates), kept...)))
	}
	return outcomes
}

// anyShown lets each candidate of a conflict be the one that is shown.
func anyShown(outcomes []outcome) []outcome {
	for _, o := range slices.Clone(outcomes) {
		for _, c := range o.candidates {
			outcomes = append(outcomes, outcome{value: c, candidates: o.candidates})
		}
	}
	return outcomes
}

// plain merges the values of a field of which no conflict is recorded.
func plain(kind, name string, v [3]value) []outcome {
	if name == "created_at" && (v[1] == "" || v[2] == "") {
		return just(max(v[1], v[2]))
	}
	if one, ok := oneSided(v[0], v[1], v[2]); ok {
		return just(one)
	}
	return bothChanged(kind, name, v[0], v[1], v[2])
}

func isOne(b, x, y value) bool { _, ok := oneSided(b, x, y); return ok }

func mustOne(v [3]value) value { one, _ := oneSided(v[0], v[1], v[2]); return one }

// bothChanged merges a field that both sides changed in different ways.
func bothChanged(kind, name string, b, x, y value) []outcome {
	switch {
	case name == "created_at":
		return just(min(x, y))
	case ranksOf(kind, name) != nil:
		return disagreeing(highest(ranksOf(kind, name), []value{x.orNone(), y.orNone()}))
	case slices.Contains(prose, name):
		if x == "" || y == "" {
			return disagree(x, y)
		}
		return proseOutcomes(b, x, y)
	case name == "labels" || name == "files" && kind == "item" || name == "renamed_from":
		bs, ok := b.list()
		xs, okX := x.list()
		ys, okY := y.list()
		if ok && okX && okY {
			return setOf(mergeSets(bs, xs, ys))
		}
	case name == "meta":
		if outcomes, ok := objects(b, x, y, 1); ok {
			return outcomes
		}
	}
	if outcomes, ok := objects(b, x, y, 1); ok {
		return outcomes
	}
	return disagree(x, y)
}

// states of items, the first gives way to all.
var states = []string{
	"Backlog", "Research Needed", "Research in Progress", "Ready for Plan", "Plan in Progress", "Plan in Review", "In Progress", "In Review", "Done", "Canceled", "Human Needed",
}

// ranksOf returns the values of a field of which the higher one is kept, the lowest first; nil for any other field.
func ranksOf(kind, name string) []string {
	switch {
	case name == "priority" && kind != "spec":
		return []string{"low", "medium", "high"}
	case name == "state" && kind == "item":
		return states
	}
	return nil
}

// highest returns those values of a field that has ranks to which none is superior. One without a rank is below all that have one, and
// no value is below that.
func highest(ranks []string, all []value) []value {
	rank := func(v value) int {
		if v == none || v == `""` {
			return -2
		}
		return slices.Index(ranks, v.text())
	}
	best := rank(slices.MaxFunc(all, func(a, b value) int { return rank(a) - rank(b) }))
	return slices.DeleteFunc(slices.Clone(all), func(v value) bool { return rank(v) < best })
}

// candidates merges what is recorded of a field.
func candidates(ranks []string, v [3]value, was [3][]value) []outcome {
	var all [3][]value
	var both [3]string
	for i := range v {
		all[i] = sorted(slices.Clone(was[i]))
		if !slices.Contains(all[i], v[i].orNone()) {
			all[i] = sorted(append(all[i], v[i].orNone()))
		}
		both[i] = string(v[i]) + "\n" + fmtOf(withShown(was[i], v[i]))
	}
	if one, ok := oneSided(both[0], both[1], both[2]); ok {
		i := slices.Index(both[:], one)
		return []outcome{{value: v[i], candidates: nilIfEmpty(sorted(slices.Clone(was[i])))}}
	}
	if one, ok := oneSided(v[0], v[1], v[2]); ok && slices.Equal(all[1], all[2]) {
		return []outcome{recorded(one, all[1])}
	}
	merged := mergeSets(all[0], all[1], all[2])
	var settled []value
	for i := 1; i <= 2; i++ {
		if !isNone(was[0], v[0]) && isNone(was[i], v[i]) {
			settled = append(settled, v[i])
		}
	}
	if ranks != nil {
		for _, v := range settled {
			merged = append(merged, v.orNone())
		}
		if len(merged) == 0 {
			merged = slices.Concat(all[1], all[2])
		}
		merged = slices.Compact(sorted(highest(ranks, merged)))
		settled = slices.DeleteFunc(settled, func(v value) bool { return !slices.Contains(merged, v.orNone()) })
	}
	shown := mustOne(v)
	switch {
	case len(settled) == 2 && settled[0] != settled[1]:
		return disagree(v[1], v[2])
	case len(settled) == 1 || len(settled) == 2 && settled[0] == settled[1]:
		shown = settled[0]
	case len(merged) > 0:
		if shown = winner(merged); shown == none {
			rest := slices.DeleteFunc(slices.Clone(merged), func(c value) bool { return c == none })
			shown = winner(append(rest, ""))
		}
		if slices.Contains(v[:], none) && slices.Contains(merged, none) { // it may be a value that is null, or that there is none
			return []outcome{recorded(shown, merged), recorded(none, merged)}
		}
	}
	if !slices.Contains(merged, shown.orNone()) {
		merged = append(merged, shown.orNone())
	}
	return []outcome{recorded(shown, merged)}
}

func nilIfEmpty(all []value) []value {
	if len(all) == 0 {
		return nil
	}
	return all
}

func fmtOf(all []value) string {
	text := ""
	for _, v := range sorted(slices.Clone(all)) {
		text += string(v) + "\n"
	}
	return text
}
