package plandiff_test

import (
	"strings"
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"

	"pgregory.net/rapid"
)

func asIs(s string) string { return s }

// A plan as text has a field a line, and shows what cannot be read as it is.
func TestText(t *testing.T) {
	data := "\ufeff" + strings.Join([]string{
		`{"t": "task", "id": "t-bbbb", "spec": "a.md", "name": "Two", "deps": ["t-aaaa",  "t-x"], "notes": "a\n  b\n", "s": "p"}`,
		`{"t": "reject", "id": "t-bbbb", "reason": "no"}`,
		``,
		`{"t": "issue", "id": "i-1", "desc": "Flaky", "priority": null}`,
		`<<<<<<< HEAD`,
		`{"t": "task", "id": "t-old", "desc": "Legacy", "n": 1.0, "text": "1.0", "e": "", "b": " x"}`,
		`{"t": "task", "id": 7}`,
		`{"a b": {"c": 1}}`,
		`{"t": "spec", "spec": "a.md"}`,
	}, "\r\n")
	want := `spec
  spec: a.md

record without a kind
  "a b": {"c": 1}

issue i-1
  desc: Flaky
  priority: null

task t-bbbb
  name: Two
  deps: ["t-aaaa", "t-x"]
  notes:
    a
      b

  s: p
  spec: a.md

reject t-bbbb
  reason: no

task t-old
  name: Legacy
  b: " x"
  e: ""
  n: 1.0
  text: "1.0"

<<<<<<< HEAD

{"t": "task", "id": 7}
`
	if got := plandiff.Textconv(data, asIs); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := plandiff.Textconv("", asIs); got != "" {
		t.Errorf("an empty plan: %q", got)
	}
}

// Every text of the file passes through visible, so none reaches a terminal as
// it is.
func TestTextIsMadeVisible(t *testing.T) {
	const esc = "\x1b"
	data := `{"t": "x\u001b", "id": "y\u001b", "z\u001b": "v\u001b", "l": ["\u001b"], "o": {"` + "\u009b" + `": 1}}` + "\n" + esc + "[31m\n"
	got := plandiff.Textconv(data, func(s string) string { return strings.NewReplacer(esc, "ESC", "\u009b", "CSI").Replace(s) })
	if strings.ContainsAny(got, esc+"\u009b") {
		t.Errorf("a control character came through: %q", got)
	}
}

// The order of lines does not show; a difference that Compare reports does.
func TestTextShowsWhatDiffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := genLines(t, "lines")
		shuffled := rapid.Permutation(lines).Draw(t, "shuffled")
		if a, b := text(lines), text(shuffled); a != b {
			t.Fatalf("the order shows:\n%s\n%s", a, b)
		}
		other := genLines(t, "other")
		a, b := decode(t, lines...), decode(t, other...)
		if d := plandiff.Compare(a, b); len(d.Records) > 0 && plandiff.Textconv(encode(a), asIs) == plandiff.Textconv(encode(b), asIs) {
			t.Fatalf("%v do not show in\n%s", summary(d), text(lines))
		}
	})
}

func text(lines []string) string {
	return plandiff.Textconv(strings.Join(lines, "\n"), asIs)
}

func encode(p *plan.Plan) string { return string(p.Encode()) }
