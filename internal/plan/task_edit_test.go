package plan

import (
	"errors"
	"testing"

	"git-ralph/internal/jsonl"
)

func TestEdit(t *testing.T) {
	tests := []struct {
		name    string
		before  string
		changes []jsonl.Member
		meta    []jsonl.Member
		after   string
	}{
		{
			"what is not edited keeps its bytes",
			`{"z":1.0,"t":"task","id":"t-a","notes":"\u006e","s":"p","n\u0061me":"old"}`,
			[]jsonl.Member{{Name: "name", Value: `"new"`}, {Name: "accept", Value: `"\u0061"`}},
			nil,
			`{"t": "task", "id": "t-a", "n\u0061me": "new", "notes": "\u006e", "accept": "\u0061", "s": "p", "z": 1.0}`,
		},
		{"removal", taskLine("t-a", `"priority": "low"`, `"role": "r"`), []jsonl.Member{{Name: "priority"}, {Name: "role", Value: "null"}, {Name: "notes"}}, nil, taskLine("t-a")},
		{"an unknown field", taskLine("t-a", `"x": 1`), []jsonl.Member{{Name: "x", Value: `{"y":2.0}`}}, nil, taskLine("t-a", `"x": {"y":2.0}`)},
		{
			"an old name", `{"t": "task", "id": "t-a", "desc": "old", "s": "p"}`,
			[]jsonl.Member{{Name: "name", Value: `"new"`}},
			nil,
			`{"t": "task", "id": "t-a", "name": "new", "s": "p"}`,
		},
		{
			"an old name beside an empty one", `{"t": "task", "id": "t-a", "name": "", "desc": "old", "s": "p"}`,
			[]jsonl.Member{{Name: "name", Value: `"new"`}},
			nil,
			`{"t": "task", "id": "t-a", "name": "new", "s": "p"}`,
		},
		{"desc beside a name", taskLine("t-a", `"desc": "d"`), []jsonl.Member{{Name: "name", Value: `"Do t-a!"`}}, nil, `{"t": "task", "id": "t-a", "spec": "a.md", "name": "Do t-a!", "s": "p", "desc": "d"}`},
		{"deps, shortened, one that is gone kept", taskLine("t-a", `"deps": ["t-gone"]`), []jsonl.Member{{Name: "deps", Value: `["t-gone", "t-bb", "i-", "t-bbbb"]`}}, nil, taskLine("t-a", `"deps": ["t-gone", "t-bbbb", "i-1"]`)},
		{"no deps", taskLine("t-a", `"deps": ["t-gone"]`), []jsonl.Member{{Name: "deps", Value: `[]`}}, nil, taskLine("t-a")},
		{"meta", taskLine("t-a", `"meta": {"b":1}`), nil, []jsonl.Member{{Name: "a", Value: `"x"`}}, taskLine("t-a", `"meta": {"b": 1, "a": "x"}`)},
		{"no meta before", taskLine("t-a", `"meta": null`), nil, []jsonl.Member{{Name: "a", Value: `"x"`}}, taskLine("t-a", `"meta": {"a": "x"}`)},
		{"a link", taskLine("t-a"), []jsonl.Member{{Name: "parent", Value: `"t-1,t-2"`}}, nil, taskLine("t-a", `"parent": "t-1,t-2"`)},
		{
			"a recorded conflict is settled", taskLine("t-a", `"conflict": {"notes": ["a", "b"], "x":[1,2]}`),
			[]jsonl.Member{{Name: "notes", Value: `"a"`}},
			nil,
			`{"t": "task", "id": "t-a", "spec": "a.md", "name": "Do t-a", "notes": "a", "s": "p", "conflict": {"x": [1,2]}}`,
		},
		{"the last conflict", taskLine("t-a", `"conflict": {"x": ["a", "b"]}`, `"x": 1`), []jsonl.Member{{Name: "x", Value: `1`}}, nil, taskLine("t-a", `"x": 1`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, test.before, taskLine("t-bbbb"), issueLine("i-1"))
			c, err := p.Edit("t-a", test.changes, test.meta)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, p, test.after, taskLine("t-bbbb"), issueLine("i-1"))
			if eventsText(c) != "edited t-a" || idsOf(c.Records) != "t-a" {
				t.Errorf("events %s, records %s", eventsText(c), idsOf(c.Records))
			}
		})
	}
}

func TestEditRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change jsonl.Member
		want   string
	}{
		{"id", jsonl.Member{Name: "id", Value: `"t-x"`}, `field "id" cannot be edited`},
		{"kind", jsonl.Member{Name: "t", Value: `"issue"`}, `field "t" cannot be edited`},
		{"state", jsonl.Member{Name: "s", Value: `"d"`}, "field \"s\" cannot be edited; use `task done`"},
		{"no name", jsonl.Member{Name: "name"}, `field "name" cannot be empty`},
		{"null name", jsonl.Member{Name: "name", Value: "null"}, `field "name" cannot be empty`},
		{"blank name", jsonl.Member{Name: "name", Value: `" "`}, `field "name" cannot be empty`},
		{"no spec", jsonl.Member{Name: "spec", Value: `""`}, `field "spec" cannot be empty`},
		{"type", jsonl.Member{Name: "name", Value: `7`}, `field "name" is a number, expected a string`},
		{"priority", jsonl.Member{Name: "priority", Value: `"x"`}, `field "priority" is "x", expected one of high, medium, low`},
		{"deps", jsonl.Member{Name: "deps", Value: `["t-9"]`}, `field "deps" names "t-9": no such task or issue in the plan`},
		{"cycle", jsonl.Member{Name: "deps", Value: `["t-b"]`}, `tasks would wait for each other: t-a -> t-b -> t-a`},
		{"nothing new", jsonl.Member{Name: "name", Value: `"Do t-a"`}, "t-a already has that value"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, taskLine("t-a"), taskLine("t-b", `"deps": ["t-a"]`))
			refuses(t, p, func() (Change, error) { return p.Edit("t-a", []jsonl.Member{test.change}, nil) }, test.want)
		})
	}
	p := read(t, taskLine("t-a"))
	refuses(t, p, func() (Change, error) { return p.Edit("t-b", nil, nil) }, `no such task in the plan: t-b`)
	if _, err := p.Edit("t-a", nil, nil); !errors.Is(err, ErrNothing) {
		t.Errorf("got %v", err)
	}
}

// A cycle that is there already does not stop an edit that has nothing to do
// with it, nor one that breaks it up.
func TestEditInACycle(t *testing.T) {
	p := read(t, taskLine("t-a", `"deps": ["t-b", "t-a"]`), taskLine("t-b", `"deps": ["t-a"]`))
	if _, err := p.Edit("t-a", []jsonl.Member{{Name: "name", Value: `"x"`}}, nil); err != nil {
		t.Error(err)
	}
	if _, err := p.Edit("t-a", []jsonl.Member{{Name: "deps", Value: `["t-b"]`}}, nil); err != nil {
		t.Error(err)
	}
	if _, err := p.Edit("t-a", []jsonl.Member{{Name: "deps"}}, nil); err != nil {
		t.Error(err)
	}
}
