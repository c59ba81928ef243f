package git

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// A LogEntry is a line of a reference's log: how the reference was moved.
type LogEntry struct {
	Old, New string // ids; zeros where the reference was not there
	When     int64  // seconds since 1970; 0 where it does not say
	Reason   string // as git words it: "commit: Fix the parser"
}

// ParseLogEntry reads "<old> <new> <who> <when> <zone>\t<reason>", with ids of idSize bytes, and reports whether it is one.
// The first line of the end of a log may be a part of one.
func ParseLogEntry(line string, idSize int) (LogEntry, bool) {
	head, reason, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
	width := hex.EncodedLen(idSize)
	if len(head) < 2*width+1 || head[width] != ' ' {
		return LogEntry{}, false
	}
	e := LogEntry{Old: head[:width], New: head[width+1 : 2*width+1], Reason: reason}
	if _, err := ParseHash(e.Old); err != nil {
		return LogEntry{}, false
	}
	if _, err := ParseHash(e.New); err != nil {
		return LogEntry{}, false
	}
	if fields := strings.Fields(head[2*width+1:]); len(fields) > 1 {
		e.When, _ = strconv.ParseInt(fields[len(fields)-2], 10, 64)
	}
	return e, true
}
