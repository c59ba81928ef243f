package merge_test

import (
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A place is one thing that plans say something of: a field of a record, which
// is known by when it was made. "there" is whether there is a record.
type place struct{ record, field string }

// state stands for the fields that say together how far a task has come.
const state = "state"

func placeOf(r plan.Record, field string) place {
	born := string(r.Kind()) + r.CreatedAt()
	switch field {
	case "s", "done_at", "attempt", "kill", "kill_log", "reject":
		field = state
	}
	return place{born, field}
}

// A saying is what a plan says of a place, as a set: the values of a field and
// its candidates, the members of an object, the records that one waits for. Each
// comes with its spelling.
type saying map[string]jsonl.Value

func says(data []byte) map[place]saying {
	all := map[place]saying{}
	for _, r := range decode(data).Records() {
		if !named(r) && r.Kind() != plan.KindSpec {
			continue
		}
		note := func(field string, v jsonl.Value) {
			p := placeOf(r, field)
			if all[p] == nil {
				all[p] = saying{}
			}
			for key, v := range elements(p.field, field, v) {
				all[p][key] = v
			}
		}
		note("there", "true")
		conflict, _ := r.Get("conflict")
		for _, m := range r.Object().Members() {
			if m.Name != "conflict" {
				note(m.Name, m.Value)
			}
		}
		o, _ := jsonl.ParseObject(string(conflict))
		for _, m := range o.Members() {
			for _, v := range candidates(conflict, m.Name) {
				note(m.Name, v)
			}
		}
	}
	return all
}

// isDeps reports whether a field lists what a record waits for.
func isDeps(field string) bool { return field == "deps" || field == "blocked_by" }

// elements returns what a value of a field is made of.
func elements(place, field string, v jsonl.Value) saying {
	all := saying{}
	switch {
	case place == state:
		all[field+"="+canon(v)] = v
	case v == "null":
		all[""] = ""
	case isDeps(field), field == "files":
		deps, _ := v.Strings()
		for _, dep := range deps {
			all[dep] = "true"
		}
	case v.Kind() == jsonl.Map:
		leaves(all, "", v)
	default:
		all[canon(v)] = v
	}
	return all
}

// leaves adds what an object holds, by the names that lead there.
func leaves(all saying, path string, v jsonl.Value) {
	if v.Kind() != jsonl.Map {
		all[path+"="+canon(v)] = v
		return
	}
	all[path+"{}"] = "true"
	o, _ := jsonl.ParseObject(string(v))
	for _, m := range o.Members() {
		leaves(all, path+"."+m.Name, m.Value)
	}
}

// A write is a commit that says something else of a place than its parent.
type write struct {
	by                 *commit
	gone, stated, news []string // of a set that it changed: what left it, what is in it, what came
}

func (w write) beside(v write) bool { return !w.by.seen.has(v.by.n) && !v.by.seen.has(w.by.n) }

// writes collects what commits wrote, merges aside.
func (h *history) writes() map[place][]write {
	all := map[place][]write{}
	for _, c := range h.commits {
		if len(c.parents) != 1 {
			continue
		}
		before, after := says(c.parents[0].data), says(c.data)
		for p := range after {
			if before[p] == nil {
				before[p] = saying{}
			}
		}
		for p, was := range before {
			if after[p] == nil {
				after[p] = saying{}
			}
			if p.field != "there" && len(after[place{p.record, "there"}]) == 0 {
				continue // the whole record left
			}
			w := write{by: c, gone: p.missing(was, after[p]), stated: p.missing(after[p], nil), news: p.missing(after[p], was)}
			if len(w.gone)+len(w.news) > 0 {
				all[p] = append(all[p], w)
			}
		}
	}
	return all
}

// missing returns what one set has and another one has not. A field that holds
// nothing has "".
func (p place) missing(has, lacks saying) []string {
	isSet := isDeps(p.field) || p.field == "files" || p.field == "labels" || p.field == "meta" || p.field == state || p.field == "there"
	if len(has) == 0 && !isSet {
		has = saying{"": ""}
	}
	if lacks != nil && len(lacks) == 0 && !isSet {
		lacks = saying{"": ""}
	}
	var all []string
	for v := range has {
		if _, found := lacks[v]; !found {
			all = append(all, v)
		}
	}
	return all
}
