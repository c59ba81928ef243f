package git

import (
	"context"
	"encoding/hex"
	"io"
)

// stream reads many objects from one `git cat-file --batch`, which is told at once which ones, and does not hand over each
// answer by itself.
type stream struct {
	files catFile
	size  int // of an id
	n     int // how many objects there are
	id    func(i int) *Hash
	read  int
	plain bool // each answer is handed over by itself
}

func newStream(w *programWalker, n int, id func(int) *Hash) *stream {
	return &stream{files: catFile{repo: w.repo, ctx: w.ctx}, size: w.repo.hexSize() / 2, n: n, id: id}
}

// next gives the next object; not ok where git has it not, or dies over it, after which it is started again. The error is
// that of a git that cannot be asked at all.
func (s *stream) next() (o object, ok bool, err error) {
	for again := true; again; {
		if err := s.start(); err != nil {
			return o, false, err
		}
		o, err = s.files.receive()
		// With git, answers may have been lost: only one that holds none back tells which object it died over.
		again = s.files.talk == nil && !s.plain
		s.plain = s.plain || again
	}
	s.read++
	return o, err == nil, context.Cause(s.files.ctx)
}

func (s *stream) start() error {
	if s.files.talk != nil {
		return nil
	}
	var options []string
	if !s.plain {
		options = []string{"--buffer"}
	}
	if err := s.files.start(options...); err != nil {
		return err
	}
	s.files.talk.Feed(&idLines{stream: s, at: s.read})
	return nil
}

func (s *stream) close() { s.files.Close() } //nolint:errcheck // all that was wanted was read

// idLines are the ids of a stream's objects from one on, a line each.
type idLines struct {
	*stream
	at   int
	line []byte
	rest []byte // of the line
}

// Read implements io.Reader.
func (l *idLines) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(l.rest) == 0 {
			if l.at == l.n {
				return n, io.EOF
			}
			l.line = append(hex.AppendEncode(l.line[:0], l.id(l.at)[:l.size]), '\n')
			l.rest = l.line
			l.at++
		}
		k := copy(p[n:], l.rest)
		n, l.rest = n+k, l.rest[k:]
	}
	return n, nil
}
