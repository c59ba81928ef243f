package plancmd

import (
	"strings"
	"testing"

	"git-ralph/internal/jsonl"
)

// TestParseObjects guards: one object, an array or one a line are read, and
// errors name line and column in characters.
func TestParseObjects(t *testing.T) {
	for _, it := range []struct{ text, want string }{
		{`{"a": 1}`, `{"a": 1}`},
		{"{\"a\":\n [1,\n2]}", `{"a": [1, 2]}`},
		{`[{"a": 1}, {"a": 1}]`, `{"a": 1}|{"a": 1}`},
		{"{\"a\": 1}\n\n{\"b\": 2}\r\n", `{"a": 1}|{"b": 2}`},
		{"\ufeff{\"a\": 1}", `{"a": 1}`},
		{"[]", ""},
		{"", ""},
		{" \n", ""},
		{"{\"ü\": x}", "!in:1:7: "},
		{"[{\"a\": 1},\n {\"b\": 1 2}]", "!in:2:10: "},
		{"[{\"a\": 1},\n 7]", "!in:2:2: "},
		{"{\"a\": 1}\n{\"ü\" 2}", "!in:2:6: "},
		{"{\"a\": 1,\n \"a\": 2}", "!in:2:2: "},
		{"words", "!in:1:1: "},
		{`"text"`, "!in:1:1: "},
	} {
		objects, err := parseObjects("in", it.text)
		if want, wrong := strings.CutPrefix(it.want, "!"); wrong {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q: error %v, want %s…", it.text, err, want)
			}
			continue
		}
		if got := joined(objects); err != nil || got != it.want {
			t.Errorf("%q: %s, %v", it.text, got, err)
		}
	}
}

func joined(objects []jsonl.Object) string {
	texts := make([]string, len(objects))
	for i, o := range objects {
		texts[i] = o.Text()
	}
	return strings.Join(texts, "|")
}
