package merge_test

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

func decode(data []byte) *plan.Plan {
	p, _ := plan.Decode(string(data))
	return p
}

func named(r plan.Record) bool {
	return r.Kind().HasUniqueID() && r.ID() != ""
}

// checkKept: no record and no value that a side added or changed is absent
// from the result, its recorded conflicts and the named losers.
func checkKept(t *rapid.T, base, side, other []byte, got merge.Result) {
	before, now, after := decode(base), decode(side), decode(got.Data)
	k := keeper{before: before, now: now, after: after, losers: got.Discarded}
	for _, r := range now.Records() {
		if !named(r) && r.Kind() != plan.KindSpec {
			k.line(before, now, decode(other), r)
			continue
		}
		old, found := sameRecord(before, r)
		if found && old.JSON() == r.JSON() || r.Kind() == plan.KindSpec && r.Line() != now.Of(plan.KindSpec)[0].Line() {
			continue
		}
		if _, kept := sameRecord(decode(other), old); found && !kept && k.isOnlyRestamped(old, r) {
			continue
		}
		k.record(old, found, r)
	}
	if k.lost != "" {
		t.Fatalf("lost: %s\nbase\n%s\nside\n%s\nother\n%s\nresult\n%s%+v", k.lost, base, side, other, got.Data, got.Discarded)
	}
}

// sameRecord finds in a plan what a record of another one was there. A merge may have given it its id since.
func sameRecord(p *plan.Plan, r plan.Record) (plan.Record, bool) {
	for _, o := range p.Of(r.Kind()) {
		if wasCalled(r, o.ID(), o.CreatedAt()) {
			return o, true
		}
		about := o.Name() == r.Name() && o.Spec() == r.Spec() || r.Kind() == plan.KindSpec
		if o.ID() == r.ID() && (o.CreatedAt() == "" || r.CreatedAt() == "" || o.CreatedAt() == r.CreatedAt() || about) {
			return o, true
		}
	}
	return plan.Record{}, false
}

// wasCalled reports whether a record had an id and a time of creation before merges gave it another id.
func wasCalled(r plan.Record, id, createdAt string) bool {
	names := r.Texts("renamed_from")
	for i := 0; i+1 < len(names); i += 2 {
		if names[i] == id && names[i+1] == createdAt {
			return true
		}
	}
	return false
}

// isOnlyRestamped reports whether nothing but the id and the time of creation of a record changed. That does not keep it where the other
// side removed it (docs/merge.md, "Removed on one side").
func (k *keeper) isOnlyRestamped(old, r plan.Record) bool {
	return !slices.ContainsFunc(plan.ChangedFields(old, r), func(c plan.FieldChange) bool {
		follows := old.ID() != r.ID() && slices.Contains([]string{"id", "deps", "parent", "supersedes", "created_from"}, c.Name)
		follows = follows || c.Name == r.Kind().WaitsField() && k.follows(idsIn([]jsonl.Value{c.Before}), idsIn([]jsonl.Value{c.After}))
		return c.Name != "created_at" && c.Name != "renamed_from" && !follows
	})
}

// A keeper looks for what a side said in a result.
type keeper struct {
	before, now, after *plan.Plan

	losers []merge.DiscardedValue
	lost   string
}

// line looks for a line that is not merged by fields.
func (k *keeper) line(before, now, other *plan.Plan, r plan.Record) {
	had, has, kept, there := countRenamed(before, now, r), count(now, r), countRenamed(other, now, r), countRenamed(k.after, now, r)
	if r.Kind() == plan.KindReject && there < has {
		// It follows its task, where that got another id.
		for _, o := range k.after.Of(plan.KindReject) {
			if o.Text("reason") == r.Text("reason") && o.Text("done_at") == r.Text("done_at") {
				return
			}
		}
	}
	if has > had && (there < 1 && kept >= had || kept >= had && there < has) {
		k.lost = r.JSON()
	}
}

// countRenamed counts a line of a plan in another one, where a task that it names may still have another id.
func countRenamed(p, now *plan.Plan, r plan.Record) int {
	n := count(p, r)
	task, found := now.Task(r.ID())
	if names := task.Texts("renamed_from"); found && r.Kind() == plan.KindReject {
		for i := 0; i < len(names); i += 2 {
			members := slices.Clone(r.Object().Members())
			at := slices.IndexFunc(members, func(m jsonl.Member) bool { return m.Name == "id" })
			members[at].Value = jsonl.Quote(names[i])
			n += count(p, plan.MakeRecord(plan.KindReject, members))
		}
	}
	return n
}

func count(p *plan.Plan, r plan.Record) int {
	n := 0
	for _, o := range p.Records() {
		if o.JSON() == r.JSON() {
			n++
		}
	}
	return n
}

