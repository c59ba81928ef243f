package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/jsonl"
)

// tb is what helpers need of a test; rapid's tests have it too.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// read decodes a plan that must have no problems.
func read(t tb, lines ...string) *Plan {
	t.Helper()
	p, problems := Decode(strings.Join(lines, "\n") + "\n")
	if len(problems) > 0 {
		t.Fatalf("%v", problems)
	}
	return p
}

// testStamp counts instead of choosing at random: ids are 0123, 4567, 89ab, …
func testStamp() Stamp {
	n := -1
	return Stamp{
		Now:    time.Date(2026, 3, 4, 5, 6, 7, 8_000_000, time.UTC),
		Random: func(limit int) int { n++; return n % limit },
	}
}

// now is the time of testStamp as records hold it.
const now = "2026-03-04T05:06:07.008Z"

// head is a commit.
const head = "0123456789abcdef0123456789abcdef01234567"

const specLine = `{"t": "spec", "spec": "a.md"}`

// taskLine writes a pending task with more members behind its state.
func taskLine(id string, more ...string) string { return stateLine(id, "p", more...) }

// itemLine writes an item.
func itemLine(id string, more ...string) string {
	return "{" + strings.Join(append([]string{fmt.Sprintf(`"t": "item", "id": %q, "name": "Ship %s"`, id, id)}, more...), ", ") + "}"
}

// doneLine writes a done task.
func doneLine(id string, more ...string) string {
	return stateLine(id, "d", append([]string{`"done_at": "aaaabbbbcccc"`}, more...)...)
}

func stateLine(id, state string, more ...string) string {
	head := fmt.Sprintf(`{"t": "task", "id": %q, "spec": "a.md", "name": "Do %s"`, id, id)
	i := slices.IndexFunc(more, func(m string) bool { return strings.HasPrefix(m, `"deps"`) })
	if i >= 0 {
		head += ", " + more[i]
		more = slices.Delete(slices.Clone(more), i, i+1)
	}
	return strings.Join(append([]string{head, fmt.Sprintf(`"s": %q`, state)}, more...), ", ") + "}"
}

func issueLine(id string, more ...string) string {
	return strings.Join(append([]string{fmt.Sprintf(`{"t": "issue", "id": %q, "spec": "a.md", "desc": "Look at %s"`, id, id)}, more...), ", ") + "}"
}

// expect compares the plan's file with lines.
func expect(t tb, p *Plan, lines ...string) {
	t.Helper()
	if got, want := string(p.Encode()), strings.Join(lines, "\n")+"\n"; got != want {
		t.Errorf("the plan is\n%swant\n%s", got, want)
	}
}

// eventsText writes the events of a change as a commit message might.
func eventsText(c Change) string {
	var events []string
	for _, e := range c.Events {
		text := string(e.Name) + " " + e.ID
		if len(e.Detail) > 0 {
			text += " " + jsonl.Build(e.Detail).Text()
		}
		events = append(events, text)
	}
	return strings.Join(events, "; ")
}

// idsOf lists the ids of records.
func idsOf(records []Record) string {
	var ids []string
	for _, r := range records {
		ids = append(ids, r.ID())
	}
	return strings.Join(ids, " ")
}

