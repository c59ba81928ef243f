package journal

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"sync"
)

// maxLog is the size at which a log stops growing, and maxEnd how much of the end of what it leaves out it holds all the
// same, in bytes.
const (
	maxLog = 64 << 20
	maxEnd = 256 << 10
)

// A Log takes what an agent prints, a line a call, and masks what looks like a secret. It does not grow without bound:
// of very much it keeps the beginning and the end.
type Log struct {
	mu    sync.Mutex
	file  io.WriteCloser
	out   *bufio.Writer
	size  int
	left  int    // bytes left out, those of end included
	end   []byte // the last of them
	inKey bool   // a private key has begun that did not end yet
}

func newLog(file io.WriteCloser) *Log {
	return &Log{file: file, out: bufio.NewWriterSize(file, 64<<10)}
}

// Write takes one line, without its line feed.
func (l *Log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	masked := l.mask(line)
	if l.size < maxLog {
		l.size += len(masked) + 1
		l.out.Write(masked) //nolint:errcheck // Close tells
		return len(line), l.out.WriteByte('\n')
	}
	l.left += len(masked) + 1
	l.end = append(append(l.end, masked...), '\n')
	if len(l.end) > 2*maxEnd {
		l.end = append(l.end[:0], l.end[len(l.end)-maxEnd:]...)
	}
	return len(line), nil
}

// mask masks a line. A private key takes many.
func (l *Log) mask(line []byte) []byte {
	ends := bytes.Contains(line, []byte("-----END"))
	if l.inKey {
		l.inKey = !ends
		return []byte(masked)
	}
	l.inKey = !ends && bytes.Contains(line, []byte("PRIVATE KEY-----"))
	return mask(line)
}

// Close writes the end and closes the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if out := l.left - len(l.end); out > 0 {
		fmt.Fprintf(l.out, "[%d bytes left out]\n", out)
	}
	l.out.Write(l.end) //nolint:errcheck // Flush tells
	err := l.out.Flush()
	if closed := l.file.Close(); err == nil {
		err = closed
	}
	return err
}

// Tick makes what was written visible to readers, now and then.
func (l *Log) Tick() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.Flush() //nolint:errcheck // Close tells
}
