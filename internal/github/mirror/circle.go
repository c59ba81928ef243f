package mirror

import (
	"fmt"
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A graph has the items that items lead to by one field.
type graph map[string][]string

// leads reports whether a way leads from an item to another one.
func (g graph) leads(from, to string) bool {
	seen, open := map[string]bool{from: true}, []string{from}
	for len(open) > 0 {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		if id == to {
			return true
		}
		for _, next := range g[id] {
			if !seen[next] {
				seen[next] = true
				open = append(open, next)
			}
		}
	}
	return false
}

// hasCircle reports whether a way leads from an item back to it.
func (g graph) hasCircle() bool {
	waiting := map[string]int{} // how many items lead to each
	for _, all := range g {
		for _, id := range all {
			waiting[id]++
		}
	}
	var open []string
	for id := range g {
		if waiting[id] == 0 {
			open = append(open, id)
		}
	}
	left, known := len(g), func(id string) bool { _, found := g[id]; return found }
	for ; len(open) > 0; left-- {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		for _, next := range g[id] {
			if waiting[next]--; waiting[next] == 0 && known(next) {
				open = append(open, next)
			}
		}
	}
	return left > 0
}

// withoutCircles takes dependencies and parents out of the issues' side that would close a circle: GitHub has such, and the plan has not. items are those
// of the plan, and pairs all that are merged.
func withoutCircles(items []plan.Record, pairs []pair, versions map[string][3]plan.Record, out *Merged) {
	for _, field := range []string{"blocked_by", "parent"} {
		own, all := graph{}, graph{}
		for _, item := range items {
			own[item.ID()] = targets(item, field)
			all[item.ID()] = own[item.ID()]
		}
		for id, v := range versions {
			all[id] = targets(v[2], field)
		}
		if !all.hasCircle() {
			continue
		}
		for _, it := range pairs {
			id := it.item.ID()
			v, found := versions[id]
			if !found {
				continue
			}
			var kept []string
			for _, to := range targets(v[2], field) {
				switch {
				case slices.Contains(own[id], to):
				case own.leads(to, id):
					out.Warnings = append(out.Warnings, fmt.Sprintf("%s of #%d stays out: it leads to %s, and from there back", field, it.Number, to))
					continue
				default:
					own[id] = append(slices.Clone(own[id]), to)
				}
				kept = append(kept, to)
			}
			value := jsonl.ListMember(field, kept)
			if field == "parent" {
				value = jsonl.TextMember(field, append(kept, "")[0])
			}
			v[2] = with(v[2], value)
			versions[id] = v
		}
	}
}

func targets(item plan.Record, field string) []string {
	if field == "parent" {
		return slices.DeleteFunc([]string{item.Text(field)}, func(id string) bool { return id == "" })
	}
	return item.Texts(field)
}
