package planrepair

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// task is a line of a plan.
func task(id, rest string) string {
	return `{"t": "task", "id": "` + id + `", "name": "N", "s": "p"` + rest + "}\n"
}

// between puts sections between conflict markers of a size. Without a base there
// is no marker for one.
func between(size int, ours, base, theirs string) string {
	m := func(sign string) string { return strings.Repeat(sign, size) }
	if base != "" {
		base = m("|") + " base\n" + base
	}
	return m("<") + " ours\n" + ours + base + m("=") + "\n" + theirs + m(">") + " theirs\n"
}

// settled settles a file that nothing is known of.
func settled(t *testing.T, data string) Result {
	t.Helper()
	result, err := Repair(File{Path: "p", Data: []byte(data)})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func merged(t *testing.T, base, ours, theirs string) string {
	t.Helper()
	result, err := merge.Merge([]byte(base), []byte(ours), []byte(theirs))
	if err != nil {
		t.Fatal(err)
	}
	return string(result.Data)
}

// Sections with a base are the three versions, wherever the markers came from.
func TestSections(t *testing.T) {
	a, b, c := task("t-a", ""), task("t-b", ""), task("t-c", "")
	ours, theirs := task("t-b", `, "x": 1`), task("t-b", `, "y": 2`)
	want := merged(t, a+b+c, a+ours+c, a+theirs+c)
	inner := between(9, "", "", b)
	for name, file := range map[string]string{
		"diff3":     a + between(7, ours, b, theirs) + c,
		"longer":    a + between(30, ours, b, theirs) + c,
		"nested":    a + between(7, ours, inner, theirs) + c,
		"same size": a + between(7, ours, between(7, b, b, b), theirs) + c,
	} {
		if got := settled(t, file); string(got.Data) != want || got.Origin != Markers {
			t.Errorf("%s: %s%s, want %s", name, got.Origin, got.Data, want)
		}
	}
	got := settled(t, strings.ReplaceAll(a+between(7, ours, b, theirs)+c, "\n", "\r\n"))
	if string(got.Data) != strings.ReplaceAll(want, "\n", "\r\n") {
		t.Errorf("CRLF: %q", got.Data)
	}
}

// Without a base section what both have is the base: nothing is lost, what one
// side alone has stays, and which side is ours means nothing.
func TestSharedBase(t *testing.T) {
	created := `, "created_at": "2026-01-01T00:00:00.000Z"`
	tests := map[string]struct{ ours, theirs, want string }{
		"fields": {task("t-a", `, "x": 1`), task("t-a", `, "y": 2`), task("t-a", `, "x": 1, "y": 2`)},
		"one name changed": {
			strings.Replace(task("t-a", ""), "N", "N more", 1), task("t-a", ""),
			`{"t": "task", "id": "t-a", "name": "N more", "s": "p", "conflict": {"name": ["N more", "N"]}}` + "\n",
		},
		"one side alone": {task("t-a", ""), "", task("t-a", "")},
		"two tasks": {
			task("t-a", created), strings.Replace(task("t-a", `, "created_at": "2026-02-02T00:00:00.000Z"`), "N", "M", 1), "",
		},
		"state": {task("t-a", ""), strings.Replace(task("t-a", `, "done_at": "0"`), `"p"`, `"d"`, 1), `{"t": "task", "id": "t-a", "name": "N", "s": "d", "done_at": "0"}` + "\n"},
	}
	for name, test := range tests {
		got := string(settled(t, between(7, test.ours, "", test.theirs)).Data)
		swapped := string(settled(t, between(7, test.theirs, "", test.ours)).Data)
		if got != swapped {
			t.Errorf("%s: %s, the other way round %s", name, got, swapped)
		}
		if test.want != "" && got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		if test.want == "" && (strings.Count(got, `"id": `) != 2 || !strings.Contains(got, "renamed_from")) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The versions of the index decide, unless somebody worked on the file since.
func TestStages(t *testing.T) {
	base, ours, theirs := task("t-a", ""), task("t-a", `, "x": 1`), task("t-a", `, "y": 2`)
	stages := &Versions{[]byte(base), []byte(ours), []byte(theirs)}
	want := merged(t, base, ours, theirs)
	mine := task("t-a", `, "mine": 1`)
	for name, test := range map[string]struct {
		data, want string
		origin     Origin
	}{
		"markers":        {between(7, ours, "", theirs), want, Stages},
		"base markers":   {between(7, ours, "{nobody wrote this}\n", theirs), want, Stages},
		"no file":        {"", want, Stages},
		"ours":           {ours, want, Stages},
		"theirs, CRLF":   {strings.ReplaceAll(theirs, "\n", "\r\n"), want, Stages},
		"both, no marks": {ours + theirs, want, Stages},
		"by hand":        {mine, mine, ByHand},
		"chosen":         {base, base, ByHand},
		"half by hand":   {between(7, mine, "", theirs), `{"t": "task", "id": "t-a", "name": "N", "s": "p", "mine": 1, "y": 2}` + "\n", Markers},
	} {
		got, err := Repair(File{Data: []byte(test.data), Stages: stages})
		if err != nil || string(got.Data) != test.want || got.Origin != test.origin {
			t.Errorf("%s: %v, %s, %s", name, err, got.Origin, got.Data)
		}
	}
}

// docs/merge.md, "Files that git leaves to you": a file that was cut short
// anywhere is merged again from the versions; one that breaks off elsewhere is not.
func TestCutShort(t *testing.T) {
	base, ours, theirs := task("t-a", "")+task("t-b", ""), task("t-a", `, "x": 1`)+task("t-b", ""), task("t-a", `, "y": 2`)+task("t-b", "")
	stages := &Versions{[]byte(base), []byte(ours), []byte(theirs)}
	want := merged(t, base, ours, theirs)
	whole := between(7, task("t-a", `, "x": 1`), task("t-a", ""), task("t-a", `, "y": 2`)) + task("t-b", "")
	for end := range whole {
		got, err := Repair(File{Data: []byte(whole[:end]), Stages: stages})
		if err != nil || string(got.Data) != want || got.Origin != Stages {
			t.Errorf("%q: %v, %s, %s", whole[:end], err, got.Origin, got.Data)
		}
	}
	for _, data := range []string{whole + `{"t": "tisk`, `{"t"` + "\n" + whole, whole + "<<<=", ours + "!"} {
		if _, err := Repair(File{Path: "p", Data: []byte(data), Stages: stages}); err == nil {
			t.Errorf("%q was settled", data)
		}
	}
}

// A version that has markers or ids twice of its own is repaired before the merge;
// one side without a file removed all that it had.
func TestBrokenVersions(t *testing.T) {
	base, ours := task("t-a", "")+task("t-b", ""), task("t-a", `, "x": 1`)+task("t-b", "")
	theirs := task("t-a", "") + between(7, task("t-b", `, "y": 1`), task("t-b", ""), task("t-b", ""))
	got, err := Repair(File{Stages: &Versions{[]byte(base), []byte(ours), []byte(theirs)}})
	if want := task("t-a", `, "x": 1`) + task("t-b", `, "y": 1`); err != nil || string(got.Data) != want {
		t.Errorf("markers: %v, %s", err, got.Data)
	}
	twice := base + task("t-a", `, "y": 1`)
	got, err = Repair(File{Stages: &Versions{[]byte(base), []byte(ours), []byte(twice)}})
	if want := task("t-a", `, "x": 1, "y": 1`) + task("t-b", ""); err != nil || string(got.Data) != want {
		t.Errorf("twice: %v, %s", err, got.Data)
	}
	got, err = Repair(File{Stages: &Versions{Base: []byte(base), Ours: []byte(ours)}})
	if want := task("t-a", `, "conflict": {"removed": true}, "x": 1`); err != nil || string(got.Data) != want {
		t.Errorf("deleted: %v, %s", err, got.Data)
	}
}

// The first source that the file was made of counts, and no other.
func TestSources(t *testing.T) {
	base, ours, theirs := task("t-a", ""), task("t-a", `, "x": 1`), task("t-a", `, "x": 2`)
	foreign := Versions{Base: []byte(base), Ours: []byte(ours)}
	file := File{Data: []byte(between(7, ours, "", theirs))}
	file.Sources = func(yield func(Versions, error) bool) {
		_ = yield(foreign, nil) && yield(Versions{[]byte(base), []byte(ours), []byte(theirs)}, nil) && yield(Versions{}, errors.New("asked for too much"))
	}
	got, err := Repair(file)
	if err != nil || got.Origin != History || string(got.Data) != merged(t, base, ours, theirs) || len(got.Conflicts) != 1 {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestNothing(t *testing.T) {
	if _, err := Repair(File{Data: []byte(task("t-a", ""))}); !errors.Is(err, ErrNothingToRepair) {
		t.Errorf("error %v", err)
	}
}

// What cannot be read is reported by file and line, and markers that do not belong
// together are never guessed at.
func TestUnreadable(t *testing.T) {
	a := task("t-a", "")
	for name, test := range map[string]struct {
		data string
		line int
	}{
		"JSON":         {a + between(7, "{\n", "", a), 3},
		"stray middle": {a + "=======\n", 2},
		"stray end":    {a + between(7, a, "", "") + ">>>>>>> x\n", 6},
		"no end":       {"<<<<<<< x\n" + a + "=======\n", 1},
		"no middle":    {"<<<<<<< x\n" + a, 1},
		"base twice":   {"<<<<<<< x\n||||||| y\n||||||| z\n=======\n>>>>>>> w\n", 3},
		"other size":   {"<<<<<<<< x\n=======\n>>>>>>>> y\n", 2},
	} {
		_, err := Repair(File{Path: "p", Data: []byte(test.data)})
		invalid, ok := errors.AsType[*plan.InvalidError](err)
		if !ok || invalid.File != "p" || invalid.Problems[0].Line != test.line {
			t.Errorf("%s: %v, want line %d", name, err, test.line)
		}
	}
}

// FuzzSettle guards: whatever stands in a file, settling it ends; it gives a
// valid plan or says why not; and the records of both sides are in it, under
// some id.
func FuzzSettle(f *testing.F) {
	a, b := task("t-a", ""), task("t-b", "")
	f.Add(a + between(7, b, a, a+b) + b)
	f.Add(between(7, a, "", between(9, b, "", b)))
	f.Add(a + a + task("t-a", `, "x": 1`))
	f.Add("\ufeff" + a + "=======\n")
	f.Add("\ufeff=======0")
	f.Fuzz(func(t *testing.T, data string) {
		result, err := Repair(File{Path: "p", Data: []byte(data)})
		if err != nil {
			_, invalid := errors.AsType[*plan.InvalidError](err)
			if !invalid && !errors.Is(err, ErrNothingToRepair) {
				t.Fatalf("error %v", err)
			}
			return
		}
		p, problems := plan.DecodeBytes(result.Data)
		if len(problems) > 0 {
			t.Fatalf("not valid: %v", problems)
		}
		before, _ := plan.Decode(data)
		for _, r := range before.Records() {
			named := func(other plan.Record) bool { return other.Kind() == r.Kind() && other.ID() == r.ID() }
			if isNamed(r) && !slices.ContainsFunc(p.Records(), named) && !strings.Contains(data, "|||||||") {
				t.Fatalf("%s is lost: %s", r.ID(), result.Data)
			}
		}
	})
}
