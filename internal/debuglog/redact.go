package debuglog

import (
	"strings"
	"unicode/utf8"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/mask"
)

// A redactor takes secrets out of events: the values of names that say so, and what looks like one.
type redactor struct{ masker *mask.Masker }

// secretNames are in the names of parameters whose values are not written, in lower case.
func secretNames() []string {
	return []string{"token", "auth", "secret", "key", "password", "credential"}
}

// isSecret reports whether a name is that of a secret.
func isSecret(name string) bool {
	name = strings.ToLower(name)
	for _, word := range secretNames() {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// text returns a text without secrets and control characters, of at most max bytes.
func (r redactor) text(text string, max int) string {
	const maxMasked = 64 << 10 // more than max, as a secret in front of the cut may be found by what is behind it
	text = r.masker.Text(cut(text, maxMasked))
	return cut(text, max)
}

// cut returns the beginning of a text, whole characters.
func cut(text string, max int) string {
	if len(text) <= max {
		return text
	}
	for max > 0 && !utf8.RuneStart(text[max]) {
		max--
	}
	return text[:max] + "…"
}

// maxDepth is how deep parameters may be.
const maxDepth = 6

// object returns parameters without secrets.
func (r redactor) object(o jsonl.Object) jsonl.Object { return r.masker.Object(r.objectAt(o, 0)) }

func (r redactor) objectAt(o jsonl.Object, depth int) jsonl.Object {
	members := o.Members()
	for i, m := range members {
		switch words, isList := m.Value.Strings(); {
		case isSecret(m.Name):
			members[i].Value = jsonl.Quote(mask.Masked)
		case m.Name == wordsName && isList:
			members[i].Value = jsonl.List(r.words(words))
		default:
			members[i].Value = r.value(m.Value, depth+1)
		}
	}
	return jsonl.Build(members)
}

func (r redactor) value(v jsonl.Value, depth int) jsonl.Value {
	switch kind := v.Kind(); {
	case kind == jsonl.String:
		text, _ := v.Str()
		return jsonl.Quote(r.embedded(text, depth))
	case depth > maxDepth && (kind == jsonl.Map || kind == jsonl.Array):
		return jsonl.Quote("…")
	case kind == jsonl.Map:
		return jsonl.Value(r.objectAt(v.Object(), depth).Text())
	case kind == jsonl.Array:
		var parts []string
		for element := range v.All() {
			parts = append(parts, string(r.value(element, depth+1)))
		}
		return jsonl.Value("[" + strings.Join(parts, ", ") + "]")
	}
	return v
}

// embedded returns a text, which may be JSON itself.
func (r redactor) embedded(text string, depth int) string {
	if trimmed := strings.TrimSpace(text); depth <= maxDepth && strings.HasPrefix(trimmed, "{") {
		if o, err := jsonl.ParseObject(trimmed); err == nil {
			return r.text(r.objectAt(o, depth).Text(), maxValue)
		}
	}
	return r.text(text, maxValue)
}

// words returns the words of a command line without secrets: the value of --token, in the same word or the next one, and of NAME=value.
func (r redactor) words(words []string) []string {
	masked := make([]string, len(words))
	secret := false
	for i, word := range words {
		name, _, hasValue := strings.Cut(word, "=")
		isFlag := strings.HasPrefix(word, "-")
		switch {
		case secret && !isFlag:
			masked[i] = mask.Masked
		case hasValue && isSecret(name):
			masked[i] = r.text(name, maxName) + "=" + mask.Masked
		default:
			masked[i] = r.text(word, maxValue)
		}
		secret = isFlag && !hasValue && isSecret(name)
	}
	// What is secret only beside another word, such as in "-u name:password", is found in the whole line.
	if whole := strings.Join(masked, " "); r.masker.HasSecret(whole) {
		return []string{r.text(whole, maxParams/2)}
	}
	return masked
}
