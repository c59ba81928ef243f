package merge_test

import (
	"maps"
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// diverging returns the places in which plans differ.
func diverging(plans []*commit) map[place]bool {
	found := map[place]bool{}
	first := byPlace(plans[0].data)
	for _, c := range plans[1:] {
		if string(c.data) == string(plans[0].data) {
			continue
		}
		differ := map[place]bool{}
		other := byPlace(c.data)
		for record, r := range first {
			if q, there := other[record]; !there {
				differ[place{record, "there"}] = true
			} else {
				compareRecords(differ, r, q)
			}
		}
		for record := range other {
			if _, there := first[record]; !there {
				differ[place{record, "there"}] = true
			}
		}
		if len(differ) == 0 {
			differ[place{field: "order"}] = true
		}
		maps.Copy(found, differ)
	}
	return found
}

// byPlace returns the records of a plan: tasks, issues and the spec by what
// places call them, others by their text.
func byPlace(data []byte) map[string]plan.Record {
	all := map[string]plan.Record{}
	for _, r := range decode(data).Records() {
		if named(r) || r.Kind() == plan.KindSpec {
			all[placeOf(r, "").record] = r
		} else {
			all[r.JSON()] = r
		}
	}
	return all
}

// compareRecords adds the places in which two versions of a record differ: its
// fields, or else the order of its members.
func compareRecords(found map[place]bool, r, q plan.Record) {
	if r.JSON() == q.JSON() {
		return
	}
	same := true
	note := func(a, b []jsonl.Member) {
		for _, m := range append(slices.Clone(a), b...) {
			if m.Name != "conflict" && memberOf(a, m.Name) != memberOf(b, m.Name) {
				found[placeOf(r, m.Name)] = true
				same = false
			}
		}
	}
	note(r.Object().Members(), q.Object().Members())
	note(recordedIn(r), recordedIn(q))
	if same {
		found[placeOf(r, "order")] = true
	}
}

func recordedIn(r plan.Record) []jsonl.Member {
	v, _ := r.Get("conflict")
	o, _ := jsonl.ParseObject(string(v))
	return o.Members()
}

func memberOf(all []jsonl.Member, name string) jsonl.Value {
	for _, m := range all {
		if m.Name == name {
			return m.Value
		}
	}
	return ""
}
