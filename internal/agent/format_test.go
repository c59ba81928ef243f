package agent

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// transcriptOf reads an output as a run would.
func transcriptOf(f Format, output string) *transcript {
	var s transcript
	readLines(strings.NewReader(output), func(line []byte) {
		for _, e := range f.Read(line) {
			s.add(e)
		}
	})
	return &s
}

// TestFormats guards: what each built-in agent reports of tokens, cost, tools and its end is read.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		format Format
		output string
		want   Progress
		words  string
	}{
		{
			Claude, `{"type":"system","subtype":"init","model":"m","tools":["Bash"]}
{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"I look"}],"usage":{"input_tokens":10,"cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":5}}}
{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","name":"Bash","input":{"command":"go test ./...\nls"}}],"usage":{"input_tokens":10,"cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":7}}}
{"type":"assistant","parent_tool_use_id":"x","message":{"id":"m2","content":[{"type":"text","text":"a subagent"}],"usage":{"input_tokens":1,"output_tokens":1}}}
{"type":"user","message":{"content":[{"type":"tool_result","content":"huge"}]}}
{"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":0.25,"usage":{"input_tokens":20,"cache_creation_input_tokens":100,"output_tokens":30}}
`,
			Progress{Tokens: 150, Context: 1117, Cost: 0.25, Tool: "Bash go test ./...", Final: true},
			"I look\ndone\n",
		},
		{
			Claude, `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1767225600}}
{"type":"result","subtype":"success","is_error":true,"result":"You've hit your limit · resets 3pm"}`,
			Progress{Final: true, Failed: true, ServiceLimit: "rate limit|1767225600"},
			"You've hit your limit · resets 3pm\n",
		},
		{
			Claude, `{"type":"result","subtype":"success","is_error":true,"result":"You've hit your limit · resets 3pm (Europe/Berlin)"}`,
			Progress{Final: true, Failed: true, ServiceLimit: "You've hit your limit · resets 3pm (Europe/Berlin)"},
			"You've hit your limit · resets 3pm (Europe/Berlin)\n",
		},
		{
			Codex, `{"type":"thread.started","thread_id":"t"}
{"type":"item.started","item":{"id":"1","type":"command_execution","command":"ls -l"}}
{"type":"item.completed","item":{"id":"2","type":"agent_message","text":"here"}}
warning: not an object
{"type":"turn.completed","usage":{"input_tokens":1000,"cached_input_tokens":900,"output_tokens":50}}`,
			Progress{Tokens: 150, Tool: "command_execution ls -l", Final: true},
			"here\nwarning: not an object\n",
		},
		{
			Codex, `{"type":"error","message":"stream error: 429 Too Many Requests"}
{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}`,
			Progress{Final: true, Failed: true, ServiceLimit: "exceeded retry limit, last status: 429 Too Many Requests"},
			"exceeded retry limit, last status: 429 Too Many Requests\n",
		},
		{
			Gemini, `{"type":"init","model":"g"}
{"type":"message","role":"user","content":"the prompt"}
{"type":"message","role":"assistant","content":"I re","delta":true}
{"type":"message","role":"assistant","content":"ad","delta":true}
{"type":"tool_use","tool_name":"read_file","parameters":{"file_path":"a.go"}}
{"type":"message","role":"assistant","content":"[RALPH_OUT","delta":true}
{"type":"message","role":"assistant","content":"PUT]{}\n[/RALPH_OUTPUT]\n","delta":true}
{"type":"message","role":"assistant","content":"the end"}
{"type":"result","status":"success","stats":{"total_tokens":70,"input_tokens":50,"output_tokens":20,"cached":10}}`,
			Progress{Tokens: 60, Tool: "read_file a.go", Final: true},
			"I read\n[RALPH_OUTPUT]{}\n[/RALPH_OUTPUT]\n\nthe end\n",
		},
		{
			OpenCode, `{"type":"step_start","part":{}}
{"type":"tool_use","part":{"tool":"bash","state":{"input":{"command":"make"}}}}
{"type":"step_finish","part":{"reason":"tool-calls","cost":0.01,"tokens":{"input":10,"output":5,"reasoning":1,"cache":{"read":100,"write":20}}}}
{"type":"text","part":{"text":"made"}}
{"type":"step_finish","part":{"reason":"stop","cost":0.02,"tokens":{"input":1,"output":1,"reasoning":0,"cache":{"read":130,"write":0}}}}`,
			Progress{Tokens: 38, Context: 132, Cost: 0.03, Tool: "bash make", Final: true},
			"made\n",
		},
		{Plain, "a\n\n{\"type\": \"result\"}\nb", Progress{}, "a\n{\"type\": \"result\"}\nb\n"},
		{Claude, `{"type": 7}` + "\n{broken\n{\"type\":\"assistant\",\"message\":null}\n", Progress{}, "{broken\n"},
	} {
		s := transcriptOf(c.format, c.output)
		if diff := cmp.Diff(c.want, s.Progress, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Errorf("%s: %s", c.format, diff)
		}
		if got := string(s.text); got != c.words {
			t.Errorf("%s says %q, want %q", c.format, got, c.words)
		}
	}
}

