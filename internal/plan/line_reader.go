package plan

import "git-ralph/internal/jsonl"

// A Reader reads single lines of plan files, for who does not need the whole
// of them. The zero Reader is ready; it is not safe for concurrent use.
type Reader struct {
	lines decoder
}

// Record reads one line. The problems, if there are any, are those that Decode
// would report for the line; what several lines say together is not checked.
func (r *Reader) Record(line jsonl.Line) (Record, Problems) {
	r.lines.records, r.lines.problems = r.lines.records[:0], nil
	r.lines.line(line)
	if r.lines.problems != nil {
		return Record{}, r.lines.problems
	}
	return r.lines.records[0], nil
}
