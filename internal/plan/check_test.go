package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A checkTest is a plan and what is wrong with it.
type checkTest struct {
	name  string
	lines []string
	want  string // severity, code and place of each problem, "" for none
}

func checkTests() []checkTest {
	task := func(members string) string { return `{"t": "task", "id": "t-a", "spec": "a.md", ` + members + `}` }
	return []checkTest{
		{"nothing", nil, ""},
		{"a sound plan", []string{specLine, taskLine("t-a", `"deps": ["t-b", "i-a"]`), doneLine("t-b", `"attempt": "1"`), issueLine("i-a"), `{"t": "reject", "id": "t-b", "done_at": "", "reason": ""}`, `{"t": "stage", "id": 7, "s": null}`}, ""},
		{"an old name", []string{task(`"desc": "x", "s": "p"`)}, ""},
		{"spec is missing", []string{`{"t": "spec"}`}, `error missing-field 1:1: field "spec" is missing`},
		{"two specs", []string{specLine, "", `{"t": "spec", "spec": "b.md"}`}, `error two-specs 3:1: second spec record, the first is on line 1, expected one spec`},
		{"no kind", []string{`{"id": "t-a"}`}, `warning missing-field 1:1: field "t" is missing`},
		{"no id", []string{`{"t": "task", "spec": "a.md", "name": "x", "s": "p"}`}, `error missing-field 1:1: field "id" is missing`},
		{"empty id", []string{`{"t": "task", "id": "", "spec": "a.md", "name": "x", "s": "p"}`}, `error missing-field 1:21: field "id" is empty`},
		{"malformed id", []string{`{"t": "task", "id": "t-A", "spec": "a.md", "name": "x", "s": "p"}`}, `error malformed-id 1:21: id "t-A", expected t- and lower-case letters, digits and hyphens`},
		{"id of the other kind", []string{`{"t": "issue", "id": "t-a", "spec": "a.md", "desc": "x"}`}, `warning malformed-id 1:22: id t-a of a record of kind issue, expected one that begins with i-`},
		{"no spec, no name", []string{`{"t": "task", "id": "t-a", "name": "", "s": "p"}`}, `error missing-field 1:1: field "spec" is missing; error missing-field 1:36: field "name" is empty`},
		{"no state", []string{task(`"name": "x"`)}, `error missing-field 1:1: field "s" is missing`},
		{"another state", []string{task(`"name": "ü", "s": "a"`)}, `error unknown-value 1:62: field "s" is "a", expected "p" or "d"`},
		{"done, but where", []string{stateLine("t-a", "d")}, `error impossible-state 1:67: the task is done, but has no "done_at"`},
		{"done, but killed", []string{doneLine("t-a", `"kill": "timeout"`)}, `warning impossible-state 1:107: the task is done, but has "kill"; the next change of the plan makes it pending`},
		{
			"pending, but done",
			[]string{taskLine("t-a", `"done_at": "1"`, `"attempt": "2"`)},
			`warning impossible-state 1:83: the task is pending, but has "done_at"; warning impossible-state 1:99: the task is pending, but has "attempt"`,
		},
		{"another kill", []string{taskLine("t-a", `"kill": "boredom"`)}, `warning unknown-value 1:80: field "kill" is "boredom", expected "timeout" or "context"`},
		{"another priority", []string{issueLine("i-a", `"priority": "urgent"`)}, `warning unknown-value 1:80: field "priority" is "urgent", expected "high", "medium" or "low"`},
		{"another time", []string{taskLine("t-a", `"created_at": "2026-01-01"`)}, `warning unknown-value 1:86: field "created_at" is "2026-01-01", expected a time such as 2006-01-02T15:04:05.000Z`},
		{"null", []string{taskLine("t-a", `"notes": null`, `"x": null`, `"parent": null`)}, `warning null-field 1:81: field "notes" is null, expected a value or no such field; warning null-field 1:108: field "parent" is null, expected a value or no such field`},
		{"issue without all", []string{`{"t": "issue"}`}, `error missing-field 1:1: field "id" is missing; error missing-field 1:1: field "spec" is missing; error missing-field 1:1: field "desc" is missing`},
		{"tombstone without all", []string{`{"t": "reject"}`}, `error missing-field 1:1: field "id" is missing; error missing-field 1:1: field "done_at" is missing; error missing-field 1:1: field "reason" is missing`},
		{"dangling", []string{taskLine("t-a", `"deps": ["t-gone"]`)}, `warning dangling-dependency 1:70: depends on t-gone, which is not in the plan`},
		{"on itself", []string{taskLine("t-a", `"deps": ["t-a"]`)}, `error dependency-cycle 1:70: the task depends on itself`},
		{"cycle", []string{taskLine("t-b"), taskLine("t-a", `"deps": ["t-c"]`), taskLine("t-c", `"deps": ["t-a"]`)}, `error dependency-cycle 2:70: tasks wait for each other: t-a -> t-c -> t-a`},
		{"a sound item", []string{itemLine("w-a", `"number": 42, "state": "Human Needed", "estimate": "XS", "files": ["a.go"], "x": 1`), itemLine("w-b", `"parent": "w-a", "blocked_by": ["w-a"]`)}, ""},
		{"item without all", []string{`{"t": "item"}`}, `error missing-field 1:1: field "id" is missing; error missing-field 1:1: field "name" is missing`},
		{"another state of an item", []string{itemLine("w-a", `"state": "Someday"`)}, `error unknown-value 1:57: field "state" is "Someday", expected "Backlog", "Research Needed", "Research in Progress", "Ready for Plan", "Plan in Progress", "Plan in Review", "In Progress", "In Review", "Done", "Canceled" or "Human Needed"`},
		{"another estimate", []string{itemLine("w-a", `"estimate": "huge"`)}, `warning unknown-value 1:60: field "estimate" is "huge", expected "XS", "S", "M", "L" or "XL"`},
		{"no number", []string{itemLine("w-a", `"number": 1.5`)}, `error unknown-value 1:58: field "number" is 1.5, expected a whole number from 1`},
		{"one number twice", []string{itemLine("w-a", `"number": 1`), itemLine("w-b", `"number": 1`)}, `warning duplicate-number 2:58: w-a has the number 1 too, expected one item for each number`},
		{"item dangling", []string{itemLine("w-a", `"parent": "w-x", "blocked_by": ["w-y"]`)}, `warning dangling-dependency 1:58: is part of w-x, which is not in the plan; warning dangling-dependency 1:79: is blocked by w-y, which is not in the plan`},
		{"item above itself", []string{itemLine("w-a", `"parent": "w-b"`), itemLine("w-b", `"parent": "w-a"`), itemLine("w-c", `"parent": "w-a"`)}, `warning parent-cycle 1:58: the item is its own ancestor; warning parent-cycle 2:58: the item is its own ancestor`},
		{"cycle of items", []string{itemLine("w-a", `"blocked_by": ["w-b"]`), itemLine("w-b", `"blocked_by": ["w-a"]`)}, `error dependency-cycle 1:62: items wait for each other: w-a -> w-b -> w-a`},
		{"item blocked by itself", []string{itemLine("w-a", `"blocked_by": ["w-a"]`)}, `error dependency-cycle 1:62: the item depends on itself`},
		{"task of an item, without a spec", []string{`{"t": "task", "id": "t-a", "name": "x", "s": "p", "meta": {"issue_number": 42}}`}, ""},
	}
}

