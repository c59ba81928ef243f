package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Whatever can be read comes back byte for byte (docs/plan-format.md).
func TestRoundTrip(t *testing.T) {
	for name, data := range map[string]string{
		"empty":             "",
		"mark alone":        "\ufeff",
		"mark":              "\ufeff" + specLine + "\n",
		"no last newline":   specLine + "\n" + taskLine("t-1"),
		"carriage returns":  specLine + "\r\n" + taskLine("t-1") + "\r\n",
		"mixed endings":     specLine + "\r\n" + taskLine("t-1") + "\n" + taskLine("t-2") + "\r",
		"empty lines":       "\n" + specLine + "\n\n \t\n" + taskLine("t-1") + "\n\n",
		"blanks around":     "  " + specLine + "\t\n" + taskLine("t-1") + "  ",
		"unknown kinds":     `{"t": "stage", "stage": "VERIFY", "n": 1.0}` + "\n" + `{"t":7e2}`[:0] + `{"x": 12345678901234567890}` + "\n",
		"spellings":         `{"t":"task","id":"t-1","n\u0061me":"\u00e9\/","deps":[ "a" ,"b"],"s":"p","z":-0.0E+7}` + "\n",
		"links that are no": `{"t": "task", "id": "t-1", "parent": "i-a,i-b", "supersedes": [1], "created_from": null}` + "\n",
		"nulls":             `{"t": "task", "id": "t-1", "deps": null, "notes": null, "meta": null}` + "\n",
		"repeated tombs":    strings.Repeat(`{"t": "reject", "id": "t-1", "done_at": "a", "reason": "b"}`+"\n", 2),
	} {
		p, problems := Decode(data)
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
		if got := string(p.Encode()); got != data {
			t.Errorf("%s: got %q, want %q", name, got, data)
		}
	}
}

