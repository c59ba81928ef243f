package export

import (
	"strings"
	"time"
	"unicode/utf8"

	"git-ralph/internal/view"
)

// Calendar returns rows as the to-dos of a calendar (RFC 5545). Each has a UID that it keeps as long as it lives, and a time stamp that is that of
// its last change, so the same data give the same bytes. A plan has no dates in the future: there are no due dates.
func Calendar(name string, rows []Row) string {
	var c calendar
	c.line("BEGIN", "VCALENDAR")
	c.line("VERSION", "2.0")
	c.line("PRODID", "-//git-ralph//export//EN")
	c.text("NAME", name)
	c.text("X-WR-CALNAME", name)
	listed := map[string]string{} // UIDs by id
	for i := range rows {
		listed[rows[i].ID()] = uid(&rows[i])
	}
	for i := range rows {
		c.todo(&rows[i], listed)
	}
	if len(rows) == 0 {
		c.utc()
	}
	c.line("END", "VCALENDAR")
	return c.b.String()
}

// utc writes a time zone, which nothing refers to: a calendar has to have a component, and this one shows nothing.
func (c *calendar) utc() {
	for _, it := range [...][2]string{
		{"BEGIN", "VTIMEZONE"},
		{"TZID", "UTC"},
		{"BEGIN", "STANDARD"},
		{"DTSTART", "19700101T000000"},
		{"TZOFFSETFROM", "+0000"},
		{"TZOFFSETTO", "+0000"},
		{"END", "STANDARD"},
		{"END", "VTIMEZONE"},
	} {
		c.line(it[0], it[1])
	}
}

// uid returns what identifies a to-do: an id may come back for another task.
func uid(r *Row) string {
	safe := func(text string) string {
		return strings.Map(func(c rune) rune {
			if c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
				return c
			}
			return '_'
		}, text)
	}
	id := safe(r.ID())
	if at := r.CreatedAt(); at != "" {
		id += "-" + safe(at)
	}
	return id + "@git-ralph"
}

// A calendar is written line by line.
type calendar struct{ b strings.Builder }

// maxLine is the most bytes of a line, without its end.
const maxLine = 75

// line writes a property, folded: a line that is too long goes on in the next one, behind a space.
func (c *calendar) line(name, value string) {
	text, size := name+":"+value, 0
	for len(text) > 0 {
		_, n := utf8.DecodeRuneInString(text)
		if size+n > maxLine {
			c.b.WriteString("\r\n ")
			size = 1
		}
		c.b.WriteString(text[:n])
		text, size = text[n:], size+n
	}
	c.b.WriteString("\r\n")
}

// text writes a property that is a text; none where that is empty.
func (c *calendar) text(name, value string) {
	if value != "" {
		c.line(name, escaped(value))
	}
}

func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`).Replace(plain(text))
}

// at writes a time; nothing where it is not known.
func (c *calendar) at(name string, t time.Time) {
	if text := timeText(t); text != "" {
		c.line(name, t.UTC().Format("20060102T150405Z"))
	}
}

func (c *calendar) todo(r *Row, listed map[string]string) {
	c.line("BEGIN", "VTODO")
	c.line("UID", uid(r))
	changed := r.Changed
	if timeText(changed) == "" {
		changed = time.Unix(0, 0)
	}
	c.at("DTSTAMP", changed)
	c.at("CREATED", r.Created)
	c.at("LAST-MODIFIED", r.Changed)
	c.text("SUMMARY", oneLine(view.Called(r.Name())))
	c.text("DESCRIPTION", describe(r))
	c.status(r)
	switch r.Priority() {
	case "high":
		c.line("PRIORITY", "1")
	case "medium":
		c.line("PRIORITY", "5")
	case "low":
		c.line("PRIORITY", "9")
	}
	categories := []string{string(r.Kind()), string(r.Status)}
	for _, label := range r.Texts("labels") {
		categories = append(categories, escaped(label))
	}
	c.line("CATEGORIES", strings.Join(categories, ","))
	for _, id := range r.WaitsFor() {
		if other := listed[id]; other != "" {
			c.line("RELATED-TO;RELTYPE=DEPENDS-ON", other)
		}
	}
	c.line("END", "VTODO")
}

// status writes how far a to-do is. What was done is completed, though it may be rejected yet: then it is to be done again.
func (c *calendar) status(r *Row) {
	done := r.Done
	if done.IsZero() {
		done = r.Ended
	}
	switch r.Status {
	case view.Ready, view.Blocked:
		c.line("STATUS", "NEEDS-ACTION")
	case view.Claimed:
		c.line("STATUS", "IN-PROCESS")
	case view.Done, view.Landed, view.Accepted, view.Closed:
		c.line("STATUS", "COMPLETED")
		c.line("PERCENT-COMPLETE", "100")
		c.at("COMPLETED", done)
	default:
		c.line("STATUS", "CANCELLED")
	}
}

// describe returns what is to be known of a row beside its name.
func describe(r *Row) string {
	var parts []string
	add := func(title, text string) {
		if text = strings.TrimSpace(text); text != "" {
			parts = append(parts, title+text)
		}
	}
	add("", r.ID())
	add("Notes: ", r.Text("notes"))
	if r.Kind() == "item" {
		add("", r.Text("desc"))
	}
	add("Done when: ", r.Text("accept"))
	add("Waits for: ", strings.Join(r.BlockedBy, ", "))
	add("Worked on by: ", r.Holder)
	return strings.Join(parts, "\n")
}
