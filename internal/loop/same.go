package loop

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// saysTheSame reports whether two blocks do, however each is written: agents re-space JSON that they print. What is no JSON is
// compared by its words.
func saysTheSame(a, b string) bool {
	one, err := parseReport(a)
	other, errOther := parseReport(b)
	if err != nil || errOther != nil {
		return slices.Equal(strings.Fields(a), strings.Fields(b))
	}
	return sameObject(one.object, other.object)
}

func sameObject(a, b jsonl.Object) bool {
	if a.Len() != b.Len() {
		return false
	}
	for _, m := range a.Members() {
		if other, found := b.Get(m.Name); !found || !sameValue(m.Value, other) {
			return false
		}
	}
	return true
}

func sameValue(a, b jsonl.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case jsonl.String:
		text, _ := a.Str()
		other, _ := b.Str()
		return text == other
	case jsonl.Array:
		elements, _ := a.Elements()
		others, _ := b.Elements()
		return slices.EqualFunc(elements, others, sameValue)
	case jsonl.Map:
		return sameObject(a.Object(), b.Object())
	}
	return a == b
}