// Each error names file, line, column and what was expected
// (docs/plan-format.md, "Errors").
func TestDecodeErrors(t *testing.T) {
	tests := []struct {
		name string
		data string
		code Code
		want string
	}{
		{"conflict marker", specLine + "\n<<<<<<< HEAD\n", CodeConflictMarker, `2:1: conflict marker <<<<<<<, expected one JSON object per line`},
		{"middle marker", "=======\r\n", CodeConflictMarker, `1:1: conflict marker =======, expected one JSON object per line`},
		{"base marker", "||||||| 1234\n", CodeConflictMarker, `1:1: conflict marker |||||||, expected one JSON object per line`},
		{"end marker", ">>>>>>> topic", CodeConflictMarker, `1:1: conflict marker >>>>>>>, expected one JSON object per line`},
		{"invalid UTF-8", "{\"é\": \"\xff\"}\n", CodeInvalidUTF8, `1:8: invalid UTF-8, expected text in UTF-8`},
		{"not JSON", "t-1 is done\n", CodeInvalidJSON, `1:1: invalid JSON: unexpected 't', expected an object`},
		{"an array", "\n [1]\n", CodeInvalidJSON, `2:2: invalid JSON: unexpected '[', expected an object`},
		{"cut short", `{"t": "task", "id`, CodeInvalidJSON, `1:18: invalid JSON: unexpected end of line, expected '"' at the end of the string`},
		{"two on a line", specLine + " " + specLine, CodeInvalidJSON, `1:31: invalid JSON: unexpected '{', expected the end of the line`},
		{"trailing comma", `{"t": "é",}`, CodeInvalidJSON, `1:11: invalid JSON: unexpected '}', expected a member name in double quotes`},
		{"line break in a string", "{\"t\": \"a\n\"}\n", CodeInvalidJSON, "1:9: invalid JSON: unexpected end of line, expected '\"' at the end of the string\n" +
			`2:1: invalid JSON: unexpected '"', expected an object`},
		{"mark inside", specLine + "\n\ufeff" + specLine, CodeInvalidJSON, `2:1: invalid JSON: unexpected '\ufeff', expected an object`},
		{"member twice", `{"t": "task", "x": 1, "\u0078": 1}`, CodeDuplicateMember, `1:23: duplicate member name "x", expected each name once`},
		{"member twice, deep", `{"t": "task", "meta": {"x": 1, "x": 1}}`, CodeDuplicateMember, `1:32: duplicate member name "x", expected each name once`},
		{"kind is no string", `{"t": 7}`, CodeWrongType, `1:7: field "t" is a number, expected a string`},
		{"id is no string", `{"t": "issue", "id": 7}`, CodeWrongType, `1:22: field "id" is a number, expected a string`},
		{"name is no string", `{"t": "task", "id": "t-1", "name": ["a"]}`, CodeWrongType, `1:36: field "name" is an array, expected a string`},
		{"state is no string", `{"t": "task", "s": true}`, CodeWrongType, `1:20: field "s" is true or false, expected a string`},
		{"deps are no array", `{"t": "task", "deps": "t-1"}`, CodeWrongType, `1:23: field "deps" is a string, expected an array of strings`},
		{"deps hold a number", `{"t": "task", "deps": ["t-1", 7]}`, CodeWrongType, `1:23: field "deps" holds a number, expected an array of strings`},
		{"labels hold null", `{"t": "issue", "labels": [null]}`, CodeWrongType, `1:26: field "labels" holds null, expected an array of strings`},
		{"meta is no object", `{"t": "task", "meta": "a"}`, CodeWrongType, `1:23: field "meta" is a string, expected an object`},
		{"tombstone", `{"t": "reject", "id": "t-1", "reason": {}}`, CodeWrongType, `1:40: field "reason" is an object, expected a string`},
		{"two in a line", `{"t": "task", "s": 1, "é": 1, "notes": 2}`, CodeWrongType, "1:20: field \"s\" is a number, expected a string\n" +
			`1:40: field "notes" is a number, expected a string`},
		{"task twice", taskLine("t-1") + "\n" + issueLine("i-1") + "\n" + taskLine("t-1"), CodeDuplicateID, `3:21: id is used twice: task t-1 is also on line 1, expected each id once`},
		{"issue twice", issueLine("i-1") + "\n" + issueLine("i-1"), CodeDuplicateID, `2:22: id is used twice: issue i-1 is also on line 1, expected each id once`},
		{"id before the kind", taskLine("t-1") + "\n" + `{"id": "t-1", "t": "task"}`, CodeDuplicateID, `2:8: id is used twice: task t-1 is also on line 1, expected each id once`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, problems := Decode(test.data)
			var got []string
			for _, p := range problems {
				got = append(got, p.In("ralph/plan.jsonl"))
				if p.Code != test.code || p.Severity != Error {
					t.Errorf("code %s, severity %s", p.Code, p.Severity)
				}
			}
			want := "ralph/plan.jsonl:" + strings.ReplaceAll(test.want, "\n", "\nralph/plan.jsonl:")
			if text := strings.Join(got, "\n"); text != want {
				t.Errorf("got  %s\nwant %s", text, want)
			}
			if wantReadable := test.code == CodeDuplicateID; problems.Readable() != wantReadable {
				t.Errorf("readable: %v", problems.Readable())
			}
			invalid := &InvalidError{File: "ralph/plan.jsonl", Problems: problems.Errors()}
			if invalid.Error() != want {
				t.Errorf("error %s", invalid)
			}
		})
	}
}

// One id may stand on a task, an issue, tombstones and records of unknown
// kinds at once.
func TestIDsThatMayRepeat(t *testing.T) {
	tomb := `{"t": "reject", "id": "t-1", "done_at": "a", "reason": "b"}`
	read(t, taskLine("t-1"), tomb, tomb, `{"t": "accept", "id": "t-1"}`, `{"t": "accept", "id": "t-1"}`, `{"t": "issue", "id": "t-1"}`, `{"t": "task"}`, `{"t": "task"}`)
}

// A problem knows the record that it is of.
func TestProblemsNameTheirRecord(t *testing.T) {
	_, problems := Decode(`{"t": "task", "s": 1, "id": "t-1"}`)
	if len(problems) != 1 || problems[0].ID != "t-1" {
		t.Errorf("got %+v", problems)
	}
}

