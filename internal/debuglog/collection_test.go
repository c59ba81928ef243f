package debuglog

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/test/masktest"
)

func clone() string { return "3fa81c02" }

// collect counts what a log has, and returns how much of it was read, in bytes.
func collect(t *testing.T, l Log) (c *Collection, found, read int) {
	t.Helper()
	l.opened = func(bytes int) { read += bytes }
	c, found, err := l.Collect(context.Background(), time.Time{}, clone, false)
	if err != nil {
		t.Fatal(err)
	}
	return c, found, read
}

// logOf returns a log with a number of events in ten sessions, half of them failures in two ways.
func logOf(t *testing.T, events int) (l Log, size int) {
	t.Helper()
	l = Of(t.TempDir())
	at := clock()
	for session := range 10 {
		r := l.Open(fmt.Sprint(session), at)
		for i := range events / 10 {
			e := Event{Category: Git, Name: "push"}
			if i%2 == 0 {
				e.Type, e.Error = ExitType(128), fmt.Sprintf("fatal: %d of remote%d at 2026-02-22T08:00:%02dZ: 0123456789abcdef", session, i%4, i%60)
			}
			r.Record(e)
		}
		r.Close()
	}
	return l, len(readAll(t, l))
}

// TestEachEventIsReadOnce guards: collating 10,000 events reads each byte once, and none again later; failures of several sessions that
// differ in times, numbers and hashes are one.
func TestEachEventIsReadOnce(t *testing.T) {
	l, size := logOf(t, 10_000)
	c, found, read := collect(t, l)
	if found != 5000 || read != size || len(c.Failures) != 1 {
		t.Errorf("%d failures of %d kinds, %d of %d bytes read", found, len(c.Failures), read, size)
	}
	for _, f := range c.Failures {
		if f.Count != 5000 || f.Signature != "git:push:exit 128:fatal: <N> of remote<N> at <TS>: <HASH>" {
			t.Errorf("%+v", f)
		}
	}
	if c, found, read := collect(t, l); found != 0 || read != 0 || len(c.Failures) != 1 {
		t.Errorf("again: %d failures of %d kinds, %d bytes read", found, len(c.Failures), read)
	}
}

// TestCollatingIsLinear guards: ten times as many events take no more than ten times the memory, and a tenth.
func TestCollatingIsLinear(t *testing.T) {
	allocations := func(events int) float64 {
		l, _ := logOf(t, events)
		return testing.AllocsPerRun(1, func() {
			os.Remove(filepath.Join(l.Dir, collectionFile))
			collect(t, l)
		})
	}
	few, many := allocations(1000), allocations(10_000)
	if t.Logf("%.0f allocations for 1,000 events, %.0f for 10,000", few, many); many > 11*few {
		t.Error("it is not linear")
	}
}

// TestNoSecretIsCollected guards: a log that somebody else wrote brings no secret and no control character into a signature.
func TestNoSecretIsCollected(t *testing.T) {
	s := newSigner()
	for text, secret := range masktest.Secrets() {
		signature := s.signature(Event{Category: Tool, Name: "x", Type: text, Error: "\x1b[31m" + text})
		if strings.Contains(signature, secret) || strings.ContainsAny(signature, "\x1b\n") {
			t.Errorf("%q of %q", signature, text)
		}
	}
}

// TestUnreadableLogs guards: a damaged count is an error that names the file, and nothing is counted twice; a line that is cut, long or no event is passed over.
func TestUnreadableLogs(t *testing.T) {
	l := Of(t.TempDir())
	r := l.Open("one", clock())
	r.Record(Event{Category: Tool, Name: "x", Type: "failed"})
	r.Close()
	f, err := os.OpenFile(filepath.Join(l.Dir, "sone.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("{\"at\n[]\n" + strings.Repeat("x", 4<<20) + "\n\x00\xff\n{\"at\": \"2026-02-22T08:00:00.000Z\", \"cat"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, found, _ := collect(t, l); found != 1 {
		t.Errorf("%d", found)
	}
	if _, found, read := collect(t, l); found != 0 || read > 100 {
		t.Errorf("%d failures, %d bytes", found, read)
	}
	if err := os.WriteFile(filepath.Join(l.Dir, collectionFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Collect(context.Background(), time.Time{}, clone, false); err == nil || !strings.Contains(err.Error(), collectionFile) {
		t.Error(err)
	}
}

// TestNoLinkIsFollowed guards: events are written to no place that a link in the git directory leads to.
func TestNoLinkIsFollowed(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(dir, "elsewhere")
	l := Of(filepath.Join(dir, "git"))
	if err := os.MkdirAll(l.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(l.Dir, "sone.jsonl")); err != nil {
		t.Skip(err)
	}
	linked := Of(filepath.Join(dir, "linked"))
	if err := os.MkdirAll(filepath.Join(dir, "linked", "ralph"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, linked.Dir); err != nil {
		t.Fatal(err)
	}
	for _, l := range []Log{l, linked} {
		r := l.Open("one", clock())
		r.Record(Event{Category: Tool, Name: "x"})
		r.Close()
	}
	for _, path := range []string{elsewhere, filepath.Join(dir, "sone.jsonl")} {
		if _, err := os.Lstat(path); err == nil {
			t.Error(path)
		}
	}
}