// record looks for a record that a side added or changed.
func (k *keeper) record(old plan.Record, found bool, r plan.Record) {
	heirs := k.heirs(r)
	if len(heirs) == 0 && !found {
		k.lost = r.JSON()
	}
	for _, m := range r.Object().Members() {
		var was jsonl.Value
		if found {
			was, _ = old.Get(m.Name)
		}
		if found && m.Name == "name" && !old.Has("name") {
			was, _ = old.Get("desc")
		}
		if found && m.Name == "desc" && r.Kind() == plan.KindTask && !r.Has("name") && !old.Has("desc") {
			was, _ = old.Get("name")
		}
		if same(was, m.Value) || wasCandidate(old, m) || m.Value == "null" || slices.Contains([]string{"t", "id", "renamed_from"}, m.Name) || k.gaveWay(r, m) {
			continue
		}
		if m.Name == "created_at" && !slices.ContainsFunc(heirs, func(h plan.Record) bool { return isHeir(h, old) || isHeir(h, r) }) {
			continue // it was removed, and this is no change that keeps it
		}
		if !slices.ContainsFunc(heirs, func(h plan.Record) bool { return k.holds(h, old, was, m) }) {
			k.lost = r.ID() + ": " + m.Name + " = " + string(m.Value)
		}
	}
}

// wasCandidate reports whether a side shows what the base listed as a candidate: it added nothing, and the other side may have resolved that.
func wasCandidate(old plan.Record, m jsonl.Member) bool {
	conflict, _ := old.Get("conflict")
	return slices.ContainsFunc(candidates(conflict, m.Name), func(v jsonl.Value) bool { return v != "" && same(v, m.Value) })
}

// heirs are the records that may be one now: those that have its id, or had it before merges gave them another one, at once or in several steps.
func (k *keeper) heirs(r plan.Record) (all []plan.Record) {
	ids := map[string]bool{r.ID(): true}
	for known := 0; known < len(ids); {
		known, all = len(ids), nil
		for _, h := range k.after.Of(r.Kind()) {
			if ids[h.ID()] || slices.ContainsFunc(h.Texts("renamed_from"), func(id string) bool { return ids[id] }) {
				ids[h.ID()] = true
				all = append(all, h)
			}
		}
	}
	return all
}

// isHeir reports whether a record is what became of another one, and not of one that got its id later.
func isHeir(h, r plan.Record) bool { return h.ID() == r.ID() || wasCalled(h, r.ID(), r.CreatedAt()) }

func (k *keeper) gaveWay(r plan.Record, m jsonl.Member) bool {
	return slices.ContainsFunc(k.losers, func(l merge.DiscardedValue) bool {
		what := jsonl.Value(l.Value)
		return l.Field == m.Name && (same(what, m.Value) || (m.Name == "deps" || m.Name == "blocked_by") && k.holdsDeps(nil, what, nil, m.Value))
	})
}

// holds reports whether a record of the result holds what a member said newly.
func (k *keeper) holds(h, old plan.Record, was jsonl.Value, m jsonl.Member) bool {
	v, _ := h.Get(m.Name)
	conflict, _ := h.Get("conflict")
	recorded := candidates(conflict, m.Name)
	if m.Name == "desc" && h.Kind() == plan.KindTask {
		name, _ := h.Get("name")
		recorded = append(append(recorded, candidates(conflict, "name")...), name)
	}
	for _, c := range append(recorded, v) {
		if same(c, m.Value) || prosaic(m.Name) && holdsWords(c, was, m.Value) || holdsLeaves(c, was, m.Value) {
			return true
		}
	}
	switch m.Name {
	case "deps", "blocked_by":
		// a candidate of the base is nothing that a side added: it may have been put together with what the record waits for
		had, _ := old.Get("conflict")
		return k.holdsDeps(recorded, v, append(candidates(had, m.Name), was), m.Value)
	case "labels", "files":
		now, _ := v.Strings()
		old, _ := was.Strings()
		labels, isList := m.Value.Strings()
		return isList && !slices.ContainsFunc(labels, func(l string) bool { return !slices.Contains(now, l) && !slices.Contains(old, l) })
	case "conflict":
		return k.holdsCandidates(h, conflict, old, m.Value)
	case "parent", "supersedes", "created_from":
		s, _ := m.Value.Str()
		now, _ := v.Str()
		return k.renamed(s, now)
	}
	return false
}

func prosaic(field string) bool {
	return slices.Contains([]string{"name", "desc", "notes", "accept"}, field)
}

func candidates(conflict jsonl.Value, field string) []jsonl.Value {
	o, _ := jsonl.ParseObject(string(conflict))
	v, _ := o.Get(field)
	if values, isArray := v.Elements(); isArray {
		return values
	}
	return []jsonl.Value{v}
}

// holdsWords: a text merged by words holds every word that a side wrote.
func holdsWords(v, was, wrote jsonl.Value) bool {
	now, isText := v.Str()
	old, _ := was.Str()
	text, _ := wrote.Str()
	for word := range strings.FieldsSeq(text) {
		if !strings.Contains(old, word) && !strings.Contains(now, word) {
			return false
		}
	}
	return isText
}

