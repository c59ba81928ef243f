package git

import (
	"context"
	"encoding/hex"
)

// ahead is how many objects a stream asks for before it reads the first answer: more than git needs to be busy all the
// time, and few enough for the pipe to take them at once.
const ahead = 128

// stream reads many objects from one `git cat-file --batch`, asking ahead.
type stream struct {
	files catFile
	size  int // of an id
	n     int // how many objects there are
	id    func(i int) *Hash
	asked int
	read  int
	line  []byte
}

func newStream(w *programWalker, n int, id func(int) *Hash) *stream {
	return &stream{files: catFile{repo: w.repo, ctx: w.ctx}, size: w.repo.hexSize() / 2, n: n, id: id}
}

// next gives the next object; not ok where git has it not, or dies over it, after which it is started again. The error is
// that of a git that cannot be asked at all.
func (s *stream) next() (o object, ok bool, err error) {
	for range attempts {
		if err = s.ask(); err == nil {
			break
		}
	}
	if err == nil {
		o, err = s.files.receive()
		ok = err == nil
		err = nil
	}
	s.read++
	if s.files.ctx.Err() != nil {
		err = context.Cause(s.files.ctx)
	}
	return o, ok, err
}

// attempts are how often git is asked again when it died over a question before its earlier answers were read: each time
// they are fewer.
const attempts = 3

// ask asks for as many objects as may be on their way.
func (s *stream) ask() error {
	if s.files.talk == nil {
		s.asked = s.read
	}
	if s.asked-s.read > ahead/2 || s.asked == s.n && s.asked > s.read {
		return nil
	}
	if err := s.files.start(); err != nil {
		return err
	}
	s.line = s.line[:0]
	for ; s.asked < min(s.n, s.read+ahead); s.asked++ {
		s.line = hex.AppendEncode(s.line, s.id(s.asked)[:s.size])
		s.line = append(s.line, '\n')
	}
	_, err := s.files.talk.Write(s.line)
	if err != nil {
		s.files.talk = nil
	}
	return err
}

func (s *stream) close() { s.files.Close() } //nolint:errcheck // all that was wanted was read
