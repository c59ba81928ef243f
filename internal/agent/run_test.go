//go:build unix

package agent

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/proc"
)

// lineLog keeps the lines of a log.
type lineLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *lineLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(line))
	return len(line), nil
}

// scripted runs a shell script as an agent.
func scripted(t *testing.T, script string, limits Limits) (Run, *lineLog) {
	t.Helper()
	prompt := filepath.Join(t.TempDir(), "prompt")
	if err := os.WriteFile(prompt, []byte("the prompt\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	log := &lineLog{}
	return Run{
		Profile: Profile{Name: "sh", Command: []string{"sh", "-c", script}, Format: Claude}, Prompt: prompt, Dir: t.TempDir(),
		Env: os.Environ(), Limits: limits, Log: log,
	}, log
}

// TestRunEnds guards: each limit ends an agent in its own way, and what it reported before holds.
// One after the other: a process has one job at a time.
func TestRunEnds(t *testing.T) {
	const (
		full    = `echo '{"type":"assistant","message":{"usage":{"input_tokens":900}}}'; sleep 60`
		failing = `echo '{"type":"result","subtype":"success","is_error":false,"result":"fine"}'; exit 3`
		result  = `echo '{"type":"result","subtype":"success","is_error":false,"result":"fine"}'; trap "" TERM; sleep 60 & wait; sleep 60`
	)
	const short = 150 * time.Millisecond
	for _, c := range []struct {
		name, script string
		limits       Limits
		end          End
		success      bool
	}{
		{"by itself", "cat; echo aside >&2", Limits{}, Exited, true},
		{"badly", "echo too bad >&2; exit 3", Limits{}, Exited, false},
		{"too long", "echo start; sleep 60", Limits{Time: short}, TimedOut, false},
		{"silent", "sleep 60", Limits{Idle: short}, Idle, false},
		{"full", full, Limits{Context: 800, Warn: 500}, ContextFull, false},
		{"lingering", result, Limits{Final: short, Grace: short}, Exited, true},
		{"badly after its last event", failing, Limits{Final: time.Hour}, Exited, false},
		{"killed", "kill -9 $$", Limits{}, Exited, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			run, _ := scripted(t, c.script, c.limits)
			watched, warned := 0, 0
			run.Watch, run.Warn = func(Progress) { watched++ }, func() { warned++ }
			o, err := run.Do(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if o.End != c.end || o.Success() != c.success {
				t.Errorf("%s, success %v: %+v", o.End, o.Success(), o)
			}
			if (warned == 1) != (c.limits.Warn > 0) {
				t.Errorf("warned %d times", warned)
			}
		})
	}
}

// TestRunLogsAll guards: the agent gets the prompt as its input or as a file, and all that it prints is logged.
func TestRunLogsAll(t *testing.T) {
	run, log := scripted(t, "cat; echo aside >&2; printf 'no end'", Limits{})
	var id proc.ID
	run.Started = func(started proc.ID) { id = started }
	o, err := run.Do(context.Background())
	if err != nil || o.Output != "the prompt\nno end\n" || o.Messages != "aside\n" || id.PID == 0 || id.Alive() {
		t.Errorf("%+v %v", o, err)
	}
	if got := strings.Join(log.lines, "|"); len(log.lines) != 3 || !strings.Contains(got, "aside") || !strings.Contains(got, "the prompt|") {
		t.Errorf("%s", got)
	}
	run.Profile.Command = []string{"sh", "-c", `cat; cat "$1"`, "sh", PromptFile}
	if o, err = run.Do(context.Background()); err != nil || o.Output != "the prompt\n" {
		t.Errorf("%+v %v", o, err)
	}
	run.Profile.Command = []string{"no-such-program-here"}
	if _, err = run.Do(context.Background()); err == nil {
		t.Error("started")
	}
}

// TestOnlyErrorsAreLimits guards: a limit is read from an agent's own error events and its standard error, never from its
// prose; it holds however the agent ended.
func TestOnlyErrorsAreLimits(t *testing.T) {
	const (
		prose = `{"type":"assistant","message":{"content":[{"type":"text","text":"the overloaded operator+, and rate limit handling"}]}}`
		codex = `{"type":"item.completed","item":{"type":"agent_message","text":"429 Too Many Requests are handled by the rate limit"}}`
	)
	for _, c := range []struct {
		name, script string
		format       Format
		limit        string
	}{
		{"prose", "echo '" + prose + "'; exit 1", Claude, ""},
		{"prose of codex", "echo '" + codex + "'; exit 1", Codex, ""},
		{"plain prose", "echo rate limit handling; echo overloaded; exit 1", Plain, ""},
		{"a message", "echo '" + prose + "'; echo Error: 429 rate limit >&2; exit 1", Claude, "Error: 429 rate limit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run, _ := scripted(t, c.script, Limits{})
			run.Profile.Format = c.format
			o, err := run.Do(context.Background())
			if err != nil || o.End != Exited || o.ServiceLimit != c.limit || o.Answered || o.ServiceLimit != "" && o.ServiceLimitAt.IsZero() {
				t.Errorf("%v %+v", err, o)
			}
		})
	}
}

// TestSilence guards: an agent that has reported a limit of its service waits for that and is not silent, until it works again; nor is one
// that has reported its end.
func TestSilence(t *testing.T) {
	const (
		retry  = `{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":3600000,"error_status":429,"error":"rate_limit"}` + "\n"
		worked = `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{}}],"usage":{"output_tokens":5}}}` + "\n"
		result = `{"type":"result","subtype":"success","is_error":false,"result":"fine"}` + "\n"
	)
	for _, c := range []struct {
		name             string
		format           Format
		output, messages string
		end              End // after the time that an agent may be silent
		limit            string
		worked           bool
	}{
		{"after a limit", Claude, retry, "", "", "rate_limit, status 429: retry in 3600 seconds", false},
		{"after a message", Plain, "", "rate limit, retry after 3600 s\n", "", "rate limit, retry after 3600 s", false},
		{"after more work", Claude, retry + worked, "", Idle, "", true},
		{"after the end", Claude, result, "", "", "", false},
	} {
		s := Run{Profile: Profile{Format: c.format}, Limits: Limits{Idle: time.Hour, Time: 3 * time.Hour}}.session(nil)
		s.read(strings.NewReader(c.output), s.output)
		s.read(strings.NewReader(c.messages), s.message)
		if s.transcript.ServiceLimit != c.limit || s.transcript.answered != c.worked || c.limit != "" && s.serviceLimitAt.IsZero() {
			t.Errorf("%s: %+v at %s", c.name, s.transcript, s.serviceLimitAt)
		}
		for after, want := range map[time.Duration]End{time.Minute: "", 2 * time.Hour: c.end, 4 * time.Hour: TimedOut} {
			if end, over := s.check(s.began.Add(after)); end != want || over != (want != "") {
				t.Errorf("%s: %q after %s, want %q", c.name, end, after, want)
			}
		}
	}
}

// TestOutputIsMasked guards: what an agent prints, on either output, within JSON or broken into parts, is masked and without
// control characters wherever it is recorded.
func TestOutputIsMasked(t *testing.T) {
	const (
		key   = "ghp_Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1"
		parts = `{"type":"message","role":"assistant","content":"the key ghp_Ab1Ab1","delta":true}
{"type":"message","role":"assistant","content":"Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1 is\u001b[1m se","delta":true}
{"type":"message","role":"assistant","content":"t\n-----BEGIN PRIVATE KEY-----\nMII","delta":true}
{"type":"message","role":"assistant","content":"Ab1Ab1\n-----END PRIVATE KEY-----\nend","delta":true}
{"type":"tool_use","tool_name":"sh","parameters":{"command":"echo \u0067hp_Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1"}}
`
		piece = `{"type":"stream_event","event":{"delta":{"text":"ghp_Ab1Ab1Ab"}}}` + "\n"
		full  = `{"type":"assistant","message":{"content":[{"type":"text","text":"a ` + key + `"},{"type":"tool_use","name":"Bash","input":{"command":"` + key + `"}}]}}` + "\n"
	)
	for _, c := range []struct {
		format                Format
		output, words, logged string
	}{
		{Plain, "a \x1b[1m" + key + "\a", "a ghp_***", "a ghp_***"},
		{Gemini, parts, "the key ghp_*** is set\n-----BEGIN***\n***\n***-----END PRIVATE KEY-----\nend\n", "the key ghp_*** is set"},
		{Claude, piece + full, "a ghp_***\n", "a ghp_***"},
	} {
		run, log := scripted(t, `cat; echo "$KEY" >&2`, Limits{})
		run.Profile.Format = c.format
		run.Env = append(run.Env, "KEY=no \x1b[31m"+key)
		if err := os.WriteFile(run.Prompt, []byte(c.output), 0o666); err != nil {
			t.Fatal(err)
		}
		o, err := run.Do(context.Background())
		logged := strings.Join(log.lines, "\n")
		if err != nil || strings.TrimSpace(o.Output) != strings.TrimSpace(c.words) || o.Messages != "no ghp_***\n" || !strings.Contains(logged, c.logged) {
			t.Errorf("%s: %v\nwords %q\ntail %q\nlog %q", c.format, err, o.Output, o.Messages, logged)
		}
		if all := o.Output + o.Messages + o.Tool + logged; strings.Contains(all, "Ab1Ab1") || strings.ContainsAny(all, "\x1b\a") {
			t.Errorf("%s: %q", c.format, all)
		}
	}
}

// TestRunIsInterrupted guards: the end of the context ends the agent.
func TestRunIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	run, _ := scripted(t, "echo started; sleep 60", Limits{})
	run.Watch = func(Progress) { cancel() }
	if o, err := run.Do(ctx); err != nil || o.End != Interrupted || o.Success() {
		t.Errorf("%+v %v", o, err)
	}
}

