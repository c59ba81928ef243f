package report

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFindReport guards: the last whole block counts, those of the prompt do not, and what cannot be read is an error.
func TestFindReport(t *testing.T) {
	const prompt = "end with\n[RALPH_OUTPUT]\n{\"example\": 1}\n[/RALPH_OUTPUT]\n"
	for words, want := range map[string]string{
		"":      "",
		"prose": "",
		"[RALPH_OUTPUT]{\"a\": 1}[/RALPH_OUTPUT]":                                              `{"a": 1}`,
		prompt + "[RALPH_OUTPUT]{\"a\": 1}[/RALPH_OUTPUT]" + prompt:                            `{"a": 1}`,
		"[RALPH_OUTPUT]{\"a\": 1}[/RALPH_OUTPUT] then [RALPH_OUTPUT]{\"b\": 2}[/RALPH_OUTPUT]": `{"b": 2}`,
		"[RALPH_OUTPUT]{\"a\":\n[RALPH_OUTPUT]{\"b\": 2}[/RALPH_OUTPUT]":                       `{"b": 2}`,
		"[RALPH_OUTPUT]\n```json\n{\"a\": {}}\n```\n[/RALPH_OUTPUT]":                           `{"a": {}}`,
		"[RALPH_OUTPUT]{\"a\": 1}[/RALPH_OUTPUT] and [RALPH_OUTPUT]{\"half":                    `{"a": 1}`,
	} {
		r, err := Find(words, prompt)
		if err != nil && !(want == "" && errors.Is(err, ErrNone)) || r.object.Text() != want {
			t.Errorf("%q: %s %v", words, r.object.Text(), err)
		}
	}
	for _, words := range []string{"[RALPH_OUTPUT]{\"a\"", "[RALPH_OUTPUT]none[/RALPH_OUTPUT]", "[RALPH_OUTPUT]{a}[/RALPH_OUTPUT]"} {
		if _, err := Find(words, prompt); !errors.Is(err, ErrUnusable) {
			t.Errorf("%q: %v", words, err)
		}
	}
}

// TestExampleIsNoReport guards: a block that is the prompt's own example says so, however it is laid out, and not only that
// nothing was reported.
func TestExampleIsNoReport(t *testing.T) {
	const prompt = "end with\n[RALPH_OUTPUT]\n{\"example\": 1}\n[/RALPH_OUTPUT]\n"
	for _, words := range []string{prompt, "[RALPH_OUTPUT]\n{\"example\":\n  1}[/RALPH_OUTPUT]", prompt + prompt} {
		if r, err := Find(words, prompt); !errors.Is(err, ErrExample) || !errors.Is(err, ErrUnusable) || r.object.Text() != "" {
			t.Errorf("%q: %s %v", words, r.object.Text(), err)
		}
	}
	if _, err := Find(prompt+"[RALPH_OUTPUT]{\"cut", prompt); errors.Is(err, ErrExample) || !errors.Is(err, ErrUnusable) {
		t.Errorf("an own block that is cut off: %v", err)
	}
}

// TestExampleIsRecognisedByItsContent guards: the prompt's example is one in a quote and in another spacing, notation or order too;
// what differs in a single value is a report, and so is one in a quote.
func TestExampleIsRecognisedByItsContent(t *testing.T) {
	const prompt = `end with
[RALPH_OUTPUT]
{"verdict": "done", "n": [
  {"a": 1.0, "b": "x > y"},
  true
]}
[/RALPH_OUTPUT]
`
	compact := strings.NewReplacer(": ", ":", ", ", ",").Replace(prompt)
	for _, words := range []string{
		"> " + strings.ReplaceAll(prompt, "\n", "\n> "),
		"  | " + strings.ReplaceAll(compact, "\n", "\n  | "),
		compact,
		strings.ReplaceAll(prompt, "\n", "\r\n"),
		`[RALPH_OUTPUT]{"n": [{"b": "x \u003e y", "a": 1.0}, true], "verdict": "done"}[/RALPH_OUTPUT]`,
		"it cut off [RALPH_OUTPUT] and\n> again " + strings.ReplaceAll(prompt, "\n", "\n> again "),
	} {
		if r, err := Find(words, prompt); !errors.Is(err, ErrExample) || r.object.Text() != "" {
			t.Errorf("%q: %s %v", words, r.object.Text(), err)
		}
	}
	for _, own := range []string{
		strings.Replace(prompt, "true", "false", 1), strings.Replace(prompt, "1.0", "2", 1), strings.Replace(prompt, "x >", "x  >", 1),
		strings.Replace(prompt, `"a"`, `"c"`, 1), strings.Replace(prompt, "\n  true", `"true"`, 1), strings.Replace(prompt, ",\n  true", "", 1),
		"> " + strings.ReplaceAll(strings.Replace(prompt, "true", "{}", 1), "\n", "\n> "),
	} {
		if r, err := Find(prompt+own, prompt); err != nil || r.text("verdict") != "done" {
			t.Errorf("%q: %s %v", own, r.object.Text(), err)
		}
	}
}

// TestTextsLoseNothing guards: an issue is kept whatever the agent calls its description.
func TestTextsLoseNothing(t *testing.T) {
	r, err := Find(`[RALPH_OUTPUT]{"issues": ["a", {"desc": "b"}, {"title": "c"}, {"desc": "", "what": "d"}, " "]}[/RALPH_OUTPUT]`, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.texts("issues")
	if diff := cmp.Diff([]string{"a", "b", "c", `{"desc": "", "what": "d"}`}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