// What check says of each kind of mistake, and where.
func TestCheck(t *testing.T) {
	for _, test := range checkTests() {
		t.Run(test.name, func(t *testing.T) {
			p, problems := Decode(strings.Join(test.lines, "\n"))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			var got []string
			for _, problem := range Check(p, false) {
				place := strings.TrimPrefix(problem.In("f"), "f:")
				got = append(got, fmt.Sprintf("%s %s %s", problem.Severity, problem.Code, place))
			}
			if text := strings.Join(got, "; "); text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
		})
	}
}

// Advice is given only when asked for.
func TestCheckStrict(t *testing.T) {
	data := "\ufeff" + taskLine("t-b", `"accept": "works"`) + "\r\n" + taskLine("t-a", `"accept": "go test passes"`)
	p, _ := Decode(data)
	if problems := Check(p, false); len(problems) > 0 {
		t.Error(problems)
	}
	want := []string{
		"f: the plan is not in the canonical order",
		"f: the plan holds records without a time of creation",
		"f: the plan has lines that do not end with a line feed alone",
		"f: the plan begins with a byte-order mark",
		`f:1:82: acceptance criteria that cannot be checked: "works" names nothing to run or to see`,
	}
	for i, problem := range Check(p, true) {
		if problem.Severity != Advice || i >= len(want) || problem.In("f") != want[i] || problem.Hint == "" {
			t.Errorf("got %s %s", problem.Severity, problem.In("f"))
		}
	}
	p.Format(testStamp())
	if problems := Check(p, true); len(problems) != 1 {
		t.Errorf("after formatting: %v", problems)
	}
}

