package walk

import "bytes"

// lineSplitter calls fn with every line that is written to it, until that fails.
type lineSplitter struct {
	fn   func(line []byte) error
	rest []byte // the beginning of a line
	err  error
}

// Write implements io.Writer.
func (s *lineSplitter) Write(b []byte) (int, error) {
	n := len(b)
	for s.err == nil {
		line, rest, ok := bytes.Cut(b, []byte("\n"))
		if !ok {
			s.rest = append(s.rest, b...)
			break
		}
		if len(s.rest) > 0 {
			line = append(s.rest, line...)
			s.rest = line[:0]
		}
		s.err = s.fn(line)
		b = rest
	}
	return n, s.err
}
