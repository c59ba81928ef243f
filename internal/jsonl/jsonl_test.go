package jsonl

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Reading and building again without a change gives the same bytes for text
// that is spaced as we space it.
func TestBuildKeepsMembers(t *testing.T) {
	for _, text := range []string{
		`{}`,
		`{"a": 1.0, "b": 12345678901234567890, "c": 1e+05}`,
		`{"n\u0061me": "\u00e9\/é", "x": [1,2 , {"y":null}], "z": {"a":1}}`,
	} {
		o, err := ParseObject(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if o.Text() != text {
			t.Errorf("text changed: %s", o.Text())
		}
		if got := Build(o.Members()).Text(); got != text {
			t.Errorf("built %s from %s", got, text)
		}
	}
}

func TestGetDecodesNames(t *testing.T) {
	o, err := ParseObject(`{"n\u0061me":"a\nb","list":["x","\ud83d\ude00"],"num":0}`)
	if err != nil {
		t.Fatal(err)
	}
	v, found := o.Get("name")
	if text, ok := v.Str(); !found || !ok || text != "a\nb" {
		t.Errorf("name = %q, %v, %v", text, ok, found)
	}
	v, _ = o.Get("list")
	if list, ok := v.Strings(); !ok || len(list) != 2 || list[1] != "😀" {
		t.Errorf("list = %q, %v", list, ok)
	}
	if _, found := o.Get("nam"); found {
		t.Error("found a member that is not there")
	}
	v, _ = o.Get("num")
	if _, ok := v.Str(); ok || v.Kind() != Number {
		t.Error("a number read as a string")
	}
}

// Every error names its place and what was expected.
func TestSyntaxErrors(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		want   string
	}{
		{``, 0, `unexpected end of line, expected an object`},
		{`[1]`, 0, `unexpected '[', expected an object`},
		{`{"a" 1}`, 5, `unexpected '1', expected ":"`},
		{`{"a": 1,}`, 8, `unexpected '}', expected a member name in double quotes`},
		{`{"a": 1 "b": 2}`, 8, `unexpected '"', expected "," or "}"`},
		{`{"a": [1 2]}`, 9, `unexpected '2', expected "," or "]"`},
		{`{"a": 1} x`, 9, `unexpected 'x', expected the end of the line`},
		{`{"a": 01}`, 7, `unexpected '1', expected "," or "}"`},
		{`{"a": 1.}`, 8, `unexpected '}', expected a digit`},
		{`{"a": tru}`, 6, `unexpected 't', expected a value`},
		{`{"a": "x`, 8, `unexpected end of line, expected '"' at the end of the string`},
		{`{"a": "\x"}`, 8, `unexpected 'x', expected one of "\/bfnrtu after a backslash`},
		{`{"a": "\u12g4"}`, 11, `unexpected 'g', expected four hexadecimal digits after \u`},
		{"{\"a\": \"b\tc\"}", 8, `control character '\t' in a string, expected an escape such as \n`},
		{`{"a": 1, "\u0061": 2}`, 9, `duplicate member name "a", expected each name once`},
		{`{"m": {"a": 1, "a": 2}}`, 15, `duplicate member name "a", expected each name once`},
		{`{` + manyMembers(33) + `, "m7": 2}`, 344, `duplicate member name "m7", expected each name once`},
		{`{"x": {` + manyMembers(40) + `}, "y": {` + manyMembers(40) + `}, "y": {}}`, 855, `duplicate member name "y", expected each name once`},
		{"{\"a\": \"\xff\"}", 7, `invalid UTF-8, expected text in UTF-8`},
		{`{"a": ` + strings.Repeat("[", 2000), 1006, `nested deeper than 1000 levels, expected at most 1000`},
	}
	for _, test := range tests {
		_, err := ParseObject(test.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%.20q: no syntax error but %v", test.text, err)
			continue
		}
		if syntax.Offset != test.offset || err.Error() != test.want {
			t.Errorf("%.20q: got %d %q, want %d %q", test.text, syntax.Offset, err, test.offset, test.want)
		}
	}
}

