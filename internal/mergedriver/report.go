package mergedriver

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/merge"
)

// report writes one line to standard error.
func (d *driver) report(format string, args ...any) {
	line := shown(d.name() + ": " + fmt.Sprintf(format, args...))
	fmt.Fprintf(d.env.Err, "git-ralph-merge-driver: %s\n", line)
}

// reportResult reports the recorded conflicts and the discarded values.
func (d *driver) reportResult(result merge.Result) {
	for _, c := range result.Conflicts {
		d.report("%s", c)
	}
	for _, l := range result.Discarded {
		d.report("%s", l)
	}
}

// reportInvalid says why a merge of plans was not possible.
func (d *driver) reportInvalid(err error) {
	if invalid, ok := errors.AsType[*merge.InvalidError](err); ok {
		more := ""
		if n := len(invalid.Problems); n > 1 {
			more = fmt.Sprintf(" (and %d more)", n-1)
		}
		d.report("merging plain text: %s%s", invalid.Problems[0].In(string(invalid.Input)), more)
		return
	}
	d.report("merging plain text: %v", err)
}

// shown returns text that is safe for a terminal: on one line, with everything
// that cannot be printed escaped. A plan may come from a stranger.
func shown(text string) string {
	isControl := func(r rune) bool { return !strconv.IsPrint(r) }
	if utf8.ValidString(text) && !strings.ContainsFunc(text, isControl) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 || isControl(r) {
			quoted := strconv.Quote(text[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}
