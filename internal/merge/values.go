package merge

import (
	"slices"

	"git-ralph/internal/jsonl"
)

// values are different ones, each in the least spelling that was met.
type values struct {
	all  []jsonl.Value
	same func(a, b jsonl.Value) bool
}

func (vs *values) add(more ...jsonl.Value) {
	for _, v := range more {
		i := slices.IndexFunc(vs.all, func(w jsonl.Value) bool { return vs.same(v, w) })
		switch {
		case i < 0:
			vs.all = append(vs.all, v)
		case v != "" && vs.all[i] != "":
			vs.all[i] = min(vs.all[i], v)
		}
	}
}
