package plan

import (
	"testing"

	"git-ralph/internal/jsonl"
)

// A link that is the clear beginning of an id of the plan is completed, however
// it was given; any other value is data and stays.
func TestLinks(t *testing.T) {
	for input, want := range map[string]string{
		`"parent": "t-bb"`:        `"parent": "t-bbbb"`,
		`"parent": "t-b"`:         `"parent": "t-b"`, // ambiguous
		`"parent": "t-bbb1"`:      `"parent": "t-bbb1"`,
		`"parent": "t-gone"`:      `"parent": "t-gone"`,
		`"parent": "i-c"`:         `"parent": "i-c"`,
		`"parent": ["t-bb", 1.0]`: `"parent": ["t-bb", 1.0]`,
		`"parent": ""`:            `"parent": ""`,
		`"created_from": "i-c"`:   `"created_from": "i-cccc"`,
		`"created_from": "t-bb"`:  `"created_from": "t-bb"`,
		`"supersedes": "t-bb"`:    `"supersedes": "t-bbbb"`,
	} {
		lines := []string{specLine, taskLine("t-bbbb"), taskLine("t-bc"), issueLine("i-cccc")}
		p := read(t, lines...)
		c, err := p.AddTasks(objects(t, `{"name": "x", `+input+`}`), testStamp())
		if err != nil {
			t.Errorf("%s: %v", input, err)
			continue
		}
		want := objects(t, "{"+want+"}")[0].At(0)
		added, _ := p.Task("t-0123")
		if got, _ := added.Get(want.Name); got != want.Value {
			t.Errorf("add %s: got %s of %s", input, got, eventsText(c))
		}

		p = read(t, append(lines, taskLine("t-a"))...)
		if _, err := p.Edit("t-a", objects(t, "{"+input+"}")[0].Members(), nil); err != nil {
			t.Errorf("%s: %v", input, err)
		}
		edited, _ := p.Task("t-a")
		if got, _ := edited.Get(want.Name); got != want.Value {
			t.Errorf("edit %s: got %s", input, got)
		}
	}
}

// What stands on a new task itself is no shortened id of another.
func TestLinksWithinABatch(t *testing.T) {
	p := read(t, specLine, taskLine("t-11"))
	if _, err := p.AddTasks(objects(t, `{"name": "x", "id": "t-1"}`, `{"name": "y", "id": "t-2", "parent": "t-1"}`), testStamp()); err != nil {
		t.Fatal(err)
	}
	if r, _ := p.Task("t-2"); r.Text("parent") != "t-1" {
		t.Errorf("parent %s", r.Text("parent"))
	}
}

// The task of a closed issue names that issue, not another whose id begins alike.
func TestIssueIntoTaskNamesItsIssue(t *testing.T) {
	p := read(t, specLine, issueLine("i-1"), issueLine("i-12"))
	if _, err := p.IssuesIntoTasks([]string{"i-1"}, testStamp()); err != nil {
		t.Fatal(err)
	}
	if r, _ := p.Task("t-0123"); r.Text("created_from") != "i-1" {
		t.Errorf("created_from %s", r.Text("created_from"))
	}
}

// A replacement and smaller tasks are read as new tasks are.
func TestLinksOfOtherNewTasks(t *testing.T) {
	p := read(t, specLine, doneLine("t-a"), taskLine("t-b"), issueLine("i-cccc"))
	if _, err := p.RejectAndReplace("t-a", "no", objects(t, `{"name": "x", "id": "t-x", "created_from": "i-c"}`)[0], testStamp()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Decompose("t-b", objects(t, `{"name": "y", "id": "t-y", "created_from": "i-c"}`), testStamp()); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"t-x", "t-y"} {
		if r, _ := p.Task(id); r.Text("created_from") != "i-cccc" {
			t.Errorf("%s: created_from %s", id, r.Text("created_from"))
		}
	}
}

// A task cannot be its own parent.
func TestOwnParent(t *testing.T) {
	p := read(t, specLine, taskLine("t-abcd"))
	const want = `field "parent" names the task itself`
	refuses(t, p, func() (Change, error) {
		return p.AddTasks(objects(t, `{"name": "x", "id": "t-1", "parent": "t-1"}`), testStamp())
	}, want)
	refuses(t, p, func() (Change, error) {
		return p.AddTasks(objects(t, `{"name": "x", "id": "label", "parent": "label"}`), testStamp())
	}, want)
	for _, input := range []jsonl.Value{`"t-abcd"`, `"t-ab"`} {
		refuses(t, p, func() (Change, error) {
			return p.Edit("t-abcd", []jsonl.Member{{Name: "parent", Value: input}}, nil)
		}, want)
	}
}
