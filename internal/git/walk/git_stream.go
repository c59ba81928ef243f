package walk

import (
	"context"
	"encoding/hex"
	"io"

	"git-ralph/internal/git"
)

// stream reads many objects from one `git cat-file --batch`, which gets all the names at once, and does not hand over each
// answer by itself.
type stream struct {
	ctx   context.Context
	files *git.Reader
	size  int // of an id
	n     int // how many objects there are
	id    func(i int) *git.Hash
	read  int
	plain bool // each answer is handed over by itself
}

func newStream(w *gitWalker, n int, id func(int) *git.Hash) *stream {
	return &stream{ctx: w.ctx, files: w.repo.Reader(w.ctx), size: w.repo.IDSize(), n: n, id: id}
}

// next returns the next object; not ok if git does not have it, or exits because of it and is started again. The error is that
// git cannot be started.
func (s *stream) next() (o git.Object, ok bool, err error) {
	for again := true; again; {
		if err := s.start(); err != nil {
			return o, false, err
		}
		o, err = s.files.Receive()
		// Buffered replies are lost when git exits: only without the buffer is it known which object was the cause.
		again = !s.files.IsRunning() && !s.plain
		s.plain = s.plain || again
	}
	s.read++
	return o, err == nil, context.Cause(s.ctx)
}

func (s *stream) start() error {
	if s.files.IsRunning() {
		return nil
	}
	var options []string
	if !s.plain {
		options = []string{"--buffer"}
	}
	if err := s.files.Start(options...); err != nil {
		return err
	}
	s.files.Feed(&idLines{stream: s, at: s.read})
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
