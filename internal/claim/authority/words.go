package authority

import (
	"errors"
	"slices"
	"strings"

	"git-ralph/internal/proc"
)

// What a remote says decides in some cases. Names decide nothing: those of hosts, paths, references and branches are left out before.

// isThrottled reports whether a remote says that we ask too often.
func isThrottled(err error) bool {
	return containsAny(said(err), "http 429", "error: 429", "rate limit", "too many requests", "throttl")
}

// isDeclined reports whether a remote refuses a reference whoever pushes it: a hook, hidden or protected references.
func isDeclined(err error, report string) bool {
	return !isLocked(err, report) && containsAny(said(err)+reasons(report), declined()...)
}

// declined returns words of refusals.
func declined() []string {
	return []string{"hook declined", "deny updating a hidden ref", "protected", "denied", "not allowed", "prohibited"}
}

// isLocked reports whether a remote could not change references because git's locks were held there.
func isLocked(err error, report string) bool {
	return containsAny(said(err)+reasons(report), "file exists", "another git process seems to be running")
}

// isUnreachable reports whether git had no answer from a remote at all: then it has sent nothing. What a remote prints later begins with
// "remote:".
func isUnreachable(err error) bool {
	for line := range strings.Lines(text(err)) {
		if strings.HasPrefix(line, "fatal: Could not read from remote repository.") || strings.HasPrefix(line, "fatal: unable to access ") {
			return true
		}
	}
	return false
}

func containsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// text returns what git printed of an error.
func text(err error) string {
	if failed, is := errors.AsType[*proc.Error](err); is {
		return failed.Stderr
	}
	return ""
}

// said returns what git printed of an error, without names.
func said(err error) string { return withoutNames(text(err)) }

// reasons returns why references were refused, without names.
func reasons(report string) string {
	all := ""
	for _, s := range statuses(report) {
		if s.flag == "!" {
			all += "\n" + withoutNames(s.reason)
		}
	}
	return all
}

// withoutNames leaves out of a text what is quoted, and words that look like a path, an address or the name of a reference. The rest is
// in small letters.
func withoutNames(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		for word := range strings.FieldsSeq(withoutQuoted(line)) {
			if strings.ContainsAny(word, `/\@`) || strings.Contains(strings.TrimRight(word, ".,:;)"), ".") {
				word = "-"
			}
			b.WriteString(strings.ToLower(word) + " ")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// withoutQuoted leaves out of a line what is between single quotes. The quote in "isn't" begins nothing.
func withoutQuoted(line string) string {
	for from := 0; ; {
		open := strings.Index(line[from:], "'")
		if open < 0 {
			return line
		}
		open += from
		end := strings.Index(line[open+1:], "'")
		if end < 0 || open > 0 && strings.IndexByte(" \t(:,", line[open-1]) < 0 {
			from = open + 1
			continue
		}
		line, from = line[:open]+"-"+line[open+end+2:], open
	}
}

// status is what `git push --porcelain` prints of one reference.
type status struct{ flag, ref, reason string }

func statuses(report string) (all []status) {
	for line := range strings.Lines(report) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 3)
		if len(fields) == 3 {
			_, ref, _ := strings.Cut(fields[1], ":")
			all = append(all, status{fields[0], ref, fields[2]})
		}
	}
	return all
}
