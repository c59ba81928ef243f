package agentkit

import (
	"strings"

	"git-ralph/internal/sha256"
)

// signMark begins the last line of a file of our own; the checksum of what is above it follows.
const signMark = "written by git ralph agent install: "

// signed returns the text of a file with its last line, a comment.
func signed(text, opening, closing string) string {
	return text + opening + signMark + checksum(text) + closing + "\n"
}

func checksum(text string) string { return sha256.Hex(text)[:16] }

// isPristine reports whether a file is one that we wrote, in this version or another, and that nobody has changed since.
func isPristine(text string) bool {
	body, last := text, ""
	if at := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1; at > 0 {
		body, last = text[:at], text[at:]
	}
	_, sum, found := strings.Cut(last, signMark)
	return found && strings.HasPrefix(sum, checksum(body))
}
