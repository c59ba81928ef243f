package merge

import (
	"cmp"
	"fmt"
	"unicode/utf8"

	"git-ralph/internal/plan"
)

// maxShown is the maximum length of a value in a message, in characters.
const maxShown = 100

// String says in a sentence what was recorded.
func (c Conflict) String() string {
	if c.Field == plan.Removed {
		return fmt.Sprintf("conflict in %s: one side removed it, the other changed it; it stays, and the removal is recorded", recordName(c.ID))
	}
	if c.Dep != "" {
		cycle := ""
		if c.Cycle != "" {
			cycle = ", " + c.Cycle
		}
		return fmt.Sprintf("conflict in %s: waiting for %s would close a cycle%s; the dependency is left out, and recorded", recordName(c.ID), c.Dep, cycle)
	}
	return fmt.Sprintf("conflict in %s: both sides changed %s; one value is kept, all are recorded", recordName(c.ID), cmp.Or(c.Field, `""`))
}

// String says in a sentence what was discarded.
func (d DiscardedValue) String() string {
	discarded := shortened(d.Value)
	if d.Value == "null" {
		discarded = "its removal"
	}
	if d.Kept == "null" {
		return fmt.Sprintf("%s: %s: discarded %s", recordName(d.ID), d.Field, discarded)
	}
	return fmt.Sprintf("%s: %s: kept %s, discarded %s", recordName(d.ID), d.Field, shortened(d.Kept), discarded)
}

func recordName(id string) string {
	if id == "" {
		return "the spec"
	}
	return id
}

func shortened(text string) string {
	if utf8.RuneCountInString(text) <= maxShown {
		return text
	}
	return string([]rune(text)[:maxShown]) + "…"
}
