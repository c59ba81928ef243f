package plan

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
)

// schema compiles docs/plan.schema.json.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const place = "../../docs/plan.schema.json"
	text, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(place, document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(place)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// bothJudge returns what the codec and the schema have against a line.
func bothJudge(t rapid.TB, s *jsonschema.Schema, line string) (byCodec Problems, bySchema error) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		t.Fatalf("the test's own line is bad: %v", err)
	}
	p, problems := Decode(line + "\n")
	if problems.Readable() {
		problems = append(problems, Check(p, false)...)
	}
	return problems.Errors(), s.Validate(value)
}

// The schema in docs/ says of a record what the codec and `check` say of a
// plan that holds it alone.
func TestSchemaOfRecords(t *testing.T) {
	const (
		task  = `"t": "task", "id": "t-1a2b", "spec": "a.md", "s": "p"`
		issue = `"t": "issue", "id": "i-1a2b", "spec": "a.md"`
	)
	tests := []struct {
		line  string
		valid bool
	}{
		{`{"t": "spec", "spec": "a.md"}`, true},
		{`{"t": "spec"}`, false},
		{`{"t": "spec", "spec": 1}`, false},
		{`{` + task + `, "name": "One"}`, true},
		{`{` + task + `, "desc": "One"}`, true},
		{`{` + task + `, "name": null, "desc": "One"}`, true},
		{`{` + task + `, "name": "", "desc": "One"}`, false},
		{`{` + task + `}`, false},
		{`{` + task + `, "name": "One", "x": [1.0, {"y": null}]}`, true},
		{`{` + task + `, "name": "One", "notes": null, "deps": null}`, true},
		{`{` + task + `, "name": "One", "deps": ["t-2"]}`, true},
		{`{` + task + `, "name": "One", "deps": "t-2"}`, false},
		{`{` + task + `, "name": "One", "deps": [2]}`, false},
		{`{` + task + `, "name": "One", "parent": ["t-2", 3]}`, true},
		{`{` + task + `, "name": "One", "meta": []}`, false},
		{`{` + task + `, "name": "One", "check": "make test"}`, true},
		{`{` + task + `, "name": "One", "check": ["make test", "go vet"]}`, true},
		{`{` + task + `, "name": "One", "check": ["make test", 1]}`, false},
		{`{` + task + `, "name": "One", "check": {}}`, false},
		{`{"t": "task", "id": "x", "spec": "a.md", "s": "p", "name": "One"}`, false},
		{`{"t": "task", "id": "t-1", "spec": "a.md", "s": "x", "name": "One"}`, false},
		{`{"t": "task", "id": "t-1", "spec": "a.md", "s": "d", "name": "One"}`, false},
		{`{"t": "task", "id": "t-1", "spec": "a.md", "s": "d", "done_at": "0123456789ab", "name": "One"}`, true},
		{`{` + issue + `, "desc": "Flaky", "labels": ["a"]}`, true},
		{`{` + issue + `, "desc": "Flaky", "labels": "a"}`, false},
		{`{` + issue + `}`, false},
		{`{"t": "reject", "id": "t-1", "done_at": "1", "reason": "No"}`, true},
		{`{"t": "reject", "id": "t-1", "done_at": "1"}`, false},
		{`{"t": "item", "id": "w-1a2b", "name": "One"}`, true},
		{`{"t": "item", "id": "w-1a2b"}`, false},
		{`{"t": "item", "id": "w-1a2b", "name": "One", "number": 42, "state": "Plan in Review", "blocked_by": ["w-2"]}`, true},
		{`{"t": "item", "id": "w-1a2b", "name": "One", "number": 0}`, false},
		{`{"t": "item", "id": "w-1a2b", "name": "One", "number": "42"}`, false},
		{`{"t": "item", "id": "w-1a2b", "name": "One", "state": "Someday"}`, false},
		{`{"t": "item", "id": "w-1a2b", "name": "One", "blocked_by": "w-2"}`, false},
		{`{"t": "task", "id": "t-1a2b", "s": "p", "name": "One", "meta": {"issue_number": 42}}`, true},
		{`{"t": "task", "id": "t-1a2b", "s": "p", "name": "One", "meta": {"issue_number": null}}`, false},
		{`{"t": "milestone", "id": 7}`, true},
		{`{"id": "t-1"}`, true},
		{`{"t": null}`, true},
		{`{"t": 7}`, false},
	}
	s := schema(t)
	for _, tt := range tests {
		byCodec, bySchema := bothJudge(t, s, tt.line)
		if (bySchema == nil) != tt.valid || (len(byCodec) == 0) != tt.valid {
			t.Errorf("%s: want valid = %v; schema: %v; codec: %v", tt.line, tt.valid, bySchema, byCodec)
		}
	}
}

