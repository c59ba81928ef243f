//go:build unix

package debuglog

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

// TestFullDisk guards: events for which there is no room are lost, and those before and after them are not.
func TestFullDisk(t *testing.T) {
	l := Of(t.TempDir())
	r := l.Open("one", clock())
	for i := range 9 {
		if i == 6 { // behind a line that is torn
			r.Close()
			r = l.Open("one", clock())
		}
		if i%3 == 2 {
			fillDisk(t, int64(len(readAll(t, l))+30), func() { r.Record(Event{Category: Tool, Name: fmt.Sprint("full", i)}) })
			continue
		}
		r.Record(Event{Category: Tool, Name: fmt.Sprint(i)})
	}
	r.Close()
	names := ""
	if _, err := l.Read(time.Time{}, nil, func(e Event) { names += e.Name }); err != nil || names != "013467" {
		t.Errorf("%q: %v", names, err)
	}
}

// fillDisk lets no file grow beyond a size, in bytes, while do runs.
func fillDisk(t *testing.T, size int64, do func()) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	limit := old
	limit.Cur = rlim(size, limit.Cur)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old) //nolint:errcheck // it was so before
	do()
}

// rlim converts a size to the type that limits have on a system.
func rlim[T int64 | uint64](size int64, _ T) T { return T(size) }
