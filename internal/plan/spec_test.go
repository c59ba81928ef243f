package plan

import (
	"strings"
	"testing"
)

func TestSetSpec(t *testing.T) {
	tests := []struct {
		name          string
		before, after []string
	}{
		{"first in an empty plan", nil, []string{`{"t": "spec", "spec": "b.md"}`}},
		{"first in a canonical plan", []string{taskLine("t-a")}, []string{`{"t": "spec", "spec": "b.md"}`, taskLine("t-a")}},
		{"last in any other", []string{taskLine("t-b"), taskLine("t-a")}, []string{taskLine("t-b"), taskLine("t-a"), `{"t": "spec", "spec": "b.md"}`}},
		{"in its place, unknown fields kept", []string{taskLine("t-b"), `{"x":1.0,"t":"spec","spec":"a.md"}`}, []string{taskLine("t-b"), `{"t": "spec", "spec": "b.md", "x": 1.0}`}},
		{"a recorded conflict is settled", []string{`{"t": "spec", "spec": "a.md", "conflict": {"spec": ["a.md", "c.md"]}}`}, []string{`{"t": "spec", "spec": "b.md"}`}},
		{"the same", []string{`{"spec":"b.md","t":"spec"}`}, []string{`{"spec":"b.md","t":"spec"}`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, _ := Decode(strings.Join(append(test.before, ""), "\n"))
			c, err := p.SetSpec("b.md")
			if err != nil {
				t.Fatal(err)
			}
			expect(t, p, test.after...)
			if same := test.name == "the same"; c.Empty() != same || !same && eventsText(c) != "spec b.md" {
				t.Errorf("events %s", eventsText(c))
			}
		})
	}
	p := read(t, specLine)
	refuses(t, p, func() (Change, error) { return p.SetSpec(" ") }, `field "spec" is missing`)
}

// Format stamps ages in the order of the file, before all that are there, so
// that the order of work stays, and changes no byte of other lines.
func TestFormat(t *testing.T) {
	tests := []struct{ name, before, after string }{
		{
			"everything at once",
			"\ufeff" + `{"t":"task", "id":"t-b","created_at":"2026-01-02T03:04:05.006Z"}` + "\r\n\n" +
				taskLine("t-c") + "\n" + issueLine("i-a") + "\r\n" + specLine + "\n" + `{"t": "stage"}` + " \n" + `{"t": "reject", "id": "t-c", "x":1}` + "\r",
			specLine + "\n" + `{"t": "stage"}` + " \n" +
				`{"t": "issue", "id": "i-a", "spec": "a.md", "desc": "Look at i-a", "created_at": "2026-01-02T03:04:05.005Z"}` + "\n" +
				`{"t":"task", "id":"t-b","created_at":"2026-01-02T03:04:05.006Z"}` + "\n" +
				taskLine("t-c", `"created_at": "2026-01-02T03:04:05.004Z"`) + "\n" + `{"t": "reject", "id": "t-c", "x":1}` + "\n",
		},
		{"no time known", taskLine("t-b") + "\n" + taskLine("t-a"), taskLine("t-a", `"created_at": "2026-03-04T05:06:07.007Z"`) + "\n" + taskLine("t-b", `"created_at": "2026-03-04T05:06:07.006Z"`) + "\n"},
		{"a time in the future, one that is none", taskLine("t-a", `"created_at": "2027-01-01T00:00:00Z"`) + "\n" + taskLine("t-b", `"created_at": "soon"`) + "\n" + taskLine("t-c"), taskLine("t-a", `"created_at": "2027-01-01T00:00:00Z"`) + "\n" + taskLine("t-b", `"created_at": "soon"`) + "\n" + taskLine("t-c", `"created_at": "2026-03-04T05:06:07.007Z"`) + "\n"},
		{"empty lines alone", "\n\n", ""},
		{"an empty file", "", ""},
		{"done before", specLine + "\n" + `{"t":"task","id":"t-b","created_at":"x"}` + "\n", specLine + "\n" + `{"t":"task","id":"t-b","created_at":"x"}` + "\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, problems := Decode(test.before)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			records := p.Records()
			c := p.Format(testStamp())
			if got := string(p.Encode()); got != test.after {
				t.Errorf("got\n%s\nwant\n%s", got, test.after)
			}
			if c.Empty() != (test.before == test.after) {
				t.Errorf("events %s", eventsText(c))
			}
			if again := p.Format(testStamp()); !again.Empty() || !p.IsCanonical() {
				t.Error("formatting is not done at once")
			}
			for i, a := range records {
				for _, b := range records[i+1:] {
					newA, _ := p.find(a.Kind(), a.ID())
					newB, _ := p.find(b.Kind(), b.ID())
					if lacksCreatedAt(a) && lacksCreatedAt(b) && CompareAge(&newA, &newB) >= 0 {
						t.Errorf("%s and %s changed places", a.ID(), b.ID())
					}
				}
			}
		})
	}
}
