package view

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// A Filter selects cards. The zero Filter matches all.
type Filter struct {
	terms []term
	bare  string // a field without a value, which selects nothing
}

// A term is one condition of a filter.
type term struct {
	field string // "" for a word
	value string // in lower case
	not   bool
}

// FilterFields returns the names of the fields that a filter can ask for, each before a colon.
func FilterFields() []string {
	return []string{"status", "worker", "spec", "id", "kind", "label", "priority", "role", "item", "state", "has"}
}

// accepted returns what a field can be asked for; nil where that can be anything.
func accepted(field string) (values []string) {
	switch field {
	case "status":
		for _, s := range slices.Concat(Columns(), Ended()) {
			values = append(values, string(s))
		}
	case "kind":
		values = []string{string(plan.KindTask), string(plan.KindIssue), string(plan.KindItem)}
	case "priority":
		values = plan.Priorities()
	case "state":
		values = plan.ItemStates()
	case "has":
		values = []string{"conflict", "rejections", "person", "claim", "check"}
	}
	return values
}

// Err returns which value no field can have, and what it can; nil where all of them can. A filter with such a value can be used: it
// matches nothing, as while somebody types.
func (f Filter) Err() error {
	for _, t := range f.terms {
		values := accepted(t.field)
		known := func(value string) bool {
			value = strings.ToLower(value)
			return value == t.value || (t.field == "status" || t.field == "state") && strings.HasPrefix(value, t.value)
		}
		if values != nil && !slices.ContainsFunc(values, known) {
			return fmt.Errorf("invalid %s %q: want %s", t.field, t.value, pipeline.OneOf(values))
		}
	}
	switch values := accepted(f.bare); {
	case values != nil:
		return fmt.Errorf("%s: has no value: want %s", f.bare, pipeline.OneOf(values))
	case f.bare != "":
		return fmt.Errorf("%s: has no value", f.bare)
	}
	return nil
}

// ParseFilter reads a filter as people type it: words, each of which is to be part of the id or a text of the record, in capitals or not; and fields, such as
// status:ready, worker:ann, spec:api.md or has:conflict. A text in double quotes is one word, and "-" before a word or a field
// leaves out what matches. What is not known as a field is a word. All of them are to match; several of status:, id: or kind: name
// alternatives.
func ParseFilter(text string) Filter {
	var f Filter
	for _, word := range words(text) {
		t := term{}
		if rest, found := strings.CutPrefix(word, "-"); found && rest != "" {
			t.not, word = true, rest
		}
		field, value, found := strings.Cut(word, ":")
		if field = strings.ToLower(field); found && slices.Contains(FilterFields(), field) {
			t.field, word = field, value
		}
		if t.value = strings.ToLower(strings.ReplaceAll(word, `"`, "")); t.value != "" {
			f.terms = append(f.terms, t)
		} else if t.field != "" {
			f.bare = t.field
		}
	}
	return f
}

// words divides a text at white space that is not between double quotes. The last quote may be missing, as while somebody types.
func words(text string) []string {
	quoted := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && unicode.IsSpace(r)
	})
}

// Empty reports whether the filter matches all.
func (f Filter) Empty() bool { return len(f.terms) == 0 }

// Matches reports whether a filter selects a card.
func (f Filter) Matches(card *Card) bool {
	alternatives := map[string]bool(nil) // of each field, whether one matched
	for _, t := range f.terms {
		matched := t.matches(card)
		switch {
		case t.not && matched:
			return false
		case t.not:
		case t.field == "status" || t.field == "id" || t.field == "kind":
			if alternatives == nil {
				alternatives = map[string]bool{}
			}
			alternatives[t.field] = alternatives[t.field] || matched
		case !matched:
			return false
		}
	}
	for _, matched := range alternatives {
		if !matched {
			return false
		}
	}
	return true
}

func (t term) matches(card *Card) bool {
	switch t.field {
	case "":
		return t.isIn(card.ID()) || t.isIn(card.Name()) || t.isIn(card.Holder) || t.isIn(card.Item) || t.isInTexts(card.Record)
	case "status":
		return strings.HasPrefix(string(card.Status), t.value)
	case "worker":
		return card.Holder != "" && t.isIn(card.Holder)
	case "spec":
		return t.isIn(card.Spec())
	case "id":
		return strings.HasPrefix(strings.ToLower(card.ID()), t.value) || strings.EqualFold(card.Item, t.value)
	case "kind":
		return t.value == string(card.Kind())
	case "label":
		return slices.ContainsFunc(card.Texts("labels"), func(label string) bool { return strings.EqualFold(label, t.value) })
	case "priority":
		return strings.EqualFold(card.Priority(), t.value)
	case "role":
		return card.Kind() == plan.KindTask && strings.EqualFold(card.Role(), t.value)
	case "item":
		return strings.EqualFold(card.Item, t.value)
	case "state":
		return strings.HasPrefix(strings.ToLower(card.State), t.value)
	}
	return t.has(card)
}

// has is matches for the field of that name.
func (t term) has(card *Card) bool {
	switch t.value {
	case "conflict":
		return card.Conflict
	case "rejections":
		return card.Rejected > 0
	case "person":
		return card.Person
	case "claim":
		return card.Holder != ""
	case "check":
		return len(card.Checks()) > 0
	}
	return false
}

// isInTexts reports whether a text of a record contains the word. Most records that do not are known by their bytes, which is ten times
// as fast as to parse them.
func (t term) isInTexts(r *plan.Record) bool {
	if text := r.JSON(); !t.isIn(text) && strings.IndexByte(text, '\\') < 0 {
		return false
	}
	return r.ContainsText(t.value)
}

// isIn reports whether a text contains the word, in capitals or not.
func (t term) isIn(text string) bool {
	if !isASCII(t.value) {
		return !isASCII(text) && strings.Contains(strings.ToLower(text), t.value)
	}
	first := t.value[0]
	for i := 0; i+len(t.value) <= len(text); i++ {
		if lower(text[i]) == first && strings.EqualFold(text[i:i+len(t.value)], t.value) {
			return true
		}
	}
	return false
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
