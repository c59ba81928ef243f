package merge

import (
	"cmp"
	"fmt"
	"unicode/utf8"
)

// longestValue is how much of a value a message shows, in characters.
const longestValue = 100

// String says in a sentence what was recorded.
func (c Conflict) String() string {
	if c.Field == Removed {
		return fmt.Sprintf("conflict in %s: one side removed it, the other changed it; it stays, and the removal is recorded", who(c.ID))
	}
	if c.Dep != "" {
		cycle := ""
		if c.Cycle != "" {
			cycle = ", " + c.Cycle
		}
		return fmt.Sprintf("conflict in %s: waiting for %s would close a cycle%s; the dependency is left out, and recorded", who(c.ID), c.Dep, cycle)
	}
	return fmt.Sprintf("conflict in %s: both sides changed %s; one value is kept, all are recorded", who(c.ID), cmp.Or(c.Field, `""`))
}

// String says in a sentence what was discarded.
func (l DiscardedValue) String() string {
	discarded := shortened(l.Value)
	if l.Value == "null" {
		discarded = "its removal"
	}
	if l.Kept == "null" {
		return fmt.Sprintf("%s: %s: discarded %s", who(l.ID), l.Field, discarded)
	}
	return fmt.Sprintf("%s: %s: kept %s, discarded %s", who(l.ID), l.Field, shortened(l.Kept), discarded)
}

func who(id string) string {
	if id == "" {
		return "the spec"
	}
	return id
}

func shortened(text string) string {
	if utf8.RuneCountInString(text) <= longestValue {
		return text
	}
	return string([]rune(text)[:longestValue]) + "…"
}
