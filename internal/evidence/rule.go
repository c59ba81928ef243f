package evidence

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/proc"
	"git-ralph/internal/trust"
)

// AllowKey is the setting that allows checks, with several values: each is the beginning of a command, in words.
const AllowKey = "ralph.checks.allow"

// Errors of a check that is not run.
var (
	// ErrUnusable: the text is no command line that could be run.
	ErrUnusable = errors.New("want one line of printable characters: a program and its arguments, with quotes as a shell has them")
	// ErrNotAllowed: nobody allowed this command here.
	ErrNotAllowed = errors.New("nobody allowed this command in this clone")
)

// Words splits a check into the program and its arguments. No shell ever reads it: operators such as ";" are characters of a
// word. A check with line breaks, control characters, or blanks that are not spaces is refused, because people cannot see what
// it says. The error is ErrUnusable.
func Words(check string) ([]string, error) {
	for _, r := range check {
		if !strconv.IsPrint(r) || r == '\uFFFD' {
			return nil, fmt.Errorf("invalid check %q: %w", check, ErrUnusable)
		}
	}
	words, err := proc.SplitWords(check)
	if err != nil || len(words) == 0 || words[0] == "" {
		return nil, fmt.Errorf("invalid check %q: %w", check, ErrUnusable)
	}
	return words, nil
}

// A Rule says which checks may be run in a clone. The zero Rule allows none.
type Rule struct {
	prefixes [][]string
	trusted  trust.Record
}

// NewRule makes a rule of the values of AllowKey and of what a person accepted. A value that is no command line is an error: who
// wrote it expects that it allows something.
func NewRule(allow []string, trusted trust.Record) (Rule, error) {
	r := Rule{trusted: trusted}
	for _, value := range allow {
		words, err := Words(value)
		if err != nil {
			return Rule{}, fmt.Errorf("invalid %s %q: %w", AllowKey, value, ErrUnusable)
		}
		r.prefixes = append(r.prefixes, words)
	}
	return r, nil
}

// Allows reports whether a command may be run: all of its words were accepted; or the first ones are allowed, and the others
// are plain.
func (r Rule) Allows(words []string) bool {
	return r.trusted.HasCheck(words) || slices.ContainsFunc(r.prefixes, func(prefix []string) bool { return covers(prefix, words) })
}

// Trusts reports whether a person accepted exactly this command.
func (r Rule) Trusts(words []string) bool { return r.trusted.HasCheck(words) }

func covers(prefix, words []string) bool {
	if len(words) < len(prefix) || !slices.Equal(words[:len(prefix)], prefix) {
		return false
	}
	return !slices.ContainsFunc(words[len(prefix):], func(word string) bool { return !isPlain(word) })
}

// plainLetters are the characters of a word that may follow an allowed prefix. Missing are those by which a word means more than
// a name: "=" assigns variables (make CC=…), "@" names files of arguments or versions, "+" other tools (cargo +…).
const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-,:"

// isPlain reports whether a word can only be a name of something in the worktree: no option, no assignment, no path that leads
// out of it, nothing that a shell would read.
func isPlain(word string) bool {
	return word != "" && strings.Trim(word, plainLetters) == "" && !strings.ContainsAny(word[:1], "-/") && !slices.Contains(strings.Split(word, "/"), "..")
}
