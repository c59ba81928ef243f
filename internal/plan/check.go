package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
)

// Check validates the content of a plan, and returns the problems in the order of
// lines. It does not repeat what Decode reports: unreadable lines and repeated
// ids. Strict adds advice: on acceptance criteria that nobody can check, and on
// what Format would correct.
func Check(p *Plan, strict bool) Problems {
	c := newChecker(p)
	c.strict = strict
	for _, r := range p.Records() {
		c.record(r)
	}
	c.cycles()
	if strict {
		c.format()
	}
	slices.SortStableFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return c.problems
}

// NewFaults returns the errors of Check that a plan has and an older version, given
// by its bytes, did not have. Records that both have are not checked again.
func NewFaults(p *Plan, old []byte) Problems {
	lines := map[string]bool{}
	for line := range bytes.Lines(old) {
		lines[string(bytes.TrimRight(line, "\r\n"))] = true
	}
	c := newChecker(p)
	waits := false
	for _, r := range p.Records() {
		if fresh := !lines[r.JSON()]; fresh || r.kind == KindSpec {
			c.record(r)
			waits = waits || len(r.WaitsFor()) > 0
		}
	}
	if waits {
		c.cycles()
	}
	found := c.problems.Errors()
	if len(found) == 0 {
		return nil
	}
	former, problems := DecodeBytes(old)
	known := map[problemKey]int{}
	for _, p := range append(problems, Check(former, false)...) {
		known[p.key()]++
	}
	return slices.DeleteFunc(found, func(p Problem) bool {
		known[p.key()]--
		return known[p.key()] >= 0
	})
}

type checker struct {
	plan     *Plan
	index    *DepIndex
	strict   bool
	spec     int          // line of the first spec record
	items    *itemChecker // nil until an item needs it
	problems Problems
}

func newChecker(p *Plan) checker { return checker{plan: p, index: p.DepIndex()} }

// report notes a problem of a field, which the record may lack.
func (c *checker) report(r Record, field string, p Problem) {
	p.Line, p.Column, p.ID = r.Line(), r.column(field), r.ID()
	c.problems = append(c.problems, p)
}

func (c *checker) record(r Record) {
	switch r.kind {
	case KindSpec:
		c.require(r, "spec")
		if c.spec > 0 {
			c.report(r, "", Problem{
				Severity: Error, Code: CodeTwoSpecs, Message: fmt.Sprintf("second spec record, the first is on line %d", c.spec),
				Expected: "one spec", Hint: "delete the one that is out of date",
			})
		}
		c.spec = cmp.Or(c.spec, r.Line())
	case KindTask:
		c.task(r)
	case KindIssue:
		c.require(r, "id")
		c.requireSpec(r)
		c.require(r, "desc")
		c.id(r)
		c.values(r)
	case KindItem:
		c.item(r)
	case KindReject:
		c.require(r, "id")
		c.present(r, "done_at", "reason")
	case "":
		c.report(r, "", Problem{Severity: Warning, Code: CodeMissingField, Message: `field "t" is missing`})
	}
	c.nulls(r)
	c.conflicts(r)
}

// conflicts finds recorded candidates that their field cannot hold.
func (c *checker) conflicts(r Record) {
	for _, conflict := range r.Conflicts() {
		for _, v := range conflict.Candidates {
			if CanHold(r.kind, conflict.Field, v) {
				continue
			}
			p := Problem{
				Severity: Error, Code: CodeWrongType, Message: fmt.Sprintf("%q has a candidate that is %s", conflict.Field, v.Kind()),
				Expected: shapeOf(r.kind, conflict.Field).String(), Hint: "`git ralph resolve` resolves it",
			}
			if slices.Contains(reserved[:], conflict.Field) {
				p.Message, p.Expected = fmt.Sprintf("field %q is recorded as a conflict", conflict.Field), "a field that a merge can decide about"
				p.Hint = "`git ralph resolve ID --field " + conflict.Field + " --value ''` drops what is recorded"
			}
			c.report(r, "conflict", p)
			break
		}
	}
}

// require asks for fields that are not empty.
func (c *checker) require(r Record, names ...string) {
	for _, name := range names {
		if r.Text(name) == "" {
			c.missing(r, name)
		}
	}
}

// present asks for fields that may be empty.
func (c *checker) present(r Record, names ...string) {
	for _, name := range names {
		if !r.Has(name) {
			c.missing(r, name)
		}
	}
}

func (c *checker) missing(r Record, name string) {
	message := "is missing"
	if r.Has(name) {
		message = "is empty"
	}
	c.report(r, name, Problem{Severity: Error, Code: CodeMissingField, Message: fmt.Sprintf("field %q %s", name, message)})
}

func (c *checker) requireSpec(r Record) {
	if r.needsSpec() {
		c.require(r, "spec")
	}
}

