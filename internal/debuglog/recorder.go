package debuglog

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/mask"
)

// A Recorder writes the events of one process to the file of its session. Those who have none, a nil Recorder, make no event.
type Recorder struct {
	Began time.Time

	log     Log
	session string
	now     func() time.Time

	mu       sync.Mutex
	redactor redactor
	file     *os.File
	part     int  // of the session's files
	torn     bool // the last line has no end, as the disk was full
}

// SessionVariable is set in the environment of agents to the session that their commands belong to.
const SessionVariable = "GIT_RALPH_DEBUG_SESSION"

// SessionName returns the name of a session that begins at a time in a process.
func SessionName(at time.Time, pid int) string {
	return fmt.Sprintf("%s-%d", at.UTC().Format("20060102T150405.000"), pid)
}

// Open returns a recorder for a session. Its file is made with the first event.
func (l Log) Open(session string, now func() time.Time) *Recorder {
	return &Recorder{Began: now(), log: l, session: fileName(session), now: now}
}

// fileName returns the part of a name that is safe as that of a file.
func fileName(name string) string {
	safe := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' {
			return c
		}
		return '_'
	}, name)
	return "s" + safe[:min(len(safe), 100)] // never hidden, nor a name that a system keeps for itself
}

// Session returns the name of the session.
func (r *Recorder) Session() string { return strings.TrimPrefix(r.session, "s") }

// Record writes an event. One that cannot be written is lost: nothing depends on it.
func (r *Recorder) Record(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.redactor.masker == nil {
		r.redactor.masker = mask.NewFull()
	}
	e.At = r.now()
	if !r.open() {
		return
	}
	line := e.line(r.redactor)
	if r.torn {
		line = "\n" + line
	}
	n, err := r.file.WriteString(line) // one call, so that lines of several processes stay whole
	r.torn = err != nil && (n > 0 || r.torn)
}

// maxFile is the size at which a session goes on in another file, in bytes. Tests have a smaller one.
const maxFile = 4 << 20

// open opens the file of the session, the next one where it is full.
func (r *Recorder) open() bool {
	for {
		if r.file != nil {
			info, err := r.file.Stat()
			if err != nil || info.Size() < r.log.maxFile() {
				return err == nil
			}
			r.file.Close()
			r.part++
		}
		var err error
		if r.file, err = r.log.create(r.session, r.part); err != nil {
			r.file = nil
			return false
		}
		r.torn = isTorn(r.file)
	}
}

// Close closes the file.
func (r *Recorder) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		r.file.Close()
		r.file = nil
	}
}

// Arguments reads the parameters of a call, which are JSON. What is no object is one parameter.
func Arguments(text []byte) jsonl.Object {
	if o, err := jsonl.ParseObject(strings.TrimSpace(string(text))); err == nil {
		return o
	}
	return Params("input", string(text))
}

// create opens a file of a session, and makes room for a new one.
func (l Log) create(session string, part int) (*os.File, error) {
	name := session
	if part > 0 {
		name += "." + strconv.Itoa(part+1)
	}
	path := filepath.Join(l.Dir, name+suffix)
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, os.ErrInvalid // a link leads elsewhere, and a pipe would be waited for
	}
	if err != nil {
		if err := os.MkdirAll(l.Dir, 0o700); err != nil {
			return nil, err
		}
	}
	if dir, err := os.Lstat(l.Dir); err != nil || !dir.IsDir() {
		return nil, os.ErrInvalid
	}
	if info == nil {
		l.prune()
	}
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
}

// isTorn reports whether the last line of a file has no end.
func isTorn(file *os.File) bool {
	var last [1]byte
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	n, _ := file.ReadAt(last[:], info.Size()-1) //nolint:errcheck // a line without an end is passed over
	return n == 1 && last[0] != '\n'
}
