package mirror

import "strings"

const countedStart = markerStart + "debug "

// countedAt returns where the line with the last marker of a failure is in a body, and the marker's words; from is -1 where there is none.
func countedAt(body string) (from, to int, id, count string) {
	at := strings.LastIndex(body, countedStart)
	if at < 0 {
		return -1, -1, "", ""
	}
	from, to = strings.LastIndexByte(body[:at], '\n')+1, len(body)
	if end := strings.IndexByte(body[at:], '\n'); end >= 0 {
		to = at + end
	}
	text, _, closed := strings.Cut(body[at+len(countedStart):to], "-->")
	if !closed {
		return -1, -1, "", ""
	}
	id, count, _ = strings.Cut(strings.TrimSpace(text), " ")
	return from, to, id, count
}

// Counted returns the id of the failure that an issue was made for, and what is counted in it. ok is false for other issues, and for those of strangers.
func (i Issue) Counted() (id, count string, ok bool) {
	from, _, id, count := countedAt(lines(i.Body))
	return id, count, from >= 0 && i.Trusted
}

// WithCount returns a body with a marker of the failure that it is about and what is counted, behind a sentence for people. All else stays as it is.
func WithCount(body, id, count, sentence string) string {
	body = lines(body)
	line := sentence + " " + marker("debug", id, count)
	from, to, _, _ := countedAt(body)
	if from < 0 {
		return body + "\n\n" + line
	}
	return body[:from] + line + body[to:]
}

// lines returns a text with the line ends of the plan: GitHub ends lines as browsers do.
func lines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
