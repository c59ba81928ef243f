package hub_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"git-ralph/internal/hub"
)

// A killed is what ends a process of ours in the middle of a step.
type killed struct{}

// A fake is a hub of one kind, which fails at random.
type fake struct {
	rng       *rand.Rand
	protocol  hub.Protocol
	newer     bool // the new words, and /workplans
	readable  bool
	bulk      bool
	describes bool
	textual   bool // detail is a text
	silent    bool // a change is answered with null

	faults bool // things go wrong
	down   bool // unreachable

	status    map[string]string // of tasks and workstreams
	events    []string          // the details
	backwards []string          // changes that took progress back
	requests  int
}

func newFake(rng *rand.Rand) *fake {
	flip := func() bool { return rng.IntN(2) == 0 }
	f := &fake{rng: rng, protocol: hub.REST, newer: flip(), readable: rng.IntN(3) > 0, bulk: flip(), describes: flip(), textual: flip(), status: map[string]string{}}
	if flip() {
		f.protocol = hub.MCP
	}
	f.silent = f.protocol == hub.REST && f.readable && flip()
	return f
}

var (
	oldWords = map[string]int{"todo": 0, "blocked": 0, "in_progress": 1, "done": 2, "cancelled": 2, "active": 0, "paused": 0}
	newWords = map[string]int{"todo": 0, "wait": 0, "progress": 1, "done": 2, "cancel": 2, "proposed": 0, "ready": 0, "active": 0, "backlog": 0, "finished": 2, "archived": 2}
)

func (f *fake) words() map[string]int {
	if f.newer {
		return newWords
	}
	return oldWords
}

func (f *fake) Describe(context.Context) (string, []string, error) {
	if f.down || f.faults && f.rng.IntN(10) == 0 {
		return "", nil, hub.ErrNotSent
	}
	text := ""
	if f.describes {
		words, _ := json.Marshal(f.words()) //nolint:errcheck // a map
		text = string(words)
	}
	if f.protocol == hub.REST {
		return text, nil, nil
	}
	tools := []string{"update_task_status", "update_workstream_status", "add_progress_event"}
	if f.readable {
		tools = append(tools, "get_task", "get_workstream", "list_progress_events")
	}
	return text, tools, nil
}

func (f *fake) Mask(text string) string { return text }

func (f *fake) Send(_ context.Context, r hub.Request) (hub.Reply, error) {
	f.requests++
	if f.down {
		return hub.Reply{}, fmt.Errorf("%w: connection refused", hub.ErrNotSent)
	}
	if !f.faults {
		return f.reply(r), nil
	}
	switch f.rng.IntN(24) {
	case 0:
		panic(killed{})
	case 1:
		f.answer(r)
		panic(killed{})
	case 2:
		return hub.Reply{}, errors.New("reset before the request was read")
	case 3:
		f.answer(r)
		return hub.Reply{}, errors.New("reset before the reply was written")
	case 4:
		return hub.Reply{Status: 429, Body: "slow down", After: time.Minute}, nil
	case 5:
		return hub.Reply{Status: 503, Body: "later"}, nil
	case 6:
		f.answer(r)
		return hub.Reply{Status: 502, Body: "<html>"}, nil
	case 7:
		return hub.Reply{Status: 200, Body: `{"error": "database is locked"}`}, nil
	}
	return f.reply(r), nil
}

// reply does what a request asks for, and says so unless the hub is silent.
func (f *fake) reply(r hub.Request) hub.Reply {
	reply := f.answer(r)
	if f.silent && r.Method != "GET" && reply.Status < 300 {
		reply.Body = "null"
	}
	return reply
}

// answer does what a request asks for.
func (f *fake) answer(r hub.Request) hub.Reply {
	if f.protocol == hub.MCP {
		return f.answerTool(r)
	}
	path, query, _ := strings.Cut(r.Path, "?")
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	missing := hub.Reply{Status: 404, Body: `{"detail": "Not Found"}`}
	id := parts[len(parts)-1]
	switch {
	case r.Method == "POST" && path == "/tasks/bulk-status-sync":
		return f.setMany(r)
	case r.Method == "PATCH" && parts[0] == "tasks", r.Method == "PATCH" && parts[0] == f.resource():
		return f.set(id, r)
	case r.Method == "POST" && path == "/progress":
		return f.addEvent(r)
	case r.Method != "GET" || !f.readable:
		return missing
	case parts[0] == "tasks", parts[0] == f.resource():
		return f.get(id)
	case path == "/progress" && query != "":
		return f.listEvents()
	}
	return missing
}

