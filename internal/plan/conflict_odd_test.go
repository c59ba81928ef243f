package plan

import (
	"errors"
	"strings"
	"testing"
)

const oddConflicts = `{"t": "task", "id": "t-1", "spec": "a.md", "name": "One", "s": "p", "": 1, "conflict": {"": [1, 2], "id": ["t-9", 7], "t": ["issue"], "s": ["d", "p", 5], "conflict": [1], "notes": ["x", 12345678], "meta": ["text"], "deps": [1, 2], "x": [1, "y"]}}
`

// TestSettleKeepsThePlanValid: whichever candidate is taken of whichever field, and
// whatever value is given, the plan has no fault that it had not before.
func TestSettleKeepsThePlanValid(t *testing.T) {
	p, problems := Decode(oddConflicts)
	if problems != nil {
		t.Fatal(problems)
	}
	record, _ := p.Task("t-1")
	before := len(Check(p, false).Errors())
	settled := 0
	for _, c := range record.Conflicts() {
		for _, v := range append(c.Candidates, "", "null", "1", `"t-8"`, "{}", "[]") {
			p, _ := Decode(oddConflicts)
			_, err := p.ResolveConflicts([]Choice{{Kind: KindTask, ID: "t-1", Field: c.Field, Value: v}})
			if err != nil {
				if _, isField := errors.AsType[*FieldError](err); !isField {
					t.Errorf("%q, %s: %v", c.Field, v, err)
				}
				continue
			}
			settled++
			after, problems := Decode(string(p.Encode()))
			if problems != nil || len(Check(after, false).Errors()) > before {
				t.Errorf("%q, %s: %v %v\n%s", c.Field, v, problems, Check(after, false), p.Encode())
			}
			if r, found := after.Task("t-1"); !found || len(r.Conflicts()) != len(record.Conflicts())-1 {
				t.Errorf("%q, %s: %s", c.Field, v, p.Encode())
			}
		}
	}
	if settled < 20 {
		t.Errorf("only %d choices could be made", settled)
	}
}

// TestSettleFieldWithoutName: a field may be called "".
func TestSettleFieldWithoutName(t *testing.T) {
	p, _ := Decode(oddConflicts)
	if _, err := p.ResolveConflicts([]Choice{{Kind: KindTask, ID: "t-1", Field: "", Value: "2"}}); err != nil {
		t.Fatal(err)
	}
	r, _ := p.Task("t-1")
	if v, _ := r.Get(""); v != "2" {
		t.Errorf("%s", r.JSON())
	}
}

// TestCheckCandidates: a candidate of another type than its field, and a conflict of
// what no merge decides about, are errors that name the field.
func TestCheckCandidates(t *testing.T) {
	p, _ := Decode(oddConflicts)
	var got []string
	for _, problem := range Check(p, false).Errors() {
		if problem.Code != CodeWrongType || problem.Column < 2 || problem.Hint == "" {
			t.Errorf("%+v", problem)
		}
		got = append(got, problem.String())
	}
	want := []string{
		`field "id" is recorded as a conflict, expected a field that a merge can decide about`,
		`field "t" is recorded as a conflict, expected a field that a merge can decide about`,
		`"s" has a candidate that is a number, expected a string`,
		`field "conflict" is recorded as a conflict, expected a field that a merge can decide about`,
		`"notes" has a candidate that is a number, expected a string`,
		`"meta" has a candidate that is a string, expected an object`,
		`"deps" has a candidate that is a number, expected an array of strings`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
