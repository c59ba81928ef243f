package record

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// digest returns a short text that is the same for the same changes, however their values are spelled.
func digest(all []plan.FieldChange) string {
	slices.SortFunc(all, func(a, b plan.FieldChange) int { return strings.Compare(a.Name, b.Name) })
	h := fnv.New64a()
	for _, c := range all {
		fmt.Fprintf(h, "%q %s %s\n", c.Name, jsonl.Canonical(c.Before), jsonl.Canonical(c.After))
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// inBoth returns the changes that are among others too, before which another value stood.
func inBoth(all, others []plan.FieldChange) []plan.FieldChange {
	return slices.DeleteFunc(slices.Clone(all), func(c plan.FieldChange) bool {
		return !slices.ContainsFunc(others, func(o plan.FieldChange) bool { return o.Name == c.Name })
	})
}
