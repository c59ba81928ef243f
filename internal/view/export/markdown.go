package export

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"git-ralph/internal/view"
)

// Markdown returns rows as a document: a heading for each status, and below it a list.
func Markdown(title string, rows []Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", inline(title))
	byStatus := map[view.Status][]*Row{}
	for i := range rows {
		byStatus[rows[i].Status] = append(byStatus[rows[i].Status], &rows[i])
	}
	for _, status := range append(view.Columns(), view.Ended()...) {
		if list := byStatus[status]; len(list) > 0 {
			fmt.Fprintf(&b, "\n## %s (%d)\n\n", heading(status), len(list))
			for _, r := range list {
				b.WriteString("- " + entry(r) + "\n")
			}
		}
	}
	if len(rows) == 0 {
		b.WriteString("\nNothing is in it.\n")
	}
	return b.String()
}

// heading returns a status as the title of a section.
func heading(status view.Status) string {
	return strings.ToUpper(string(status[:1])) + string(status[1:])
}

// entry returns a row as an entry of a list.
func entry(r *Row) string {
	facts := []string{fmt.Sprintf("**%s** %s", inline(r.ID()), inline(view.Called(r.Name())))}
	add := func(format, text string) {
		if text != "" {
			facts = append(facts, fmt.Sprintf(format, inline(text)))
		}
	}
	if kind := r.Kind(); kind != "task" {
		add("%s", string(kind))
	}
	add("%s", r.State)
	add("%s", r.Priority())
	if r.Kind() != "item" {
		add("of %s", r.Item)
	}
	add("waits for %s", strings.Join(r.BlockedBy, ", "))
	add("claimed by %s", r.Holder)
	add("done by %s", r.DoneBy)
	add("done %s", day(r.Done))
	add("ended %s", day(r.Ended))
	if r.Rejected > 0 {
		facts = append(facts, fmt.Sprintf("rejected %d×", r.Rejected))
	}
	if r.Conflict {
		facts = append(facts, "**has a conflict**")
	}
	return strings.Join(facts, " · ")
}

// day returns the day of a time in UTC, "" where it is not known.
func day(t time.Time) string {
	if timeText(t) == "" {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// noLink is a space without a width. It stands where forges would make a link or a mention of a text: they look for these in what is shown,
// where backslashes are gone.
const noLink = "&#8203;"

// inline returns a text as part of a line of Markdown, in which nothing of it has a meaning.
func inline(text string) string {
	text = oneLine(text)
	var b strings.Builder
	for i, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#|~&!$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		if next := i + utf8.RuneLen(r); isLinked(text[:next], text[next:]) {
			b.WriteString(noLink)
		}
	}
	return b.String()
}

// isLinked reports whether forges make a link or a mention of what begins before a place of a text and goes on after it: of @name, #12, GH-12,
// https:// and www.
func isLinked(before, after string) bool {
	ends := func(suffix string) bool {
		n := len(before) - len(suffix)
		return n >= 0 && strings.EqualFold(before[n:], suffix)
	}
	next := after + " "
	digit := '0' <= next[0] && next[0] <= '9'
	switch {
	case ends("@"):
		return (digit || isLetter(next[0])) && !(len(before) > 1 && isWord(before[len(before)-2]))
	case ends("#"), ends("GH-"):
		return digit
	case ends(":"):
		return strings.HasPrefix(after, "//")
	}
	return ends("www") && next[0] == '.'
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// isWord reports whether a letter, digit or _ of ASCII makes an address of the @ behind it.
func isWord(b byte) bool { return isLetter(b) || '0' <= b && b <= '9' || b == '_' }
