package loop

import (
	"errors"
	"strings"
	"testing"

	"git-ralph/internal/plan"

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
		r, err := findReport(words, prompt)
		if err != nil || r.object.Text() != want {
			t.Errorf("%q: %s %v", words, r.object.Text(), err)
		}
	}
	for _, words := range []string{"[RALPH_OUTPUT]{\"a\"", "[RALPH_OUTPUT]none[/RALPH_OUTPUT]", "[RALPH_OUTPUT]{a}[/RALPH_OUTPUT]"} {
		if _, err := findReport(words, prompt); !errors.Is(err, errReport) {
			t.Errorf("%q: %v", words, err)
		}
	}
}

// TestExampleIsNoReport guards: a block that is the prompt's own example says so, however it is laid out, and not only that
// nothing was reported.
func TestExampleIsNoReport(t *testing.T) {
	const prompt = "end with\n[RALPH_OUTPUT]\n{\"example\": 1}\n[/RALPH_OUTPUT]\n"
	for _, words := range []string{prompt, "[RALPH_OUTPUT]\n{\"example\":\n  1}[/RALPH_OUTPUT]", prompt + prompt} {
		if r, err := findReport(words, prompt); !errors.Is(err, errExample) || !isAgents(err) || !r.empty() {
			t.Errorf("%q: %s %v", words, r.object.Text(), err)
		}
	}
	if _, err := findReport(prompt+"[RALPH_OUTPUT]{\"cut", prompt); errors.Is(err, errExample) || !errors.Is(err, errReport) {
		t.Errorf("an own block that is cut off: %v", err)
	}
}

// TestExampleIsToldByWhatItSays guards: the prompt's example is one in a quote and in another spacing, notation or order too;
// what differs in a single value is a report, and so is one in a quote.
func TestExampleIsToldByWhatItSays(t *testing.T) {
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
		if r, err := findReport(words, prompt); !errors.Is(err, errExample) || !r.empty() {
			t.Errorf("%q: %s %v", words, r.object.Text(), err)
		}
	}
	for _, own := range []string{
		strings.Replace(prompt, "true", "false", 1), strings.Replace(prompt, "1.0", "2", 1), strings.Replace(prompt, "x >", "x  >", 1),
		strings.Replace(prompt, `"a"`, `"c"`, 1), strings.Replace(prompt, "\n  true", `"true"`, 1), strings.Replace(prompt, ",\n  true", "", 1),
		"> " + strings.ReplaceAll(strings.Replace(prompt, "true", "{}", 1), "\n", "\n> "),
	} {
		if r, err := findReport(prompt+own, prompt); err != nil || r.text("verdict") != "done" {
			t.Errorf("%q: %s %v", own, r.object.Text(), err)
		}
	}
}

// TestTextsLoseNothing guards: an issue is kept whatever the agent calls its description.
func TestTextsLoseNothing(t *testing.T) {
	r, err := findReport(`[RALPH_OUTPUT]{"issues": ["a", {"desc": "b"}, {"title": "c"}, {"desc": "", "what": "d"}, " "]}[/RALPH_OUTPUT]`, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.texts("issues")
	if diff := cmp.Diff([]string{"a", "b", "c", `{"desc": "", "what": "d"}`}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestStepsBetween guards: what happened is read from the plan alone, whoever changed it.
func TestStepsBetween(t *testing.T) {
	decode := func(text string) *plan.Plan {
		p, problems := plan.Decode(text)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return p
	}
	before := decode(`{"t": "task", "id": "t-a", "spec": "s", "name": "a", "s": "p"}
{"t": "task", "id": "t-b", "spec": "s", "name": "b", "s": "d", "done_at": "aaa"}
{"t": "task", "id": "t-c", "spec": "s", "name": "c", "s": "d", "done_at": "aaa"}
{"t": "task", "id": "t-d", "spec": "s", "name": "d", "s": "p"}
{"t": "task", "id": "t-e", "spec": "s", "name": "e", "s": "p"}
{"t": "task", "id": "t-f", "spec": "s", "name": "f", "s": "p"}
{"t": "issue", "id": "i-a", "spec": "s", "desc": "x"}
`)
	after := decode(`{"t": "task", "id": "t-a", "spec": "s", "name": "a", "s": "d", "done_at": "bbb"}
{"t": "task", "id": "t-b", "spec": "s", "name": "b", "s": "p", "reject": "r"}
{"t": "reject", "id": "t-b", "done_at": "aaa", "reason": "r"}
{"t": "task", "id": "t-d", "spec": "s", "name": "d", "s": "p", "kill": "timeout"}
{"t": "task", "id": "t-g", "spec": "s", "name": "g", "s": "p", "parent": "t-e"}
{"t": "issue", "id": "i-b", "spec": "s", "desc": "y"}
`)
	want := []Step{
		{plan.EventDone, "t-a", "a"},
		{plan.EventRejected, "t-b", "b"},
		{plan.EventAccepted, "t-c", "c"},
		{plan.EventKilled, "t-d", "d"},
		{plan.EventDecomposed, "t-e", "e"},
		{plan.EventCancelled, "t-f", "f"},
		{plan.EventAdded, "t-g", "g"},
		{plan.EventIssueDone, "i-a", "x"},
		{plan.EventIssueAdded, "i-b", "y"},
	}
	got := stepsBetween(before, after)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !gotOn(got) || gotOn(stepsBetween(after, after)) {
		t.Error("progress is not told from standing still")
	}
}