// holdsLeaves: an object merged by members holds every leaf that a side wrote.
func holdsLeaves(v, was, wrote jsonl.Value) bool {
	if same(v, wrote) || same(was, wrote) {
		return true
	}
	if wrote.Kind() != jsonl.Map || v == "" || v.Kind() != jsonl.Map {
		return false
	}
	now, _ := jsonl.ParseObject(string(v))
	old, _ := jsonl.ParseObject(string(was))
	written, _ := jsonl.ParseObject(string(wrote))
	for _, m := range written.Members() {
		a, _ := now.Get(m.Name)
		b, _ := old.Get(m.Name)
		if !holdsLeaves(a, b, m.Value) {
			return false
		}
	}
	return true
}

func (k *keeper) holdsDeps(recorded []jsonl.Value, v jsonl.Value, was []jsonl.Value, wrote jsonl.Value) bool {
	now, old := idsIn(append(recorded, v)), idsIn(was)
	deps, _ := wrote.Strings()
	for _, dep := range deps {
		followed := func(d string) bool { return d == dep || k.renamed(dep, d) }
		if !slices.Contains(old, dep) && !k.wasDep(old, dep) && !slices.ContainsFunc(now, followed) && !k.inherited(dep) {
			return false
		}
	}
	return true
}

// idsIn returns what several lists of ids hold.
func idsIn(lists []jsonl.Value) (all []string) {
	for _, v := range lists {
		ids, _ := v.Strings()
		all = append(all, ids...)
	}
	return all
}

// wasDep reports whether a side waits for what the base waited for, which only has another id there.
func (k *keeper) wasDep(old []string, dep string) bool {
	return slices.ContainsFunc(k.now.Records(), func(r plan.Record) bool {
		was, found := sameRecord(k.before, r)
		return r.ID() == dep && found && was.ID() != dep && slices.Contains(old, was.ID())
	})
}

// follows reports whether a side waits for the same as the base, of which some have another id there.
func (k *keeper) follows(old, now []string) bool {
	isNew := func(id string) bool { return !slices.Contains(old, id) && !k.wasDep(old, id) }
	return len(old) == len(now) && !slices.ContainsFunc(now, isNew)
}

// inherited reports whether other tasks took the place of one.
func (k *keeper) inherited(id string) bool {
	_, stays := k.after.Task(id)
	return !stays && slices.ContainsFunc(k.after.Of(plan.KindTask), func(r plan.Record) bool {
		return r.Text("parent") == id || r.Text("supersedes") == id
	})
}

func (k *keeper) renamed(old, now string) bool {
	return slices.ContainsFunc(k.after.Records(), func(r plan.Record) bool {
		return r.ID() == now && slices.Contains(r.Texts("renamed_from"), old)
	})
}

// holdsCandidates: a candidate that a side recorded is one of the result's, or
// the value that was settled on. One that the base had, as a candidate or as the
// field's value, is nothing that the side added. One of a field whose higher value wins may have given way.
func (k *keeper) holdsCandidates(h plan.Record, conflict jsonl.Value, old plan.Record, wrote jsonl.Value) bool {
	was, _ := old.Get("conflict")
	o, err := jsonl.ParseObject(string(wrote))
	if err != nil {
		return false
	}
	for _, m := range o.Members() {
		settled, _ := h.Get(m.Name)
		before, _ := old.Get(m.Name)
		if m.Name == "name" && h.Kind() == plan.KindTask && !old.Has("name") {
			before, _ = old.Get("desc")
		}
		kept := append(append(candidates(conflict, m.Name), candidates(was, m.Name)...), settled, before)
		for _, c := range candidates(wrote, m.Name) {
			waits, isList := c.Strings() // candidates of dependencies are put together, and what closes no cycle is back
			all := h.WaitsFor()
			for _, v := range kept {
				some, _ := v.Strings()
				all = append(all, some...)
			}
			back := m.Name == h.Kind().WaitsField() && (isList || c == "null") && !slices.ContainsFunc(waits, func(dep string) bool { return !slices.Contains(all, dep) })
			if c == "null" {
				continue // no value
			}
			if !back && !k.gaveWay(h, jsonl.Member{Name: m.Name, Value: c}) && !slices.ContainsFunc(kept, func(v jsonl.Value) bool { return same(v, c) }) {
				return false
			}
		}
	}
	return true
}

func value(r plan.Record) jsonl.Value { return jsonl.Value(r.JSON()) }

// same compares values as JSON says: by meaning, numbers by their spelling.
func same(a, b jsonl.Value) bool { return canon(a) == canon(b) }

func canon(v jsonl.Value) string {
	if v == "" {
		return ""
	}
	switch v.Kind() {
	case jsonl.String:
		if s, _ := v.Str(); !strings.ContainsRune(s, '\uFFFD') {
			return string(jsonl.Quote(s))
		}
	case jsonl.Array:
		var all []string
		for e := range v.All() {
			all = append(all, canon(e))
		}
		return "[" + strings.Join(all, ",") + "]"
	case jsonl.Map:
		o, _ := jsonl.ParseObject(string(v))
		var all []string
		for _, m := range o.Members() {
			all = append(all, string(jsonl.Quote(m.Name))+":"+canon(m.Value))
		}
		slices.Sort(all)
		return "{" + strings.Join(all, ",") + "}"
	}
	return string(v)
}
