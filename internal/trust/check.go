package trust

import (
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/sha256"
)

// HasCheck reports whether a person accepted a command, given by exactly these words.
func (r Record) HasCheck(words []string) bool { return slices.Contains(r.checks, checkText(words)) }

// AcceptChecks adds to the record that a person accepted commands, each given by its words. The errors are those of
// safefile.BeginEdit.
func AcceptChecks(config string, checks [][]string) error {
	return edit(config, func(r Record) Record {
		for _, words := range checks {
			if !r.HasCheck(words) {
				r.checks = append(r.checks, checkText(words))
			}
		}
		return r
	})
}

// RevokeChecks removes commands from the record.
func RevokeChecks(config string, checks [][]string) error {
	return edit(config, func(r Record) Record {
		for _, words := range checks {
			r.checks = slices.DeleteFunc(r.checks, func(text string) bool { return text == checkText(words) })
		}
		return r
	})
}

// checkText returns how a record names a command, in ASCII: the hash of its words, which decides, and the words, for people.
func checkText(words []string) string {
	var b strings.Builder
	for _, word := range words {
		b.WriteString(strconv.Itoa(len(word)) + ":" + word)
	}
	return "sha256:" + sha256.Hex(b.String()) + " " + strconv.QuoteToASCII(strings.Join(words, " "))
}
