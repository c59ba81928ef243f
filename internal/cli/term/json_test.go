package term

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"git-ralph/internal/mask"
)

// TestIndent guards: what a terminal shows is the same JSON, without a character
// that would steer it.
func TestIndent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := anyJSON(t, 0)
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(value); err != nil {
			t.Fatal(err)
		}
		shown := Indent(b.String())
		var want, got bytes.Buffer
		if err := json.Compact(&got, shown); err != nil {
			t.Fatalf("%v in %s", err, shown)
		}
		for _, r := range got.String() {
			if mask.IsControl(r) {
				t.Fatalf("%q sends %q", shown, r)
			}
		}
		var back any
		if err := json.Unmarshal(shown, &back); err != nil {
			t.Fatal(err)
		}
		encoder = json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(back); err != nil || want.String() != b.String() {
			t.Fatalf("%s is not %s: %v", want.String(), b.String(), err)
		}
	})
}

func anyJSON(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth > 3 {
		kind %= 4
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return float64(rapid.IntRange(-1000, 1000).Draw(t, "number"))
	case 3:
		return rapid.StringOf(rapid.Rune()).Draw(t, "string")
	case 4:
		array := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			array = append(array, anyJSON(t, depth+1))
		}
		return array
	}
	object := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "size") {
		object[rapid.String().Draw(t, "name")] = anyJSON(t, depth+1)
	}
	return object
}

// TestPrintable guards: text of a stranger stays on one line and moves nothing.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain ü 漢 👩‍👩‍👧": "plain ü 漢 👩‍👩‍👧",
		"a\nb\tc\r":       `a\nb\tc\r`,
		"\x1b[31m\x7f":    `\x1b[31m\x7f`,
		"\u0085\u009b":    `\u0085\u009b`,
		"\u202e\u2066":    `\u202e\u2066`,
		"\xff\xc3":        `\xff\xc3`,
		"\U000e0041":      `\U000e0041`,
	} {
		if got := Printable(text); got != want {
			t.Errorf("printable(%q) = %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		got := Printable(string(rapid.SliceOf(rapid.Byte()).Draw(t, "text")))
		if strings.ContainsFunc(got, mask.IsControl) || !utf8.ValidString(got) {
			t.Fatalf("%q", got)
		}
	})
}

// TestOneLine guards: JSON that was laid out over several lines becomes one line
// of the plan, and means the same.
func TestOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		laidOut, err := json.MarshalIndent(anyJSON(t, 0), "", " \t")
		if err != nil {
			t.Fatal(err)
		}
		line := OneLine(string(laidOut))
		var want, got bytes.Buffer
		if json.Compact(&want, laidOut) != nil || json.Compact(&got, []byte(line)) != nil || want.String() != got.String() {
			t.Fatalf("%s is not %s", line, laidOut)
		}
		if strings.ContainsAny(line, "\n\t") {
			t.Fatalf("%q is more than one line", line)
		}
	})
}