// objects reads JSON objects.
func objects(t tb, texts ...string) []jsonl.Object {
	t.Helper()
	list := make([]jsonl.Object, len(texts))
	for i, text := range texts {
		o, err := jsonl.ParseObject(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		list[i] = o
	}
	return list
}

// refuses checks that a mutation fails with a message, and that it leaves the
// plan as it was.
func refuses(t *testing.T, p *Plan, mutate func() (Change, error), want string) {
	t.Helper()
	before := string(p.Encode())
	c, err := mutate()
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if !c.Empty() || len(c.Records)+len(c.Removed) > 0 {
		t.Errorf("a change that failed has the events %s", eventsText(c))
	}
	if after := string(p.Encode()); after != before {
		t.Errorf("the plan changed to\n%sfrom\n%s", after, before)
	}
}

func TestLookups(t *testing.T) {
	p := read(t, `{"t": "config", "x": 1}`, "", specLine, taskLine("t-1a2b"), issueLine("i-1a2b"), `{"t": "reject", "id": "t-1a2b"}`)
	if p.Spec() != "a.md" {
		t.Errorf("spec %q", p.Spec())
	}
	if got := len(p.Records()); got != 5 {
		t.Errorf("%d records, want 5: empty lines are none", got)
	}
	if r, found := p.Task("t-1a2b"); !found || r.Line() != 4 || r.Name() != "Do t-1a2b" || r.State() != "pending" {
		t.Errorf("task %v %v", r, found)
	}
	if r, found := p.Issue("i-1a2b"); !found || r.Name() != "Look at i-1a2b" {
		t.Errorf("issue %v %v", r, found)
	}
	if _, found := p.Task("i-1a2b"); found {
		t.Error("an issue was found as a task")
	}
	if got := len(p.Of(KindReject)); got != 1 {
		t.Errorf("%d tombstones", got)
	}
}

// Ids may be shortened to any unambiguous prefix; a whole id always means
// itself.
func TestResolve(t *testing.T) {
	p := read(t, taskLine("t-1a2b"), taskLine("t-1a"), taskLine("t-2c"), issueLine("i-1a2b"))
	for input, want := range map[string]string{
		"t-1a": "t-1a", "t-1a2": "t-1a2b", "t-2": "t-2c",
		"t-1":  `"t-1" is the beginning of more than one id: t-1a, t-1a2b`,
		"t-9":  `no such task in the plan: t-9`,
		"i-1a": `no such task in the plan: i-1a`,
		"":     `no such task in the plan: ""`,
	} {
		got, err := p.ResolveID(KindTask, input)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", input, got, want)
		}
	}
	if ids, err := p.ResolveIDs(KindTask, []string{"t-2", "t-1a2", "t-2c"}); err != nil || strings.Join(ids, " ") != "t-2c t-1a2b" {
		t.Errorf("got %v, %v", ids, err)
	}
	var unknown *UnknownIDError
	if _, err := p.ResolveIDs(KindIssue, []string{"i-1", "t-2"}); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
}

// A legacy task has its name in "desc"; where both stand, "name" counts.
func TestLegacyName(t *testing.T) {
	for line, want := range map[string]string{
		`{"t": "task", "id": "t-1", "desc": "old"}`:                 "old",
		`{"t": "task", "id": "t-1", "desc": "old", "name": "new"}`:  "new",
		`{"t": "task", "id": "t-1", "desc": "old", "name": null}`:   "old",
		`{"t": "issue", "id": "i-1", "desc": "old", "name": "new"}`: "old",
		`{"t": "task", "id": "t-1"}`:                                "",
	} {
		if got := read(t, line).Records()[0].Name(); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// Fields are found however their names are spelled, and whether or not they
// are among those whose places are kept.
func TestFieldsBySpelling(t *testing.T) {
	r := read(t, `{"\u0074": "task", "i\u0064": "t-1", "no\u0074es": "n", "deps": ["t-\u0032"], "s":"\u0064", "name": "\u00e9"}`).Records()[0]
	got := fmt.Sprintf("%s %s %s %s %v %s %v", r.Kind(), r.ID(), r.Text("notes"), r.Deps(), r.Done(), r.Name(), r.Has("accept"))
	if want := "task t-1 n [t-2] true é false"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What was read from a plan stays as it was when the plan changes.
func TestRecordsAreASnapshot(t *testing.T) {
	p := read(t, specLine, taskLine("t-1"), taskLine("t-2"))
	records := p.Records()
	if _, err := p.Done([]string{"t-1"}, DoneOptions{Head: head}, testStamp()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Cancel([]string{"t-2"}, CancelAlone); err != nil {
		t.Fatal(err)
	}
	if records[1].Done() || len(records) != 3 || records[2].ID() != "t-2" {
		t.Errorf("the records changed: %v", records)
	}
}

// A task is called by "name", by "desc" where that is missing or empty; an issue
// by "desc" (docs/plan-format.md, "task").
func TestName(t *testing.T) {
	for record, want := range map[string]string{
		`"t": "task", "name": "n", "desc": "d"`:  "n",
		`"t": "task", "desc": "d"`:               "d",
		`"t": "task", "name": "", "desc": "d"`:   "d",
		`"t": "task", "name": null, "desc": "d"`: "d",
		`"t": "issue", "name": "n", "desc": "d"`: "d",
	} {
		if got := read(t, "{"+record+"}").records[0].Name(); got != want {
			t.Errorf("%s: got %q, want %q", record, got, want)
		}
	}
}
