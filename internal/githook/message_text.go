package githook

import (
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// A messageText is a commit message as its file holds it in the commit-msg hook: with comments where an editor was used, and
// with a diff below the scissors after `git commit -v`.
type messageText struct {
	text    string
	body    []string // lines of the message without their ends
	rest    string   // comments and what is below them
	end     string   // of a line
	comment func(line string) bool
}

// message reads a message.
func (r run) message(text string) messageText {
	comment := func(string) bool { return false }
	if !slices.Contains(r.Environ, "GIT_EDITOR=:") { // which git sets for its hooks where it starts no editor
		comment = r.isComment
	}
	return readMessage(text, comment)
}

// isComment reports whether git may remove a line as a comment.
func (r run) isComment(line string) bool {
	if sign, _ := r.config.Get("core.commentChar"); sign == "auto" {
		return line != "" && strings.ContainsRune("#;@!$%^&|:", rune(line[0]))
	}
	return strings.HasPrefix(line, r.commentSign())
}

func readMessage(text string, comment func(string) bool) messageText {
	m := messageText{text: text, end: "\n", comment: comment}
	lines := slices.Collect(strings.Lines(text))
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasSuffix(strings.TrimRight(l, "\r\n"), " "+scissors) }); i >= 0 {
		lines = lines[:i]
	}
	isRest := func(line string) bool { return strings.TrimSpace(line) == "" || comment(line) }
	for len(lines) > 0 && isRest(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	size := 0
	for _, line := range lines {
		size += len(line)
		if strings.HasSuffix(line, "\r\n") {
			m.end = "\r\n"
		}
		m.body = append(m.body, strings.TrimRight(line, "\r\n"))
	}
	m.rest = text[size:]
	return m
}

// isOurs reports whether a line is a trailer of a plan commit.
func isOurs(line string) bool {
	return strings.HasPrefix(line, plan.EventTrailer) || strings.HasPrefix(line, plan.BranchTrailer) || isUndo(line)
}

// isUndo reports whether a line is a trailer of an undo or redo.
func isUndo(line string) bool {
	return strings.HasPrefix(line, plan.UndoTrailer) || strings.HasPrefix(line, plan.RedoTrailer)
}

// trailers returns the lines that are trailers of a plan commit.
func (m messageText) trailers() []string {
	return slices.DeleteFunc(slices.Clone(m.body), func(line string) bool { return !isOurs(line) })
}

// withTrailers returns the message with lines in place of its previous trailers of ours, after the user's own trailers if it ends
// in trailers. An empty message stays empty, so that git refuses it.
func (m messageText) withTrailers(lines []string) string {
	body := slices.DeleteFunc(slices.Clone(m.body), isOurs)
	for len(body) > 0 && strings.TrimSpace(body[len(body)-1]) == "" {
		body = body[:len(body)-1]
	}
	if !slices.ContainsFunc(body, func(line string) bool { return strings.TrimSpace(line) != "" && !m.comment(line) }) {
		return m.text
	}
	if len(lines) > 0 && !git.EndsInTrailers(body, m.comment) {
		body = append(body, "")
	}
	return strings.Join(append(body, lines...), m.end) + m.end + m.rest
}
