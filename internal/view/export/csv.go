package export

import (
	"strconv"
	"strings"
)

// csvColumns are the columns of CSV, in their order.
var csvColumns = [...]string{
	"id", "kind", "status", "state", "name", "priority", "spec", "item", "role", "labels", "deps", "blocked_by", "worker", "claimed_at", "rejections",
	"conflict", "created_at", "done_at", "done_by", "ended_at", "changed_at", "accept", "notes",
}

// CSV returns rows as RFC 4180 has them, with a header. Spreadsheets take a cell that begins with = or the like for a formula, so such a
// text gets an apostrophe in front, as they do it themselves.
func CSV(rows []Row) string {
	var b strings.Builder
	writeRecord(&b, csvColumns[:])
	for i := range rows {
		r := &rows[i]
		notes := r.Text("notes")
		if r.Kind() == "item" {
			notes = r.Text("desc")
		}
		role := ""
		if r.Kind() == "task" {
			role = r.Role()
		}
		conflict := ""
		if r.Conflict {
			conflict = "yes"
		}
		writeRecord(&b, []string{
			r.ID(), string(r.Kind()), string(r.Status), r.State, r.Name(), r.Priority(), r.Spec(), r.Item, role, strings.Join(r.Texts("labels"), " "),
			strings.Join(r.WaitsFor(), " "), strings.Join(r.BlockedBy, " "), r.Holder, timeText(r.Since), strconv.Itoa(r.Rejected), conflict,
			timeText(r.Created), timeText(r.Done), r.DoneBy, timeText(r.Ended), timeText(r.Changed), r.Text("accept"), notes,
		})
	}
	return b.String()
}

func writeRecord(b *strings.Builder, cells []string) {
	for i, cell := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(csvCell(cell))
	}
	b.WriteString("\r\n")
}

// csvCell returns a text as a cell.
func csvCell(text string) string {
	text = plain(text)
	if isFormula(text) {
		text = "'" + text
	}
	if strings.ContainsAny(text, "\",;\t\n '") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// isFormula reports whether a spreadsheet may take a text for a formula, also after white space and in East Asian forms of the signs.
func isFormula(text string) bool {
	for _, r := range text {
		switch r {
		case ' ', '\t', '\n', '\u00a0', '\u3000':
			continue
		case '=', '+', '-', '@', '＝', '＋', '－', '＠':
			return true
		}
		return r == '|' || r == '%' // of DDE
	}
	return false
}
