package markdown

import (
	"bytes"
	"fmt"
	"strings"
)

// reportConflicts replaces the problems of a file by the merge conflicts that git left in it, if there are any: most other problems come from
// them. A file without problems may be about conflicts.
func (p *parser) reportConflicts() {
	if len(p.problems) == 0 {
		return
	}
	var found []problem
	begin, both := -1, false // where a conflict begins, and that its second side has begun
	for at := 0; at < len(p.src); {
		line := lineAt(p.src, at)
		switch {
		case isMarker(line, "<"):
			begin, both = at, false
		case isMarker(line, "=") && begin >= 0:
			both = true
		case isMarker(line, ">") && both:
			last, _ := p.lines.position(at)
			found = append(found, problem{begin, fmt.Sprintf("a merge conflict of git, up to line %d: want it resolved, without the markers", last)})
			begin, both = -1, false
		}
		at += len(line)
	}
	if len(found) > 0 {
		p.problems = found
	}
}

// isMarker reports whether a line is a conflict marker of a sign: seven or more, and perhaps a label.
func isMarker(line []byte, sign string) bool {
	const size = 7
	line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	label := bytes.TrimLeft(line, sign)
	return len(line)-len(label) >= size && (len(label) == 0 || strings.IndexByte(" \r\n", label[0]) >= 0)
}