// resource is what the hub calls workstreams.
func (f *fake) resource() string {
	if f.newer {
		return "workplans"
	}
	return "workstreams"
}

func (f *fake) answerTool(r hub.Request) hub.Reply {
	id := func(name string) string { s, _ := r.Body[name].(string); return s }
	switch r.Tool {
	case "update_task_status":
		return f.set(id("task_id"), r)
	case "update_workstream_status":
		return f.set(id("workstream_id"), r)
	case "add_progress_event":
		return f.addEvent(r)
	case "get_task":
		return f.get(id("task_id"))
	case "get_workstream":
		return f.get(id("workstream_id"))
	case "list_progress_events":
		return f.listEvents()
	}
	return hub.Reply{Status: 404, Body: "unknown tool"}
}

func (f *fake) refuse(text string) hub.Reply {
	if f.protocol == hub.MCP {
		return hub.Reply{Status: 200, Body: `{"error": "` + text + `"}`}
	}
	return hub.Reply{Status: 422, Body: `{"detail": "` + text + `"}`}
}

func (f *fake) get(id string) hub.Reply {
	was, ok := f.status[id]
	if !ok {
		return hub.Reply{Status: 404, Body: `{"detail": "Not Found"}`}
	}
	return hub.Reply{Status: 200, Body: fmt.Sprintf(`{"id": %q, "status": %q, "note": {"status": "else"}}`, id, was)}
}

func (f *fake) set(id string, r hub.Request) hub.Reply {
	word, _ := r.Body["status"].(string)
	was, ok := f.status[id]
	if !ok {
		return hub.Reply{Status: 404, Body: `{"detail": "Not Found"}`}
	}
	rank, ok := f.words()[word]
	if !ok || (word == "done" && f.newer && strings.HasPrefix(id, "ws")) {
		return f.refuse("invalid status")
	}
	if rank < f.words()[was] {
		f.backwards = append(f.backwards, id+": "+was+" to "+word)
	}
	f.status[id] = word
	return f.get(id)
}

func (f *fake) setMany(r hub.Request) hub.Reply {
	if !f.bulk {
		return hub.Reply{Status: 404, Body: `{}`}
	}
	var ids []string
	for _, u := range r.Body["updates"].([]map[string]any) {
		one := hub.Request{Body: u}
		if f.set(u["task_id"].(string), one).Status == 200 {
			ids = append(ids, u["task_id"].(string))
		}
	}
	text, _ := json.Marshal(map[string]any{"updated": ids}) //nolint:errcheck // texts
	return hub.Reply{Status: 200, Body: string(text)}
}

func (f *fake) addEvent(r hub.Request) hub.Reply {
	if _, isText := r.Body["detail"].(string); isText != f.textual {
		return f.refuse("detail: invalid type")
	}
	text, _ := json.Marshal(r.Body) //nolint:errcheck // texts
	f.events = append(f.events, string(text))
	return hub.Reply{Status: 200, Body: `{"id": "e"}`}
}

func (f *fake) listEvents() hub.Reply {
	return hub.Reply{Status: 200, Body: "[" + strings.Join(f.events, ",") + "]"}
}

// A memory is a store whose process may be killed before and after each write.
type memory struct {
	text []byte
	fake *fake
}

func (m *memory) View() (hub.State, error) { return hub.ParseState(m.text) }

func (m *memory) Change(do func(*hub.State)) error {
	die := m.fake.faults && m.fake.rng.IntN(30) == 0
	if die && m.fake.rng.IntN(2) == 0 {
		panic(killed{})
	}
	s, err := hub.ParseState(m.text)
	if err != nil {
		return err
	}
	do(&s)
	m.text, err = s.Text()
	if die {
		panic(killed{})
	}
	return err
}
