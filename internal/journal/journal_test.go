package journal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
)

func begin(t *testing.T, j journal.Journal, name string, keep int) *journal.Run {
	t.Helper()
	r, err := j.Begin(name, "test", keep)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func event(text string) jsonl.Object {
	return jsonl.Build([]jsonl.Member{{Name: "t", Value: jsonl.Quote(text)}})
}

// TestOneRunAtATime guards: a second run is refused while the first goes on, and names it.
func TestOneRunAtATime(t *testing.T) {
	j := journal.Of(t.TempDir())
	if _, live := j.Running(); live {
		t.Error("a run before the first")
	}
	r := begin(t, j, "20260101T000000.000-0001", 5)
	if _, err := j.Begin("20260101T000000.000-0002", "test", 5); !errors.Is(err, journal.ErrRunning) {
		t.Errorf("%v", err)
	}
	if holder, live := j.Running(); !live || holder.PID != os.Getpid() {
		t.Errorf("%+v %v", holder, live)
	}
	r.Close()
	begin(t, j, "20260101T000000.000-0003", 5)
}

// TestEventsSurviveACrash guards: a line that was not written whole is left out, all others are read.
func TestEventsSurviveACrash(t *testing.T) {
	dir := t.TempDir()
	j := journal.Of(dir)
	r := begin(t, j, "20260101T000000.000-0001", 5)
	r.WriteEvent(event("one"))
	r.WriteEvent(event("two"))
	path := filepath.Join(dir, "ralph", "runs", r.Name, "run.jsonl")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"t": "thr`)
	f.Close()
	events, err := j.Events(r.Name)
	if err != nil || len(events) != 2 || journal.Text(events[1], "t") != "two" {
		t.Errorf("%v %v", events, err)
	}
	if _, err := j.Events("20260101T000000.000-9999"); !errors.Is(err, journal.ErrNoRun) {
		t.Errorf("%v", err)
	}
}

// TestKeepsTheLastRuns guards: ralph.logs.keep runs stay, and nothing else is taken away.
func TestKeepsTheLastRuns(t *testing.T) {
	dir := t.TempDir()
	j := journal.Of(dir)
	other := filepath.Join(dir, "ralph", "runs", "0000-mine")
	if err := os.MkdirAll(other, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"20260101T000000.000-0001", "20260102T000000.000-0001", "20260103T000000.000-0001"} {
		begin(t, j, name, 2).Close()
	}
	if got := strings.Join(j.Runs(), " "); got != "20260102T000000.000-0001 20260103T000000.000-0001" {
		t.Error(got)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}

// TestLogPath guards: a plan that names a log cannot lead elsewhere.
func TestLogPath(t *testing.T) {
	j := journal.Of("dir")
	if got, err := j.LogPath(journal.LogName("20260101T000000.000-0001", 3)); err != nil || filepath.ToSlash(got) != "dir/ralph/runs/20260101T000000.000-0001/3.log" {
		t.Errorf("%s %v", got, err)
	}
	for _, name := range []string{"", "/etc/passwd", "20260101T000000.000-0001/../../x.log", "20260101T000000.000-0001/3.prompt.md", "../1.log", "20260101T000000.000-0001/.log"} {
		if got, err := j.LogPath(name); err == nil {
			t.Errorf("%q is %s", name, got)
		}
	}
}

// TestClockPutBack guards: a run that begins before the last one, by the clock, is the last one all the same, and its
// directory is not taken for one of the oldest.
func TestClockPutBack(t *testing.T) {
	j := journal.Of(t.TempDir())
	names := map[string]bool{}
	for _, second := range []int64{500, 400, 400, 300} {
		r := begin(t, j, j.RunName(time.Unix(second, 0), func(int) int { return 0 }), 1)
		if last, err := j.Last(); err != nil || last != r.Name || names[last] {
			t.Errorf("the last run is %q, %v; want %q", last, err, r.Name)
		}
		if _, err := r.WritePrompt(1, "text"); err != nil {
			t.Error(err)
		}
		names[r.Name] = true
		r.Close()
	}
}

// TestLiveIsWhole guards: how an agent gets on is recorded while a run goes on, and not after it.
func TestLiveIsWhole(t *testing.T) {
	j := journal.Of(t.TempDir())
	r := begin(t, j, j.RunName(time.Unix(0, 0), func(int) int { return 7 }), 5)
	r.WriteLive(event("now"))
	if live, ok := j.Live(r.Name); !ok || journal.Text(live, "t") != "now" {
		t.Error("not recorded")
	}
	r.Close()
	if _, ok := j.Live(r.Name); ok {
		t.Error("recorded after the end")
	}
}

// BenchmarkLog is what an agent's output costs: 10 MB/s may take a tenth of a core.
func BenchmarkLog(b *testing.B) {
	r, err := journal.Of(b.TempDir()).Begin("20260101T000000.000-0001", "test", 1)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	log, err := r.OpenLog(1)
	if err != nil {
		b.Fatal(err)
	}
	line := bytes.Repeat([]byte(`{"type": "user", "text": "some words of an output"} `), 8)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		log.Write(line)
	}
}
