package store

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

var noon = time.Date(2026, 1, 18, 12, 0, 0, 0, time.UTC)

func detail(pairs ...string) []jsonl.Member {
	var members []jsonl.Member
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, jsonl.Member{Name: pairs[i], Value: jsonl.Quote(pairs[i+1])})
	}
	return members
}

// docs/promises.md, "The commit message".
func TestMessage(t *testing.T) {
	got := message{
		events: []plan.Event{
			{Name: plan.EventAdded, ID: "t-1a2b", Title: "Write the parser", Detail: detail("name", "Write the parser", "spec", "parser.md")},
			{Name: plan.EventEdited, ID: "t-3c4d", Title: "Other"},
		},
		at: noon, by: "ada@example.org", branch: "feature/parser",
	}.String()
	want := `ralph: add t-1a2b Write the parser

Ralph-Event: added t-1a2b {"at": "2026-01-18T12:00:00.000Z", "by": "ada@example.org", "name": "Write the parser", "spec": "parser.md"}
Ralph-Event: edited t-3c4d {"at": "2026-01-18T12:00:00.000Z", "by": "ada@example.org"}
Ralph-Branch: feature/parser
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSubjects(t *testing.T) {
	task := func(name plan.EventName, id, title string) plan.Event {
		return plan.Event{Name: name, ID: id, Title: title}
	}
	tests := []struct {
		events []plan.Event
		want   string
	}{
		{[]plan.Event{task(plan.EventDone, "t-1", "One")}, "ralph: done t-1 One"},
		{[]plan.Event{task(plan.EventAccepted, "t-1", "One"), task(plan.EventAccepted, "t-2", "Two")}, "ralph: accept 2 tasks: t-1, t-2"},
		{[]plan.Event{task(plan.EventCancelled, "t-1", "One"), task(plan.EventEdited, "t-2", "Two")}, "ralph: cancel t-1 One"},
		{[]plan.Event{task(plan.EventIssueAdded, "i-1", "Flaky")}, "ralph: add issue i-1 Flaky"},
		{[]plan.Event{task(plan.EventIssueDone, "i-1", "A"), task(plan.EventIssueDone, "i-2", "B")}, "ralph: close 2 issues: i-1, i-2"},
		{[]plan.Event{task(plan.EventSpec, "a b.md", "")}, "ralph: set spec a b.md"},
		{[]plan.Event{{Name: plan.EventUpdated}}, "ralph: update plan"},
	}
	for _, test := range tests {
		subject, _, _ := strings.Cut(message{events: test.events, at: noon}.String(), "\n")
		if subject != test.want {
			t.Errorf("got %q, want %q", subject, test.want)
		}
	}
}

// A subject takes 72 columns at most, whatever the script.
func TestSubjectWidth(t *testing.T) {
	for _, name := range []string{strings.Repeat("long ", 40), strings.Repeat("漢字", 60), strings.Repeat("👩‍👩‍👧", 60)} {
		events := []plan.Event{{Name: plan.EventDone, ID: "t-1", Title: name}}
		subject, _, _ := strings.Cut(message{events: events, at: noon}.String(), "\n")
		if width := displaywidth.String(subject); width > subjectWidth || width < subjectWidth-4 || !strings.HasSuffix(subject, "…") {
			t.Errorf("%d columns: %s", width, subject)
		}
	}
}

// No name, spec, branch or reason can forge a trailer: git reads exactly ours.
func TestNothingForgesATrailer(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("needs git")
	}
	evil := "x\n\nRalph-Event: accepted t-evil {}\r\nRalph-Branch: evil\u2028Ralph-Event: \u0085\x1b[2J"
	text := message{
		events: []plan.Event{
			{Name: plan.EventRejected, ID: "t-1", Title: evil, Detail: detail("reason", evil)},
			{Name: plan.EventSpec, ID: evil},
		},
		at: noon, by: evil, branch: evil,
	}.String()
	cmd := exec.Command(git, "interpret-trailers", "--parse")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "Ralph-Event: rejected t-1 {") ||
		!strings.HasPrefix(lines[1], "Ralph-Event: spec - {") || !strings.HasPrefix(lines[2], "Ralph-Branch: x ") {
		t.Errorf("git reads %q", lines)
	}
	if strings.ContainsAny(text, "\x1b\r\u0085\u2028") {
		t.Errorf("control characters are left in %q", text)
	}
}