func (c *checker) task(r Record) {
	c.require(r, "id")
	c.requireSpec(r)
	if r.Name() == "" || r.Has("name") && r.Text("name") == "" {
		c.missing(r, "name")
	}
	c.id(r)
	c.values(r)
	c.state(r)
	for _, dep := range c.index.DanglingDeps(&r) {
		c.report(r, "deps", Problem{
			Severity: Warning, Code: CodeDanglingDependency, Dep: dep, Message: fmt.Sprintf("depends on %s, which is not in the plan", dep),
			Hint: "it does not block the task; this is normal for " + whyAbsent(dep),
		})
	}
	if c.strict {
		c.acceptance(r)
	}
}

// whyAbsent returns the normal reason why the record of an id is not in the
// plan.
func whyAbsent(id string) string {
	if strings.HasPrefix(id, IDPrefix(KindIssue)) {
		return "an issue that was closed"
	}
	return "a task that was accepted"
}

// id checks the form of an id. A missing one was reported before.
func (c *checker) id(r Record) {
	id := r.ID()
	switch {
	case id == "" || ValidID(r.kind, id):
	case ValidID(KindTask, id) || ValidID(KindIssue, id) || ValidID(KindItem, id):
		c.report(r, "id", Problem{
			Severity: Warning, Code: CodeMalformedID, Message: fmt.Sprintf("id %s of a record of kind %s", id, r.kind),
			Expected: "one that begins with " + IDPrefix(r.kind),
		})
	default:
		c.report(r, "id", Problem{
			Severity: Error, Code: CodeMalformedID, Message: fmt.Sprintf("id %q", id),
			Expected: IDPrefix(r.kind) + " and lower-case letters, digits and hyphens",
		})
	}
}

// values checks fields that hold one of a few words, or a time.
func (c *checker) values(r Record) {
	if priority := r.Priority(); priority != "" && PriorityRank(priority) == len(priorities) {
		c.value(r, "priority", Warning, `"high", "medium" or "low"`)
	}
	if kill := r.Text("kill"); kill != "" && !slices.Contains(killReasons[:], kill) {
		c.value(r, "kill", Warning, `"timeout" or "context"`)
	}
	if at := r.CreatedAt(); at != "" {
		if _, err := time.Parse(timeFormat, at); err != nil {
			c.value(r, "created_at", Warning, "a time such as 2006-01-02T15:04:05.000Z")
		}
	}
}

func (c *checker) value(r Record, field string, severity Severity, expected string) {
	c.report(r, field, Problem{
		Severity: severity, Code: CodeUnknownValue, Message: fmt.Sprintf("field %q is %q", field, r.Text(field)), Expected: expected,
	})
}

// state checks that a task's fields fit its status.
func (c *checker) state(r Record) {
	switch r.Text("s") {
	case "d":
		if r.Text("done_at") == "" {
			c.contradiction(r, Error, "s", `done, but has no "done_at"`)
		}
		if r.Has("kill") {
			c.contradiction(r, Warning, "kill", `done, but has "kill"; the next change of the plan makes it pending`)
		}
	case "p":
		for _, field := range [...]string{"done_at", "attempt"} {
			if r.Has(field) {
				c.contradiction(r, Warning, field, fmt.Sprintf("pending, but has %q", field))
			}
		}
	default:
		if !r.Has("s") {
			c.missing(r, "s")
			return
		}
		c.report(r, "s", Problem{
			Severity: Error, Code: CodeUnknownValue, Message: fmt.Sprintf("field %q is %q", "s", r.Text("s")), Expected: `"p" or "d"`, Hint: UnknownStateHint("ID"),
		})
	}
}

func (c *checker) contradiction(r Record, severity Severity, field, message string) {
	c.report(r, field, Problem{Severity: severity, Code: CodeImpossibleState, Message: "the task is " + message})
}

// nulls warns of known fields that are null, which means the same as no field.
func (c *checker) nulls(r Record) {
	if !strings.Contains(r.text, "null") {
		return
	}
	o := r.Object()
	for i := range o.Len() {
		if name := o.Name(i); fieldAt(fields(r.kind), name, 0) >= 0 && o.Value(i).Kind() == jsonl.Null {
			c.report(r, name, Problem{Severity: Warning, Code: CodeNullField, Message: fmt.Sprintf("field %q is null", name), Expected: "a value or no such field"})
		}
	}
}

// cycles finds tasks, and items, that wait for each other.
func (c *checker) cycles() {
	for _, kind := range [...]Kind{KindTask, KindItem} {
		var records RecordIndex // made for the first cycle
		for cycle := range c.plan.Cycles(kind) {
			message := string(kind) + "s wait for each other: " + strings.Join(cycle, " -> ")
			if len(cycle) == 2 {
				message = "the " + string(kind) + " depends on itself"
			}
			if records.at == nil {
				records = NewRecordIndex(c.plan.Of(kind))
			}
			first, _ := records.Find(cycle[0])
			c.report(first, kind.WaitsField(), Problem{
				Severity: Error, Code: CodeDependencyCycle, Message: message, Hint: "remove one of the dependencies",
			})
		}
	}
}

// format advises on what Format would correct.
func (c *checker) format() {
	for _, reason := range c.plan.formatReasons() {
		c.problems = append(c.problems, Problem{
			Severity: Advice, Code: CodeNotCanonical, Message: "the plan " + reason, Hint: "run git ralph fmt",
		})
	}
}
