package debuglog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/test/masktest"
)

// clock returns a clock that goes on by a second with each look.
func clock() func() time.Time {
	now := time.Date(2026, 2, 22, 8, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

func readAll(t *testing.T, l Log) string {
	t.Helper()
	var all strings.Builder
	for _, f := range l.files() {
		data, err := os.ReadFile(filepath.Join(l.Dir, f.name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}

// TestSecretsAreNotWritten guards: no form of a secret that is known is in the log, whether it is in a parameter, within one, in a
// command line, in a name or in an error.
func TestSecretsAreNotWritten(t *testing.T) {
	l := Of(t.TempDir())
	r := l.Open("one", clock())
	n := 0
	for text, secret := range masktest.Secrets() {
		nested := jsonl.Build([]jsonl.Member{{Name: "fields", Value: jsonl.Value("[" + Params("notes", text).Text() + "]")}})
		for _, e := range []Event{
			{Category: Tool, Name: "task", Params: Params("text", text)},
			{Category: Tool, Name: "task", Params: nested},
			{Category: Tool, Name: "task", Params: Params("embedded", nested.Text())},
			{Category: Git, Name: "push", Params: Words([]string{"-c", text})},
			{Category: API, Name: text, Type: "http 500", Error: text},
		} {
			r.Record(e)
			n++
		}
		if written := readAll(t, l); strings.Contains(written, secret) {
			t.Errorf("%q is written of %q:\n%s", secret, text, written)
		}
		os.RemoveAll(l.Dir)
		r.Close()
	}
	if n < 100 {
		t.Errorf("only %d events", n)
	}
}

// TestNamesOfSecrets guards: what a name says is secret is not written, however it is spelled, and whatever its value is.
func TestNamesOfSecrets(t *testing.T) {
	l := Of(t.TempDir())
	r := l.Open("one", clock())
	const secret = "plain words"
	for _, name := range []string{"token", "accessToken", "AUTH", "x-auth-header", "secret", "client_secret", "key", "apiKey", "Password", "db_password", "credential", "CREDENTIALS"} {
		r.Record(Event{Category: API, Name: "call", Params: Params(name, secret)})
		r.Record(Event{Category: API, Name: "call", Params: jsonl.Build([]jsonl.Member{{Name: "in", Value: jsonl.Value(Params(name, secret).Text())}})})
		r.Record(Event{Category: API, Name: "call", Params: jsonl.Build([]jsonl.Member{{Name: name, Value: `["` + secret + `"]`}})})
		r.Record(Event{Category: Session, Name: "task add", Params: Words([]string{"task", "add", "--" + name, secret, "--" + name + "=" + secret, name + "=" + secret})})
	}
	written := readAll(t, l)
	if strings.Contains(written, secret) || strings.Contains(written, "plain") {
		t.Error(written)
	}
	if lines := strings.Count(written, "\n"); lines != 48 {
		t.Errorf("%d lines", lines)
	}
}

// TestEventsAreReadAsWritten guards: an event is one line of JSON with its category, name, parameters, time and result.
func TestEventsAreReadAsWritten(t *testing.T) {
	l := Of(t.TempDir())
	r := l.Open("one", clock())
	r.Record(Event{Category: Hook, Name: "claude Stop", Took: 1500 * time.Microsecond, Blocked: true})
	r.Record(Event{Category: Git, Name: "push", Params: Words([]string{"push", "origin"}), Took: time.Second, Exit: 128, Type: ExitType(128), Error: "fatal: \x1b[31mno"})
	r.Record(Event{Category: Session, Name: "build", Result: Began})
	want := `{"at": "2026-02-22T08:00:02.000Z", "category": "hook", "name": "claude Stop", "result": "ok", "ms": 1.5, "blocked": true}
{"at": "2026-02-22T08:00:03.000Z", "category": "git", "name": "push", "result": "error", "params": {"args": ["push", "origin"]}, "ms": 1000, "exit": 128, "type": "exit 128", "error": "fatal: no"}
{"at": "2026-02-22T08:00:04.000Z", "category": "session", "name": "build", "result": "began"}
`
	if got := readAll(t, l); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var names []string
	if _, err := l.Read(time.Time{}, nil, func(e Event) {
		names = append(names, fmt.Sprint(e.Category, e.Name, e.Result, e.Took, e.Blocked, e.Type))
	}); err != nil || strings.Join(names, "|") != "hookclaude Stopok1.5ms true|gitpusherror1s falseexit 128|sessionbuildbegan0s false" {
		t.Error(names, err)
	}
	if info, err := os.Stat(filepath.Join(l.Dir, "sone.jsonl")); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
}

// TestSeveralProcessesWriteWholeLines guards: what is written at once by many recorders of one session is whole lines, none is lost,
// and a full file is followed by another.
func TestSeveralProcessesWriteWholeLines(t *testing.T) {
	l := Log{Dir: t.TempDir(), fileSize: 10 << 10}
	var writers sync.WaitGroup
	for n := range 8 {
		writers.Go(func() {
			r := l.Open("team", clock())
			defer r.Close()
			for i := range 100 {
				r.Record(Event{Category: Tool, Name: fmt.Sprintf("tool-%d-%d", n, i), Params: Params("text", strings.Repeat("x", i))})
			}
		})
	}
	writers.Wait()
	seen := map[string]bool{}
	files, err := l.Read(time.Time{}, nil, func(e Event) { seen[e.Name] = true })
	if len(seen) != 800 || err != nil || len(files) < 5 {
		t.Errorf("%d events in %d files: %v", len(seen), len(files), err)
	}
	for _, f := range l.files() {
		if f.size > l.fileSize+8*2<<10 {
			t.Errorf("%s has %d bytes", f.name, f.size)
		}
	}
}

// TestOldSessionsArePruned guards: the log has a maximum size; the oldest sessions go first.
func TestOldSessionsArePruned(t *testing.T) {
	l := Log{Dir: t.TempDir(), fileSize: 1 << 10}
	for i := range 60 {
		r := l.Open(fmt.Sprintf("%03d", i), clock())
		r.Record(Event{Category: Tool, Name: "x", Error: strings.Repeat("x ", 450)})
		r.Close()
		path := filepath.Join(l.Dir, fmt.Sprintf("s%03d.jsonl", i))
		if err := os.Chtimes(path, time.Time{}, time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	files := l.files()
	if len(files) < 10 || len(files) > 20 || files[0].name != "s059.jsonl" {
		t.Errorf("%d files: %v", len(files), files)
	}
}

// TestNothingIsReadTwice guards: places that are known are not read again, whatever was left out between them.
func TestNothingIsReadTwice(t *testing.T) {
	l := Of(t.TempDir())
	r := l.Open("one", clock())
	known := Places{}
	read := func(since time.Time) (names string) {
		l.opened = nil
		if _, err := l.Read(since, known, func(e Event) { names += e.Name }); err != nil {
			t.Fatal(err)
		}
		return names
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		r.Record(Event{Category: Tool, Name: name})
	}
	start := time.Date(2026, 2, 22, 8, 0, 0, 0, time.UTC)
	steps := []struct {
		since time.Time
		want  string
	}{{start.Add(4 * time.Second), "cd"}, {start.Add(4 * time.Second), ""}, {start.Add(3 * time.Second), "b"}, {start, "a"}, {start, ""}}
	for _, step := range steps {
		if got := read(step.since); got != step.want {
			t.Errorf("since %v: %q, want %q", step.since, got, step.want)
		}
	}
	if spans := known["sone.jsonl"]; len(spans) != 1 || spans[0].From != 0 {
		t.Error(spans)
	}
	r.Record(Event{Category: Tool, Name: "e"})
	f, _ := os.OpenFile(filepath.Join(l.Dir, "sone.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	f.WriteString(`{"at": "2026-02-22T09:00:00.000Z", "category": "tool", "name": "half"`) //nolint:errcheck // the test sees it
	if got := read(start); got != "e" {
		t.Error(got)
	}
	f.WriteString(`, "result": "ok"}` + "\n") //nolint:errcheck // see above
	f.Close()
	if got := read(start); got != "half" {
		t.Error(got)
	}
}

// TestHostileNames guards: no session leads out of the directory of the log.
func TestHostileNames(t *testing.T) {
	l := Of(t.TempDir())
	for _, name := range []string{"../../x", "/etc/x", "", ".", "..", "a\x00b", strings.Repeat("x", 5000)} {
		r := l.Open(name, clock())
		r.Record(Event{Category: Tool, Name: "x"})
		r.Close()
	}
	if files := l.files(); len(files) != 7 {
		t.Error(files)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(l.Dir), "x.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