func TestLines(t *testing.T) {
	var got []Line
	for line := range Lines("a\r\n\nb\rc\nd\r") {
		got = append(got, line)
	}
	want := []Line{{"a", "\r\n", 1}, {"", "\n", 2}, {"b\rc", "\n", 3}, {"d", "\r", 4}}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

func manyMembers(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"m%d": %d`, i, i)
	}
	return strings.Join(members, ", ")
}

// An object may have as many members as a line can hold, and is read in the
// time of one look at each.
func TestManyMembers(t *testing.T) {
	o, err := ParseObject(`{` + manyMembers(300000) + `}`)
	if err != nil || o.Len() != 300000 {
		t.Fatal(o.Len(), err)
	}
}

// A line has no limit on its length.
func TestLongLine(t *testing.T) {
	text := `{"a": "` + strings.Repeat("x", 32<<20) + `"}`
	if _, err := ParseObject(text); err != nil {
		t.Fatal(err)
	}
}

// FuzzObject: we accept only what encoding/json accepts, decode strings alike,
// and give members back byte for byte.
func FuzzObject(f *testing.F) {
	for _, seed := range []string{
		`{"a": 1.0, "b": [true, null, {"c": "\ud83d\ude00"}], "d": "\u00e9é"}`,
		`{"a":"x", "a":"y"}`, `{"deep": [[[[]]], {"\\\"a\\\\": "\\\\\"", "b\\u0022": {}}]}`, "{\"a\": \"\xff\"}", ` { "a" : -0.0e-7 } `, `{"": 1000e700}`, `{"\ud800":""}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ParseObject(text)
		if err != nil {
			return
		}
		var want map[string]any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber() // numbers are kept as they are written, also those that no float64 can hold
		if err := decoder.Decode(&want); err != nil || !json.Valid([]byte(text)) {
			t.Fatalf("accepted what encoding/json refuses: %v", err)
		}
		if o.Text() != text || len(want) != o.Len() {
			t.Fatalf("%d members became %d", len(want), o.Len())
		}
		for _, m := range o.Members() {
			if s, ok := m.Value.Str(); ok && want[m.Name] != s {
				t.Fatalf("member %q: %q, want %q", m.Name, s, want[m.Name])
			}
		}
		for i, m := range o.Members() {
			if v, found := Find(text, m.Name); !found || v != o.Value(i) {
				t.Fatalf("member %q: found %v, %s, want %s", m.Name, found, v, o.Value(i))
			}
		}
		if v, found := Find(text, "no such name"); found != (want["no such name"] != nil) && v != "null" {
			t.Fatalf("found %s", v)
		}
		for _, v := range objectsIn(Value(strings.TrimSpace(text))) {
			first, err := ParseObject(string(v))
			if again := v.Object(); err != nil || !slices.Equal(first.Members(), again.Members()) {
				t.Fatalf("%s: %v, %v, read again %v", v, err, first.Members(), again.Members())
			}
		}
		again, err := ParseObject(Build(o.Members()).Text())
		if err != nil {
			t.Fatalf("cannot read what was built: %v", err)
		}
		for i, m := range o.Members() {
			if again.At(i) != m {
				t.Fatalf("member %d changed: %v, was %v", i, again.At(i), m)
			}
		}
	})
}

// objectsIn lists the objects in a value, itself included.
func objectsIn(v Value) (list []Value) {
	inner := slices.Collect(v.All())
	if object := v.Object(); object.Text() != "" {
		list = append(list, v)
		for _, m := range object.Members() {
			inner = append(inner, m.Value)
		}
	}
	for _, value := range inner {
		list = append(list, objectsIn(value)...)
	}
	return list
}

// FuzzQuote: what is quoted reads back as it was.
func FuzzQuote(f *testing.F) {
	f.Add("a\x00\x1f\"\\\n\u2028é😀")
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "\ufffd")
		v, err := ParseValue(string(Quote(s)))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := v.Str(); !ok || got != s {
			t.Fatalf("got %q, want %q", got, s)
		}
	})
}

func BenchmarkObject(b *testing.B) {
	line := `{"t": "task", "id": "t-1a2b", "spec": "coverage.md", "name": "Add parser unit tests", "notes": "` +
		strings.Repeat("cover the edge cases ", 8) + `", "accept": "pytest passes", "deps": ["t-3c4d"], "s": "p"}`
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	var p Parser
	for b.Loop() {
		if _, err := p.Object(line); err != nil {
			b.Fatal(err)
		}
	}
}
