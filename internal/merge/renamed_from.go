package merge

import (
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// formerNames returns the ids that a record had before merges gave it others, each
// with its time of creation. It is nil where "renamed_from" is not made of
// such pairs.
func formerNames(r plan.Record) [][2]string { return pairs(r.Texts("renamed_from")) }

func pairs(flat []string) [][2]string {
	if len(flat)%2 != 0 {
		return nil
	}
	var all [][2]string
	for i := 0; i < len(flat); i += 2 {
		all = append(all, [2]string{flat[i], flat[i+1]})
	}
	return all
}

// flatten is the inverse of pairs. It sorts, and drops repetitions.
func flatten(all [][2]string) jsonl.Value {
	slices.SortFunc(all, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	var flat []string
	for _, p := range slices.Compact(all) {
		flat = append(flat, p[0], p[1])
	}
	return jsonl.List(flat)
}

// addFormer adds a former id to a record.
func addFormer(r plan.Record, former [2]string) plan.Record {
	return set(r, "renamed_from", flatten(append(formerNames(r), former)))
}

// set returns a record with one member set.
func set(r plan.Record, field string, v jsonl.Value) plan.Record {
	members := r.Object().Members()
	for i := range members {
		if members[i].Name == field {
			members[i].Value = v
			return plan.MakeRecord(r.Kind(), members)
		}
	}
	return plan.MakeRecord(r.Kind(), append(members, jsonl.Member{Name: field, Value: v}))
}

// A formerName is one entry of "renamed_from": a name that the record had, and its
// time of creation.
type formerName struct {
	name
	created string
}

// followRenames gives records that an input has under an id which another
// input renamed the new id, before anything is compared (docs/merge.md, "Two
// tasks with one id").
func (m *merger) followRenames() {
	targets := m.renames()
	if len(targets) == 0 {
		return
	}
	var names [inputs]newNames
	for i := range m.in {
		names[i] = m.outdatedNames(i, targets)
	}
	for _, side := range [...]int{one, two} {
		m.in[side].followMissing(names[side], names[base])
	}
	var olds []string
	for i := range names {
		for old := range names[i] {
			olds = append(olds, old)
		}
	}
	if len(olds) == 0 {
		return
	}
	m.renamed = true
	m.touch(olds)
	for i := range m.in {
		for j := range m.in[i].touched {
			t := &m.in[i].touched[j]
			t.rec = names[i].followAll(t.rec)
		}
	}
}

// followAll is follow for a record that may itself have another id since: then
// that is recorded too, for references to the id that it loses.
func (names newNames) followAll(r plan.Record) plan.Record {
	followed := names.follow(r)
	if followed.ID() != r.ID() && r.Kind().HasUniqueID() && len(formerNames(r)) > 0 {
		return addFormer(followed, [2]string{r.ID(), r.CreatedAt()})
	}
	return followed
}

// renames collects the former names of the touched tasks and issues, each with
// the smallest id that a record of that name has now.
func (m *merger) renames() map[formerName]string {
	targets := map[formerName]string{}
	for i := range m.in {
		for _, t := range m.in[i].touched {
			if !t.rec.Kind().HasUniqueID() {
				continue
			}
			for _, p := range formerNames(t.rec) {
				b := formerName{name{t.rec.Kind(), p[0]}, p[1]}
				if id, found := targets[b]; t.rec.ID() != b.id && (!found || t.rec.ID() < id) {
					targets[b] = t.rec.ID()
				}
			}
		}
	}
	return targets
}

// outdatedNames returns the new ids of tasks and issues that an input has under a
// former one. No two records get the same id: a certain match gets it, else the one
// with the smallest id.
func (m *merger) outdatedNames(side int, targets map[formerName]string) newNames {
	in, names := &m.in[side], newNames{}
	has := in.names()
	assign := func(matches func(r plan.Record, yield func(target string))) {
		smallest := map[name]string{}
		for _, t := range in.touched {
			if !t.rec.Kind().HasUniqueID() {
				continue
			}
			matches(t.rec, func(target string) {
				to, id := name{t.rec.Kind(), target}, t.rec.ID()
				if before, found := smallest[to]; !has[to] && (!found || id < before) {
					smallest[to] = id
				}
			})
		}
		for _, to := range slices.SortedFunc(maps.Keys(smallest), func(a, b name) int { return strings.Compare(a.id, b.id) }) {
			if _, found := names[smallest[to]]; !found {
				names[smallest[to]], has[to] = to, true
			}
		}
	}
	before := map[name]plan.Record{} // tasks and issues of the base
	if side != base {
		for _, t := range m.in[base].touched {
			if n, named := nameOf(t.rec); named {
				before[n] = t.rec
			}
		}
	}
	assign(func(r plan.Record, yield func(target string)) {
		self := name{r.Kind(), r.ID()}
		versions := []plan.Record{r}
		if was, found := before[self]; found {
			versions = append(versions, was)
		}
		m.steps += len(versions)
		for _, was := range versions {
			b := formerName{self, was.CreatedAt()}
			if target, found := targets[b]; found && isRenamed(was, b, target) && same(was, r) {
				yield(target)
			}
		}
	})
	assign(func(r plan.Record, yield func(target string)) {
		all := formerNames(r)
		m.steps += len(all)
		for _, p := range all {
			if target, found := targets[formerName{name{r.Kind(), p[0]}, p[1]}]; found && r.ID() != p[0] {
				yield(target)
			}
		}
	})
	return names
}

func (in *input) names() map[name]bool {
	has := map[name]bool{}
	for _, t := range in.touched {
		if n, named := nameOf(t.rec); named {
			has[n] = true
		}
	}
	return has
}

// isRenamed reports whether a record is the one that got the id target. Without a
// time of creation that is decided by the id, which is a digest of the content.
func isRenamed(r plan.Record, b formerName, target string) bool {
	if r.ID() != b.id || r.CreatedAt() != b.created {
		return false
	}
	return b.created != "" || len(target) > 2 && digest(r, len(target)-2) == target[2:]
}

// hasFormerName reports whether a record's own "renamed_from" has a former name: two
// merges gave it two ids.
func hasFormerName(r plan.Record, b formerName) bool {
	return slices.Contains(formerNames(r), [2]string{b.id, b.created})
}

// followMissing adds the renames of records that a side refers to but no longer has.
func (in *input) followMissing(names, base newNames) {
	has := in.names()
	for old, to := range base {
		if !has[name{to.kind, old}] && !has[to] {
			names[old] = to
		}
	}
}

// mergeFormers merges "renamed_from" of two sides: the pairs of both. It is ""
// where they are not made of pairs.
func mergeFormers(x, y jsonl.Value) jsonl.Value {
	xs, _ := x.Strings()
	ys, _ := y.Strings()
	if len(xs)%2 != 0 || len(ys)%2 != 0 {
		return ""
	}
	return flatten(append(pairs(xs), pairs(ys)...))
}