// TestReadableParts guards: what an agent prints in parts is shown to people as the lines that it makes.
func TestReadableParts(t *testing.T) {
	log := `{"type":"message","role":"assistant","content":"one t","delta":true}
{"type":"message","role":"assistant","content":"wo\n\nthr","delta":true}
{"type":"message","role":"assistant","content":"ee","delta":true}
{"type":"tool_use","tool_name":"ls"}
{"type":"message","role":"assistant","content":"end","delta":true}
`
	var got []string
	Gemini.ReadLog(strings.NewReader(log), func(e Event) { got = append(got, e.Text) })
	if want := []string{"one two\n", "three", "ls", "end"}; !cmp.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestOddNumbers guards: numbers that no agent can have used count for nothing, so that sums and events stay numbers.
func TestOddNumbers(t *testing.T) {
	for _, number := range []string{"1e999", "-1e999", "-5", "1e300", `"x"`, "null"} {
		s := transcriptOf(Claude, `{"type":"result","subtype":"success","total_cost_usd":`+number+`,"usage":{"input_tokens":`+number+`,"output_tokens":1}}`)
		if s.Cost != 0 || s.Tokens != 1 {
			t.Errorf("%s: $%v, %d tokens", number, s.Cost, s.Tokens)
		}
	}
}

// TestWordsAreBounded guards: what an agent says takes no more memory than the end of it that is kept.
func TestWordsAreBounded(t *testing.T) {
	var s transcript
	for range 100_000 {
		s.add(Event{Kind: TextEvent, Text: strings.Repeat("ä", 50)})
	}
	if len(s.text) > 2*maxOutput+200 || cap(s.text) > 6*maxOutput {
		t.Errorf("%d of %d bytes", len(s.text), cap(s.text))
	}
}

// endless is a line without an end.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.left -= n
	return n, nil
}

// TestLongLines guards: of a line that is too long the beginning is read, and the next line as any other.
func TestLongLines(t *testing.T) {
	var got []int
	r := io.MultiReader(strings.NewReader("a\n"), &endless{3 * maxLine}, strings.NewReader("\nbc\n\nd"))
	readLines(r, func(line []byte) { got = append(got, len(line)) })
	if want := []int{1, maxLine, 2, 0, 1}; !cmp.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLimitEnds guards: how long to wait is read from the words of a limit, where they say.
func TestLimitEnds(t *testing.T) {
	now := time.Unix(1767225000, 0)
	for words, want := range map[string]time.Duration{
		"Claude AI usage limit reached|1767225600":   600 * time.Second,
		"rate limit, try again in 20s.":              20 * time.Second,
		"Please try again in 1h2m":                   62 * time.Minute,
		"retry after 3 minutes":                      3 * time.Minute,
		"Retry-After: 7":                             7 * time.Second,
		"quota exceeded, retry after: 1.5 seconds":   1500 * time.Millisecond,
		"try again in 2 hours 15 minutes.":           135 * time.Minute,
		"in 1 day, 2 hours and 3 min":                26*time.Hour + 3*time.Minute,
		"wait: in 1h 30m.":                           90 * time.Minute,
		"in 2 hours 15 of them":                      2 * time.Hour,
		"retry in 99999999999 days 99999999999 days": maxLimit,
		"retry in 2000000h and inf days":             maxLimit,
		"in nan hours":                               0,
		"retry in 20, 30 or so":                      20 * time.Second,
		"overloaded":                                 0,
		"overloaded in":                              0,
		"rate limit|null":                            0,
	} {
		end, ok := ServiceLimitEnd(words, now)
		if ok != (want > 0) || ok && end.Sub(now) != want {
			t.Errorf("%q: %v %v", words, end.Sub(now), ok)
		}
	}
	for _, words := range []string{
		"You've hit your limit · resets 3pm (UTC)", "You've hit your weekly limit", "You have reached your 5-hour limit", "You've reached your limit.",
		"You've hit your usage limit. Try again at 5:10 PM.", "Claude usage limit reached. Your limit will reset at 3pm (UTC).",
	} {
		if !IsServiceLimit(words) {
			t.Errorf("%q is no limit", words)
		}
	}
	if IsServiceLimit("test 429 of 1000 failed: no quota file") || !IsServiceLimit("API Error: 529 {\"type\":\"overloaded_error\"}") {
		t.Error("limits are not distinguished from other errors")
	}
}

// TestLimitEndsAtATime guards: a limit that ends at a time of day does so the next time that it comes, in the zone that is
// named, else ours. One that was a little while ago is not that of tomorrow.
func TestLimitEndsAtATime(t *testing.T) {
	ours := time.FixedZone("ours", 2*60*60)
	now := time.Date(2026, 1, 2, 13, 30, 0, 0, ours) // 11:30 in UTC
	for words, want := range map[string]string{
		"You've hit your limit · resets 3pm (UTC)":  "2026-01-02T15:00Z",
		"You've hit your limit · resets 3pm":        "2026-01-02T13:00Z",
		"resets 3pm (Nowhere/Atall)":                "2026-01-02T13:00Z",
		"usage limit; try again at 5:10 PM.":        "2026-01-02T15:10Z",
		"Your limit will reset at 3am (UTC).":       "2026-01-03T03:00Z",
		"resets at 12:15 am (UTC)":                  "2026-01-03T00:15Z",
		"resets 12pm (UTC)":                         "2026-01-02T12:00Z",
		"5-hour limit reached ∙ resets 11:15 (UTC)": "2026-01-02T11:15Z",
		"resets 23:05 UTC":                          "2026-01-02T23:05Z",
		"resets Jan 5, 3pm (UTC)":                   "2026-01-05T15:00Z",
		"try again at Jan 5th, 2026 3:04 PM":        "2026-01-05T13:04Z",
		"resets soon":                               "",
		"resets 25pm":                               "",
		"it was 3pm":                                "",
		"resets 13pm":                               "",
		"You've hit your limit, resets":             "",
	} {
		end, ok := ServiceLimitEnd(words, now)
		got := ""
		if ok {
			got = end.UTC().Format("2006-01-02T15:04Z")
		}
		if got != want {
			t.Errorf("%q: %s, want %q", words, got, want)
		}
	}
}
