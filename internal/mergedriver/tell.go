package mergedriver

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/merge"
)

// tell writes one line to standard error.
func (d *driver) tell(format string, args ...any) {
	line := shown(d.name() + ": " + fmt.Sprintf(format, args...))
	fmt.Fprintf(d.env.Err, "git-ralph-merge-driver: %s\n", line)
}

// tellResult names what was recorded and what gave way.
func (d *driver) tellResult(result merge.Result) {
	for _, c := range result.Conflicts {
		d.tell("%s", c)
	}
	for _, l := range result.Losers {
		d.tell("%s", l)
	}
}

// tellUnreadable says why a merge of plans was not possible.
func (d *driver) tellUnreadable(err error) {
	if invalid, ok := errors.AsType[*merge.InvalidError](err); ok {
		more := ""
		if n := len(invalid.Problems); n > 1 {
			more = fmt.Sprintf(" (and %d more)", n-1)
		}
		d.tell("merging plain text: %s%s", invalid.Problems[0].In(string(invalid.Input)), more)
		return
	}
	d.tell("merging plain text: %v", err)
}

// shown returns text as it may go to a terminal: on one line, with everything
// escaped that would do something else than stand there. Plans come from
// strangers.
func shown(text string) string {
	steers := func(r rune) bool { return !strconv.IsPrint(r) }
	if utf8.ValidString(text) && !strings.ContainsFunc(text, steers) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 || steers(r) {
			quoted := strconv.Quote(text[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}
