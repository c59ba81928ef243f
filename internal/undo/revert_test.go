package undo

import (
	"strings"
	"testing"

	"git-ralph/internal/plan"
)

const (
	specLine     = `{"t": "spec", "spec": "a.md"}`
	openLine     = `{"t": "task", "id": "t-1", "spec": "a.md", "name": "one", "s": "p"}`
	doneLine     = `{"t": "task", "id": "t-1", "spec": "a.md", "name": "one", "s": "d", "done_at": "12", "attempt": "aaaa"}`
	stone        = `{"t": "reject", "id": "t-1", "done_at": "12", "reason": "no", "attempt": "aaaa"}`
	partLine     = `{"t": "task", "id": "t-p", "spec": "a.md", "name": "part", "parent": "t-1", "s": "p"}`
	openAccepted = `{"t": "task", "id": "t-2", "spec": "a.md", "name": "two", "s": "p"}` // after it was accepted
	killed       = `{"t": "task", "id": "t-1", "spec": "a.md", "name": "one", "s": "p", "kill": "timeout"}`
)

func acceptedBefore(task plan.Record) (attempt string, ok bool) { return "bbbb", task.ID() == "t-2" }

// TestEvents guards: an undo reports what became of the records, and never that somebody accepted or rejected what nobody did.
func TestEvents(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string // lines
		now           string // "" where nothing happened since
		redo          bool
		events        string
	}{
		"add":                             {specLine, specLine + "\n" + openLine, "", false, "cancelled t-1"},
		"a task that was done as it came": {specLine, specLine + "\n" + doneLine, "", false, "cancelled t-1"},
		"accept":                          {doneLine, specLine, "", false, "reopened t-1, done t-1"},
		"accept, made again":              {specLine, specLine + "\n" + doneLine, "", true, "accepted t-1"},
		"done":                            {openLine, doneLine, "", false, "reopened t-1"},
		"done, and edited since":          {openLine, doneLine, strings.Replace(doneLine, "one", "two", 1), false, "reopened t-1"},
		"reject":                          {doneLine, openLine + "\n" + stone, "", false, "done t-1"},
		"reject, made again":              {openLine + "\n" + stone, doneLine, "", true, "rejected t-1"},
		"tombstones that were cleared":    {openLine + "\n" + stone, openLine, "", false, "updated "},
		"a task that was accepted before": {specLine, specLine + "\n" + openAccepted, "", false, "accepted t-2"},
		"that, made again":                {specLine, specLine + "\n" + openAccepted, "", true, "accepted t-2"},
		"decompose":                       {openLine, partLine, "", false, "reopened t-1, cancelled t-p"},
		"decompose, made again":           {partLine, openLine, "", true, "reopened t-p, decomposed t-1"},
		"kill":                            {openLine, killed, "", false, "edited t-1"},
		"the order of lines":              {specLine + "\n" + openLine, openLine + "\n" + specLine, "", false, "updated "},
		"an added task, done since":       {specLine, specLine + "\n" + openLine, specLine + "\n" + doneLine, false, "edited t-1"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.now == "" {
				c.now = c.after
			}
			p, _ := plan.Decode(c.now + "\n")
			r, err := Take(p, []byte(c.before+"\n"), []byte(c.after+"\n"), c.redo, acceptedBefore)
			if err != nil {
				t.Fatal(err)
			}
			var events []string
			for _, e := range r.Change.Events {
				events = append(events, string(e.Name)+" "+e.ID)
			}
			if got := strings.Join(events, ", "); got != c.events {
				t.Errorf("got %q, want %q", got, c.events)
			}
		})
	}
}

// TestUnreadable guards: what cannot be read as a plan is named, and the plan stays as it is.
func TestUnreadable(t *testing.T) {
	for _, c := range [][2]string{{"<<<<<<< ours", openLine}, {openLine, "<<<<<<< ours"}} {
		p, _ := plan.Decode(doneLine + "\n")
		if _, err := Take(p, []byte(c[0]+"\n"), []byte(c[1]+"\n"), false, acceptedBefore); err == nil || string(p.Encode()) != doneLine+"\n" {
			t.Errorf("%q: %v, %s", c, err, p.Encode())
		}
	}
}