// A long file is read in two halves; that does not show.
func TestHalves(t *testing.T) {
	var lines []string
	for i := range 2000 {
		switch {
		case i == 3 || i == 1990:
			lines = append(lines, "{")
		case i == 1000:
			lines = append(lines, "")
		default:
			lines = append(lines, taskLine(fmt.Sprintf("t-%d", i%1995)))
		}
	}
	for _, end := range []string{"\n", ""} {
		data := strings.Join(lines, "\r\n") + end
		p, problems := Decode(data)
		var got []string
		for _, problem := range problems {
			got = append(got, fmt.Sprintf("%d %s", problem.Line, problem.Code))
		}
		want := []string{"4 invalid-json", "1991 invalid-json", "1996 duplicate-id", "1997 duplicate-id", "1998 duplicate-id", "2000 duplicate-id"}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v", got)
		}
		var numbers []int
		for _, r := range p.Records() {
			if r.Line() != 1001 && r.ID() != fmt.Sprintf("t-%d", (r.Line()-1)%1995) {
				t.Fatalf("line %d holds %s", r.Line(), r.ID())
			}
			numbers = append(numbers, r.Line())
		}
		if len(numbers) != 1997 || !slices.IsSorted(numbers) {
			t.Fatalf("%d records", len(numbers))
		}
		whole := strings.ReplaceAll(data, "{\r\n", "{}\r\n")
		if p, _ := Decode(whole); string(p.Encode()) != whole {
			t.Fatal("the bytes changed")
		}
	}
}

// The last line may be longer than all others, and end without a line feed.
func TestHalvesOfOneLine(t *testing.T) {
	long := `{"t": "task", "id": "t-2", "spec": "a.md", "name": "` + strings.Repeat("x", minHalved) + `", "s": "p"}`
	for _, data := range []string{long, taskLine("t-1") + "\n" + long} {
		if p, problems := Decode(data); len(problems) > 0 || string(p.Encode()) != data {
			t.Errorf("%d bytes: %v", len(data), problems)
		}
	}
}

// A line of 16 MiB and a plan of 200,000 records are read.
func TestLargePlans(t *testing.T) {
	long := specLine + "\n" + taskLine("t-1", `"notes": "`+strings.Repeat("ü", 8<<20)+`"`) + "\n"
	if p := read(t, strings.TrimSuffix(long, "\n")); string(p.Encode()) != long {
		t.Error("a long line changed")
	}
	var b strings.Builder
	for i := range 200_000 {
		b.WriteString(taskLine(fmt.Sprintf("t-%06d", (i*7919)%200_000)) + "\n")
	}
	p, problems := Decode(b.String())
	if len(problems) > 0 || len(p.Records()) != 200_000 || string(p.Encode()) != b.String() {
		t.Errorf("%d records, %d problems", len(p.Records()), len(problems))
	}
	if problems := Check(p, false); len(problems) > 0 {
		t.Error(problems[0])
	}
	if c := p.Format(testStamp()); len(c.Records) != 200_000 || !p.IsCanonical() {
		t.Errorf("%d records formatted", len(c.Records))
	}
}

// FuzzDecode: nothing makes the codec fail, and what can be read comes back
// byte for byte.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"\ufeff" + specLine + "\r\n" + taskLine("t-1", `"deps": ["t-2"]`) + "\n" + issueLine("i-1"),
		"<<<<<<< a\n{}\n=======\n{\"t\":\"task\",\"id\":\"t-1\"}\n>>>>>>> b\n",
		`{"t":"task","id":"t-1"}` + "\n" + `{"t":"task","id":"t-1"}` + "\r",
		"{\"t\": \"task\", \"deps\": [1], \"x\": \"\xff\"}\n\n \n",
		`{"t": "task", "meta": {"a": [null, {"b": 1e9}]}, "conflict": {"name": ["a", "b"]}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		p, problems := Decode(data)
		for _, problem := range problems {
			if problem.Line < 1 || problem.Column < 1 || problem.In("f") == "" {
				t.Fatalf("problem without a place: %+v", problem)
			}
		}
		encoded := string(p.Encode())
		if problems.Readable() && encoded != data {
			t.Fatalf("%q became %q", data, encoded)
		}
		Check(p, true)
		if p.Format(testStamp()); !p.IsCanonical() {
			t.Fatalf("%q is not canonical", p.Encode())
		}
		again, problems := Decode(string(p.Encode()))
		if !problems.Readable() || string(again.Encode()) != string(p.Encode()) {
			t.Fatalf("formatted to %q: %v", p.Encode(), problems)
		}
		if c := again.Format(testStamp()); !c.Empty() {
			t.Fatalf("formatting %q again changed it to %q", p.Encode(), again.Encode())
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	var text strings.Builder
	for i := range 10_000 {
		text.WriteString(taskLine(fmt.Sprintf("t-%06d", i), `"notes": "`+strings.Repeat("n", 200)+`"`) + "\n")
	}
	p, _ := Decode(text.String())
	for b.Loop() {
		p.Encode()
	}
}