// Schema and codec agree on any record.
func TestSchemaAgreesWithCodec(t *testing.T) {
	s := schema(t)
	rapid.Check(t, func(t *rapid.T) {
		line := genRecord(t)
		byCodec, bySchema := bothJudge(t, s, line)
		if (bySchema == nil) != (len(byCodec) == 0) {
			t.Fatalf("%s:\nschema: %v\ncodec: %v", line, bySchema, byCodec)
		}
	})
}

// genRecord draws a record whose fields mostly hold what they should.
func genRecord(t *rapid.T) string {
	kind := rapid.SampledFrom([]Kind{KindSpec, KindTask, KindIssue, KindItem, KindReject, "other"}).Draw(t, "kind")
	members := []jsonl.Member{{Name: "t", Value: jsonl.Quote(string(kind))}}
	if rapid.IntRange(0, 9).Draw(t, "any kind") == 0 {
		members[0].Value = genValue(anything).Draw(t, "t")
	}
	for _, f := range slices.Concat(fields(kind), []field{{"desc", text}, {"unknown", anything}})[min(1, len(fields(kind))):] {
		if slices.ContainsFunc(members, func(m jsonl.Member) bool { return m.Name == f.name }) {
			continue
		}
		likely := slices.Contains([]string{"id", "spec", "name", "desc", "s", "done_at", "reason"}, f.name)
		if rapid.IntRange(0, 9).Draw(t, "has "+f.name) < 9 == likely {
			members = append(members, jsonl.Member{Name: f.name, Value: genField(f).Draw(t, f.name)})
		}
	}
	return jsonl.Build(members).Text()
}

// genField draws what often stands in a field, or anything.
func genField(f field) *rapid.Generator[jsonl.Value] {
	good := map[string][]jsonl.Value{
		"id": {`"t-1a2b"`, `"i-3c4d"`, `"w-5e6f"`, `"t-a-b"`, `"T-1"`, `"t-"`, `""`},
		"s":  {`"p"`, `"d"`, `"d"`},

		"number": {`1`, `42`, `1.0`, `1.5`, `0`, `-1`, `9007199254740991`, `12345678901234567890`, `1e2`},
		"state":  {`"Backlog"`, `"Human Needed"`, `"backlog"`, `""`},
		"meta":   {`{}`, `{"a": {"b": [1, null]}}`, `{"issue_number": 42}`, `{"issue_number": "w-1"}`, `{"issue_number": null}`},
	}[f.name]
	value := genValue(f.shape)
	if good != nil {
		value = rapid.SampledFrom(good)
	}
	return rapid.Custom(func(t *rapid.T) jsonl.Value {
		if rapid.IntRange(0, 19).Draw(t, "odd") == 0 {
			return genValue(anything).Draw(t, "value")
		}
		return value.Draw(t, "value")
	})
}

// genValue draws a value of a shape. No list holds an id that a record may have:
// a task that waits for itself is a matter of the plan.
func genValue(s shape) *rapid.Generator[jsonl.Value] {
	values := map[shape][]jsonl.Value{
		text:        {`"text"`, `"\u0065\n"`, `"ü 漢"`},
		texts:       {`[]`, `["t-x"]`, `["i-x", "é"]`},
		textOrTexts: {`"make test"`, `["make test", "go vet ./..."]`},
		number:      {`1`, `1.5`, `-2e3`},
		structure:   {`{}`, `{"a": {"b": [1, null]}}`},
		anything:    {`"text"`, `""`, `" "`, `[]`, `["a"]`, `["a", 1]`, `{}`, `1`, `1.0`, `12345678901234567890`, `true`, `null`, `"task"`, `"spec"`},
	}
	return rapid.SampledFrom(values[s])
}

// Every field that the codec knows stands in the schema.
func TestSchemaNamesEveryField(t *testing.T) {
	s := schema(t)
	for i, kind := range []Kind{KindSpec, KindTask, KindIssue, KindItem, KindReject} {
		properties := s.OneOf[i].Ref.Properties
		for _, f := range fields(kind) {
			if properties[f.name] == nil {
				t.Errorf("%s: the schema has no %q", kind, f.name)
			}
		}
		for name := range properties {
			known := func(f field) bool { return f.name == name }
			if !slices.ContainsFunc(fields(kind), known) && !(kind == KindTask && name == "desc") {
				t.Errorf("%s: the codec does not know %q", kind, name)
			}
		}
	}
}