// readFunc is a reader.
type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// TestAnyByteIsASignOfLife guards: an agent that prints is not silent, whether or not a line ends.
func TestAnyByteIsASignOfLife(t *testing.T) {
	silent := func(s *session) bool {
		_, over := s.check(time.Now())
		return over
	}
	for name, pipe := range map[string]func(s *session, r io.Reader){
		"output":   func(s *session, r io.Reader) { s.read(r, s.output) },
		"messages": func(s *session, r io.Reader) { s.read(r, s.message) },
	} {
		s := Run{Limits: Limits{Idle: time.Minute}}.session(nil)
		s.began = time.Now().Add(-time.Hour)
		reads := 0
		pipe(s, readFunc(func(p []byte) (int, error) {
			reads++
			if was := silent(s); was != (reads == 1) {
				t.Errorf("%s, after %d reads: silent is %v", name, reads-1, was)
			}
			if reads == 2 {
				return 0, io.EOF
			}
			return copy(p, "\r8 %"), nil
		}))
	}
}

// TestPlainAgentShowsItsLastLine guards: of an agent that prints plain text, the live display shows the last line.
func TestPlainAgentShowsItsLastLine(t *testing.T) {
	run, _ := scripted(t, "echo one; echo 'two  '; echo; sleep 60", Limits{})
	run.Profile.Format = Plain
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run.Watch = func(r Progress) {
		if r.Tool == "two" {
			cancel()
		}
	}
	if o, err := run.Do(ctx); err != nil || o.End != Interrupted {
		t.Errorf("it ended with %s, %v: the line was never shown", o.End, err)
	}
}
