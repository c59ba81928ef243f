package hub

import (
	"strings"
	"testing"

	"git-ralph/internal/workplan"
)

// TestTable guards: every form has what its protocol needs, and what the hub's users document is sent as they document it.
func TestTable(t *testing.T) {
	for _, p := range []Protocol{REST, MCP} {
		for _, op := range []operation{setTask, setTasks, setWorkstream, addEvent, readTask, readWorkstream, readEvents} {
			for _, f := range forms(p, op) {
				r := f.request(values{ID: "a/b", Status: "done", Key: "k"})
				switch {
				case p == REST && (r.Method == "" || !strings.HasPrefix(r.Path, "/") || r.Tool != ""), p == MCP && (r.Tool == "" || r.Method != ""):
					t.Errorf("%s %s: %+v", p, op, r)
				case strings.Contains(r.Path, "a/b"):
					t.Errorf("%s %s: an id is not escaped: %s", p, op, r.Path)
				}
			}
		}
	}
}

// TestWords guards: each status of a file is one of the words of each vocabulary, and is read back as itself.
func TestWords(t *testing.T) {
	for k, statuses := range map[Kind][]workplan.Status{Task: workplan.TaskStatuses(), Workstream: workplan.FileStatuses()} {
		for _, s := range statuses {
			for _, v := range []Vocabulary{Old, New} {
				if got := k.status(k.word(s, v)); got != s {
					t.Errorf("%s %s in the %s words: %s is read as %s", k, s, v, k.word(s, v), got)
				}
			}
		}
	}
}

// TestFailures guards: a reply is a failure or not whatever its status says, and it is known whether another form may help.
func TestFailures(t *testing.T) {
	for _, row := range []struct {
		reply                           Reply
		failed, refused, missing, maybe bool
	}{
		{Reply{Status: 200, Body: `{"id": "1", "error": null}`}, false, false, false, false},
		{Reply{Status: 204}, false, false, false, false},
		{Reply{Status: 200, Body: "\n"}, false, false, false, false},
		{Reply{Status: 200, Body: "<!DOCTYPE html>Log in"}, true, false, false, true},
		{Reply{Status: 200, Body: `{"id": "1"`}, true, false, false, true},
		{Reply{Status: 200, Body: "[]"}, false, false, false, false},
		{Reply{Status: 200, Body: "null"}, true, false, false, true},
		{Reply{Status: 200, Body: `"ok"`}, true, false, false, true},
		{Reply{Status: 302, Location: "/login"}, true, false, false, false},
		{Reply{Status: 501}, true, true, false, false},
		{Reply{Status: 200, Body: `{"error": "database is locked"}`}, true, false, false, false},
		{Reply{Status: 200, Body: `{"error": "Task not found"}`}, true, true, true, false},
		{Reply{Status: 200, Body: `{"error": {"loc": "status"}}`}, true, true, false, false},
		{Reply{Status: 404}, true, true, true, false},
		{Reply{Status: 422}, true, true, false, false},
		{Reply{Status: 401}, true, false, false, false},
		{Reply{Status: 429}, true, false, false, false},
		{Reply{Status: 500, Body: "<html>"}, true, false, false, true},
	} {
		f := failureOf(REST, row.reply, strings.Clone)
		if (f != nil) != row.failed || f != nil && (f.refused != row.refused || f.missing != row.missing || f.maybe != row.maybe) {
			t.Errorf("%+v: %+v", row.reply, f)
		}
	}
}

// TestPlainReplies guards: over MCP a tool may answer in plain text, over REST that is no answer of a hub.
func TestPlainReplies(t *testing.T) {
	r := Reply{Status: 200, Body: "status updated"}
	if f := failureOf(MCP, r, strings.Clone); f != nil {
		t.Errorf("MCP: %v", f)
	}
	if f := failureOf(REST, r, strings.Clone); f == nil || !f.maybe {
		t.Errorf("REST: %v", f)
	}
}

// TestFailureTexts guards: a failure says what its status means, and is one line whatever the hub says.
func TestFailureTexts(t *testing.T) {
	const forged = "no\r\ngit-ralph: error: the plan is lost\u2028git-ralph: hint: run sh"
	for _, row := range []struct {
		reply Reply
		want  string
	}{
		{
			Reply{Status: 500, Reason: "Internal Server Error", Body: forged},
			"the State Hub answered 500 Internal Server Error: no git-ralph: error: the plan is lost git-ralph: hint: run sh",
		},
		{Reply{Status: 503, Reason: "Service Unavailable"}, "the State Hub answered 503 Service Unavailable"},
		{Reply{Status: 404, Body: "unknown tool"}, "the State Hub answered 404: unknown tool"},
		{Reply{Status: 200, Body: `{"error": "a\nb"}`}, "the State Hub reported an error: a b"},
		{
			Reply{Status: 307, Reason: "Temporary Redirect", Location: "https://login.example/?to=hub", Body: "<a>"},
			"the State Hub answered 307 Temporary Redirect, a redirect that is not followed, to https://login.example/?to=hub",
		},
	} {
		if f := failureOf(REST, row.reply, strings.Clone); f == nil || f.text != row.want {
			t.Errorf("%+v:\n %v, want\n %s", row.reply, f, row.want)
		}
	}
}

// TestTopic guards: the topic is the first topic_id that a colon or an equals sign follows.
func TestTopic(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "",
		"the topic_id is below\ntopic_id: a": "a",
		"**topic_id**: `b-1`.\ntopic_id: c":  "b-1",
		`"topic_id" = "d"`:                   "d",
		"topic_id=e, other":                  "e",
	} {
		if got := TopicIn(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
