package journal

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// maxLog is the size at which a log stops growing, and maxEnd how much of the end of what follows it still keeps, in bytes.
const (
	maxLog = 64 << 20
	maxEnd = 256 << 10
)

// batch is how much is written at once, in bytes.
const batch = 64 << 10

// A Log records what an agent prints, one line per call. Its size is bounded: of a very long output it keeps the beginning
// and the end.
type Log struct {
	mu    sync.Mutex
	file  io.WriteCloser
	lines []byte // not written yet
	size  int    // what was written
	left  int    // bytes left out, those of end included
	end   []byte // the last of them
	err   error  // the first error of writing
}

func newLog(file io.WriteCloser) *Log { return &Log{file: file} }

// Write writes one line, given without its line feed.
func (l *Log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(append(l.lines, line...), '\n')
	if len(l.lines) >= batch {
		l.flush()
	}
	return len(line), l.err
}

// Flush makes what was written visible to readers.
func (l *Log) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
}

// flush writes the lines that are waiting.
func (l *Log) flush() {
	if len(l.lines) == 0 {
		return
	}
	if l.size < maxLog {
		l.size += len(l.lines)
		l.write(l.lines)
	} else {
		l.left += len(l.lines)
		l.end = append(l.end, l.lines...)
		if len(l.end) > 2*maxEnd {
			l.end = append(l.end[:0], l.end[len(l.end)-maxEnd:]...)
		}
	}
	l.lines = l.lines[:0]
}

func (l *Log) write(data []byte) {
	if _, err := l.file.Write(data); l.err == nil {
		l.err = err
	}
}

// Close writes the end and closes the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
	if out := l.left - len(l.end); out > 0 {
		l.write(fmt.Appendf(nil, "[%d bytes left out]\n", out))
		_, l.end, _ = bytes.Cut(l.end, []byte{'\n'}) // from the beginning of a line
	}
	l.write(l.end)
	if err := l.file.Close(); l.err == nil {
		l.err = err
	}
	return l.err
}
