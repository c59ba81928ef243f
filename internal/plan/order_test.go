package plan

import (
	"slices"
	"strings"
	"testing"
)

// The canonical order is by identity (docs/plan-format.md): the spec, records
// without an id by kind and bytes, then by id, a task before its tombstones.
func TestCanonicalOrder(t *testing.T) {
	lines := []string{
		specLine,
		`{"t": "config", "a": 1}`,
		`{"t": "config", "a": 2}`,
		`{"t": "stage", "a": 1}`,
		`{"t": "task", "name": "no id"}`,
		`{"t": "issue", "id": "i-b"}`,
		`{"t": "task", "id": "t-a", "x": 9}`,
		`{"t": "reject", "id": "t-a", "x": 1}`,
		`{"t": "reject", "id": "t-a", "x": 2}`,
		`{"t": "accept", "id": "t-a", "x": 0}`,
		`{"t": "task", "id": "t-a-b"}`,
		`{"t": "task", "id": "t-aa"}`,
	}
	p := read(t, lines...)
	if !p.IsCanonical() {
		t.Error("the canonical order is not canonical")
	}
	turn := pseudoRandom()
	for range 20 {
		mixed := slices.Clone(lines)
		for i := range mixed {
			j := turn(i + 1)
			mixed[i], mixed[j] = mixed[j], mixed[i]
		}
		p := read(t, mixed...)
		if p.IsCanonical() != slices.Equal(mixed, lines) {
			t.Errorf("%v: canonical is %v", mixed, p.IsCanonical())
		}
		p.records = arranged(p.records)
		expect(t, p, lines...)
	}
	if read(t, specLine, "", taskLine("t-a")).IsCanonical() {
		t.Error("a plan with an empty line is canonical")
	}
}

// A file that is canonical stays so; in any other, existing lines keep their
// places and new ones go last.
func TestPlaces(t *testing.T) {
	sorted := []string{specLine, taskLine("t-1"), taskLine("t-3"), `{"t": "reject", "id": "t-3"}`, taskLine("t-5")}
	p := read(t, sorted...)
	if _, err := p.AddTasks(objects(t, `{"name": "A", "id": "t-4"}`, `{"name": "B", "id": "t-2"}`, `{"name": "C", "id": "t-6"}`), testStamp()); err != nil {
		t.Fatal(err)
	}
	if got := idsOf(p.Records()); got != " t-1 t-2 t-3 t-3 t-4 t-5 t-6" {
		t.Errorf("got %s", got)
	}
	slices.Reverse(sorted)
	p = read(t, sorted...)
	if _, err := p.AddTasks(objects(t, `{"name": "A", "id": "t-4"}`, `{"name": "B", "id": "t-2"}`), testStamp()); err != nil {
		t.Fatal(err)
	}
	if got := idsOf(p.Records()); got != "t-5 t-3 t-3 t-1  t-4 t-2" {
		t.Errorf("got %s", got)
	}
}

// A new line takes over how the lines of the file end, and makes up for a last
// one that did not end.
func TestEndings(t *testing.T) {
	for before, want := range map[string]string{
		"A\nB":       "A\nB\nC\n",
		"A\r\nB":     "A\r\nB\r\nC\r\n",
		"A\r\nB\n":   "A\r\nB\nC\r\n",
		"A\r\nB\r":   "A\r\nB\r\nC\r\n",
		"\ufeffA\nB": "\ufeffA\nB\nC\n",
		"B":          "B\nC\n",
	} {
		lines := strings.NewReplacer("A", specLine, "B", taskLine("t-a"), "C", issueLine("i-1"))
		p, _ := Decode(lines.Replace(before))
		p.add(read(t, issueLine("i-1")).records[0])
		if got := string(p.Encode()); got != lines.Replace(want) {
			t.Errorf("%q: got %q", before, got)
		}
	}
}

// Age goes by the time of creation, then by id; records without one come
// first, as they stand in the file.
func TestOlder(t *testing.T) {
	p := read(t,
		taskLine("t-d", `"created_at": "2026-01-01T00:00:00.002Z"`),
		taskLine("t-z"),
		taskLine("t-c", `"created_at": "2026-01-01T00:00:00.001Z"`),
		taskLine("t-a"),
		taskLine("t-b", `"created_at": "2026-01-01T00:00:00.001Z"`),
	)
	records := slices.Clone(p.Records())
	slices.SortFunc(records, func(a, b Record) int { return CompareAge(&a, &b) })
	if got := idsOf(records); got != "t-z t-a t-b t-c t-d" {
		t.Errorf("got %s", got)
	}
}

// A record that changes keeps its place among those without a time of
// creation, and the end of its line.
func TestChangedRecordKeepsItsLine(t *testing.T) {
	data := taskLine("t-b") + "\r\n" + taskLine("t-a") + "\n"
	p, _ := Decode(data)
	if _, err := p.Kill("t-b", "timeout", ""); err != nil {
		t.Fatal(err)
	}
	if got, want := string(p.Encode()), taskLine("t-b", `"kill": "timeout"`)+"\r\n"+taskLine("t-a")+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if b, a := p.records[0], p.records[1]; b.Line() != 1 || CompareAge(&b, &a) >= 0 {
		t.Errorf("line %d", b.Line())
	}
}

// CreatedNumber sorts as the times do, and is 0 where it cannot.
func TestCreatedNumber(t *testing.T) {
	tests := []struct {
		created string
		want    uint64
	}{
		{`"2026-01-18T12:34:56.789Z"`, 20260118123456789},
		{`"9999-12-31T23:59:59.999Z"`, 99991231235959999},
		{`"2024-02-29T00:00:00.000Z"`, 20240229000000000},
		{`"2025-02-29T00:00:00.000Z"`, 0},
		{`"1900-02-29T00:00:00.000Z"`, 0},
		{`"2026-04-31T00:00:00.000Z"`, 0},
		{`"2026-13-01T00:00:00.000Z"`, 0},
		{`"2026-00-01T00:00:00.000Z"`, 0},
		{`"2026-01-00T00:00:00.000Z"`, 0},
		{`"2026-01-01T24:00:00.000Z"`, 0},
		{`"2026-01-01T00:60:00.000Z"`, 0},
		{`"2026-01-01T00:00:60.000Z"`, 0},
		{`"2026-01-18T12:34:56Z"`, 0},
		{`"2026-01-18 12:34:56.789Z"`, 0},
		{`"2026-01-18T12:34:56.78xZ"`, 0},
		{`null`, 0},
	}
	for _, test := range tests {
		p := read(t, taskLine("t-a", `"created_at": `+test.created))
		if got := p.records[0].CreatedNumber(); got != test.want || got >= 1<<57 {
			t.Errorf("%s: got %d, want %d", test.created, got, test.want)
		}
	}
}
