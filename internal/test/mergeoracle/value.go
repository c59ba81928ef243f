package mergeoracle

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// A value is JSON, spelled in one way: equal values are equal strings. "" stands for no value.
type value string

// none is how candidates of a conflict spell that there is no value.
const none = "null"

// maxDepth is the depth up to which values are compared by their meaning.
const maxDepth = 64

type member struct {
	name string
	raw  string
}

// membersOf returns the members of a JSON object, ok is false where it is none.
func membersOf(raw string) (all []member, ok bool) {
	if !strings.HasPrefix(raw, "{") {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		name, err := d.Token()
		var v json.RawMessage
		if err != nil || d.Decode(&v) != nil {
			return nil, false
		}
		all = append(all, member{name.(string), string(v)})
	}
	return all, true
}

func elementsOf(raw string) (all []string, ok bool) {
	var parts []json.RawMessage
	if !strings.HasPrefix(raw, "[") || json.Unmarshal([]byte(raw), &parts) != nil {
		return nil, false
	}
	for _, p := range parts {
		all = append(all, string(p))
	}
	return all, true
}

// textOf returns a text; one with half a character in it is no text.
func textOf(raw string) (string, bool) {
	var s string
	if !strings.HasPrefix(raw, `"`) || json.Unmarshal([]byte(raw), &s) != nil || strings.ContainsRune(s, '\uFFFD') {
		return "", false
	}
	return s, true
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always can be
	return strings.TrimSuffix(b.String(), "\n")
}

// valueOf returns the value that JSON stands for. The members of objects are sorted.
func valueOf(raw string) value { return value(spelled(strings.TrimSpace(raw), 1)) }

func spelled(raw string, depth int) string {
	if isPlainText(raw) {
		return raw
	}
	if s, ok := textOf(raw); ok {
		return quote(s)
	}
	if depth > maxDepth {
		return raw
	}
	if all, ok := elementsOf(raw); ok {
		for i := range all {
			all[i] = spelled(all[i], depth+1)
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	if all, ok := membersOf(raw); ok {
		parts := make([]string, len(all))
		for i, m := range all {
			parts[i] = quote(m.name) + ": " + spelled(m.raw, depth+1)
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return raw
}

// isPlainText reports whether a JSON value is a text that is spelled as quote does, as most are: without what may be spelled otherwise.
func isPlainText(raw string) bool {
	return len(raw) > 1 && raw[0] == '"' && !strings.ContainsAny(raw, "\\\u2028\u2029\ufffd\x7f") && utf8.ValidString(raw)
}

// isDeep reports whether a value is nested so deep that it is compared as a whole.
func (v value) isDeep() bool {
	depth, deepest, inText := 0, 0, false
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest > maxDepth
}

// orNone spells a value as candidates do.
func (v value) orNone() value {
	if v == "" {
		return none
	}
	return v
}

// text returns the text that a value is.
func (v value) text() string { s, _ := textOf(string(v)); return s }

func (v value) isText() bool { _, ok := textOf(string(v)); return ok }

// list returns the elements of a list of texts; ok is false where it is none. No value is an empty list.
func (v value) list() (all []value, ok bool) {
	if v == "" {
		return nil, true
	}
	parts, ok := elementsOf(string(v))
	for _, p := range parts {
		all, ok = append(all, value(p)), ok && p[0] == '"'
	}
	return all, ok
}

func listOf(elements []value) value {
	parts := make([]string, len(elements))
	for i, e := range elements {
		parts[i] = string(e)
	}
	return value("[" + strings.Join(parts, ", ") + "]")
}

// mergeSets returns the base's elements less what either side removed, plus what either added, sorted.
func mergeSets(base, x, y []value) (all []value) {
	for _, e := range slices.Concat(base, x, y) {
		inBase, inX, inY := slices.Contains(base, e), slices.Contains(x, e), slices.Contains(y, e)
		if inBase && inX && inY || !inBase && (inX || inY) {
			all = append(all, e)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// oneSided returns what becomes of something that only one side changed; ok is false where both did, in different ways.
func oneSided[T comparable](base, x, y T) (result T, ok bool) {
	switch {
	case x == y, y == base:
		return x, true
	case x == base:
		return y, true
	}
	return result, false
}

// winner returns which of several values is shown: the longer one, then the one that sorts last.
func winner(all []value) value {
	return slices.MaxFunc(all, func(a, b value) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(string(a), string(b))
	})
}