func TestVague(t *testing.T) {
	for _, accept := range []string{
		"pytest tests/test_parser.py passes", "No panic on malformed input", "All tests pass", "exits with 2",
		"`make demo` works", "parse() keeps the order", "README.md says so", "--help lists it", "the file is gone", "answers within 5 ms",
		"prints an error as expected", "mod.Func is exported",
	} {
		if message := vague(accept); message != "" {
			t.Errorf("%q: %s", accept, message)
		}
	}
	for accept, want := range map[string]string{
		"":                        "no acceptance criteria",
		" \n":                     "no acceptance criteria",
		"It works.":               `acceptance criteria that cannot be checked: "works" names nothing to run or to see`,
		"It should work properly": `acceptance criteria that cannot be checked: "should", "work", "properly" name nothing to run or to see`,
		"As expected":             `acceptance criteria that cannot be checked: "expected" names nothing to run or to see`,
		"Parser, lexer etc.":      `acceptance criteria that cannot be checked: "etc" names nothing to run or to see`,
		"The user is happy":       "acceptance criteria name nothing to run or to see",
		"-":                       "acceptance criteria name nothing to run or to see",
	} {
		if got := vague(accept); got != want {
			t.Errorf("%q: got %q, want %q", accept, got, want)
		}
	}
}

// Of two versions of a plan, the errors that only the newer one has: faults that are old stay unmentioned, wherever their lines
// are now, and a cycle that a changed task closes is found.
func TestNewFaults(t *testing.T) {
	const (
		spec    = `{"t": "spec", "spec": "a.md"}` + "\n"
		strange = `{"t": "task", "id": "t-old1", "spec": "a.md", "name": "Old", "s": "a"}` + "\n"
		one     = `{"t": "task", "id": "t-one1", "spec": "a.md", "name": "One", "s": "p", "deps": ["t-two2"]}` + "\n"
		two     = `{"t": "task", "id": "t-two2", "spec": "a.md", "name": "Two", "s": "p"}` + "\n"
		circle  = `{"t": "task", "id": "t-two2", "spec": "a.md", "name": "Two", "s": "p", "deps": ["t-one1"]}` + "\n"
	)
	for name, test := range map[string]struct {
		old, now string
		want     []Code
	}{
		"nothing":             {spec + one + two, spec + one + two, nil},
		"an old fault moves":  {spec + strange, spec + two + strange, nil},
		"the same, edited":    {spec + strange, spec + strings.Replace(strange, "Old", "Older", 1), nil},
		"a new one beside it": {spec + strange, spec + strange + strings.Replace(strange, "old1", "new1", 1), []Code{CodeUnknownValue}},
		"a cycle":             {spec + one + two, spec + one + circle, []Code{CodeDependencyCycle}},
		"an old cycle":        {spec + one + circle, spec + strings.Replace(one, "One", "1", 1) + circle, nil},
		"a second spec":       {spec, spec + strings.Replace(spec, "a.md", "b.md", 1), []Code{CodeTwoSpecs}},
		"without a plan":      {"", spec + strange, []Code{CodeUnknownValue}},
	} {
		p, _ := DecodeBytes([]byte(test.now))
		var got []Code
		for _, problem := range NewFaults(p, []byte(test.old)) {
			got = append(got, problem.Code)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
