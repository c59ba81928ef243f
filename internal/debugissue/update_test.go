package debugissue

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"git-ralph/internal/debuglog"
	"git-ralph/internal/plan"
)

func at(second int) time.Time { return time.Date(2026, 2, 22, 8, 0, second, 0, time.UTC) }

// collected is what a clone counted of failures, by the last letter of their ids.
func collected(clone string, counts map[string]int, last time.Time) *debuglog.Collection {
	c := &debuglog.Collection{Clone: clone, Failures: map[string]*debuglog.Failure{}}
	for name, n := range counts {
		id := "0000000" + name
		c.Failures[id] = &debuglog.Failure{ID: id, Signature: "tool:" + name + ":failed:no", Count: n, First: at(0), Last: last}
	}
	return c
}

func update(t rapid.TB, p *plan.Plan, c *debuglog.Collection, closed time.Time) plan.Change {
	t.Helper()
	change, err := Update(p, Request{Collected: c, Closed: func(string) time.Time { return closed }, Now: at(30)})
	if err != nil {
		t.Fatal(err)
	}
	return change
}

// counts returns the counts of all issues, by signature.
func counts(p *plan.Plan) string {
	text := ""
	for _, r := range p.Of(plan.KindIssue) {
		n, last, ok := Count(r)
		text += fmt.Sprintf("%s %d %v %v\n", signatureOf(r), n, last.Second(), ok)
	}
	return text
}

func planOf(t *testing.T, lines ...string) *plan.Plan {
	t.Helper()
	p, problems := plan.DecodeBytes([]byte(strings.Join(append(lines, ""), "\n")))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return p
}

// TestUpdate guards: a failure has one issue with the label, which counts what each clone counted, and doing it twice is the same as once.
func TestUpdate(t *testing.T) {
	p := planOf(t)
	c := collected("aa", map[string]int{"a": 2, "b": 1}, at(5))
	update(t, p, c, time.Time{})
	if change := update(t, p, c, time.Time{}); !change.Empty() {
		t.Error("the second time changes something")
	}
	update(t, p, collected("bb", map[string]int{"a": 4}, at(3)), time.Time{})
	update(t, p, collected("aa", map[string]int{"a": 1}, at(9)), time.Time{}) // of an older count
	if got := counts(p); got != "tool:a:failed:no 6 5 true\ntool:b:failed:no 1 5 true\n" {
		t.Error(got)
	}
	for _, r := range p.Of(plan.KindIssue) {
		if strings.Join(r.Texts("labels"), " ") != Label || !strings.HasPrefix(r.Text("desc"), "tool ") {
			t.Error(r.JSON())
		}
	}
}

// TestClosedIssues guards: an issue that was closed comes back for a later event alone, by a second or more, and not while a task that was made of it is pending.
func TestClosedIssues(t *testing.T) {
	c := collected("aa", map[string]int{"a": 2}, at(5))
	for closed, want := range map[int]int{4: 1, 5: 0, 6: 0} {
		p := planOf(t)
		if update(t, p, c, at(closed)); len(p.Of(plan.KindIssue)) != want {
			t.Errorf("closed at %d, last seen at 5: %s", closed, counts(p))
		}
	}
	p := planOf(t, `{"t": "spec", "spec": "s.md"}`, `{"t": "task", "id": "t-1", "spec": "s.md", "name": "x", "s": "p", "created_from": "i-0000000a"}`)
	if update(t, p, c, at(4)); len(p.Of(plan.KindIssue)) != 0 {
		t.Error(counts(p))
	}
}

// TestTallies guards: whatever clones counted, in whatever order it is joined and written and read, each counts what it counted last.
func TestTallies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		highest, total := map[string]int{}, Tally{marks{}}
		for _, n := range rapid.SliceOf(rapid.IntRange(1, 99)).Draw(t, "counts") {
			clone := rapid.SampledFrom([]string{"aa", "bb", "c-c"}).Draw(t, "clone")
			highest[clone] = max(highest[clone], n)
			total.Join(ParseTally(Tally{marks{clone: {clone, n, at(n % 60)}}}.String()))
			total = ParseTally(total.String() + " x = 3- -4 a-b=c")
		}
		want := 0
		for _, n := range highest {
			want += n
		}
		if got, _ := total.marks.sum(); got != want {
			t.Fatalf("%q counts %d, want %d", total.String(), got, want)
		}
	})
}
