//go:build agents

package realagent

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// A Model answers agents as a language model would, by a script: it knows the prompts of this project, and does what an
// honest agent does in each stage. It speaks the interfaces of three services.
type Model struct {
	URL string // where it listens, on the loopback interface

	// Script says what to say instead of what an honest agent of this project does: to a conversation, by how often the model spoke
	// before. It is set before the first request.
	Script func(text string, turn int) move

	// Converse is asked before Script, and knows who speaks: a session, a sub-agent, a skill. Only /v1/messages has it.
	Converse func(c conversation) move

	server *http.Server
	mu     sync.Mutex
	asked  []string // the turns that agents asked for: stage and number
	others []string // requests that it does not know
	start  rendezvous
}

// A move is what the model says in one turn: words, with a command for the agent's shell, or the call of another tool.
type move struct {
	words   string
	command string

	tool  string
	input object
}

// A conversation is what the model is asked with.
type conversation struct {
	system string   // what the agent is
	text   string   // what was said, with the results of tools
	last   string   // what is new since the model spoke
	turn   int      // how often the model spoke before
	tools  []string // that may be called
}

// Listen starts a model.
func Listen() (*Model, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &Model{URL: "http://" + listener.Addr().String()}
	m.server = &http.Server{Handler: m}
	go m.server.Serve(listener) //nolint:errcheck // Close ends it
	return m, nil
}

// Close ends the model.
func (m *Model) Close() error { return m.server.Close() }

// Asked lists the turns that agents asked for, as "BUILD 0" for the first turn of a stage.
func (m *Model) Asked() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.asked...)
}

// Others lists requests that it did not know.
func (m *Model) Others() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.others...)
}

// ServeHTTP answers one request.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	if r.Method == http.MethodPost {
		json.NewDecoder(r.Body).Decode(&body) //nolint:errcheck // what is no JSON is none of the requests below
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/v1/messages") && body["messages"] != nil:
		m.answerMessages(w, body)
	case strings.HasSuffix(r.URL.Path, "/v1/responses") && body["input"] != nil:
		m.answerResponses(w, body)
	case strings.HasSuffix(r.URL.Path, ":streamGenerateContent") && body["contents"] != nil:
		m.answerContents(w, body)
	default:
		m.mu.Lock()
		m.others = append(m.others, r.Method+" "+r.URL.Path)
		m.mu.Unlock()
		http.Error(w, `{"error": "not here"}`, http.StatusNotFound)
	}
}

// play decides what to say to a conversation: its text, and how often the model spoke before.
func (m *Model) play(text string, turn int) move {
	stage := stageOf(text)
	m.mu.Lock()
	m.asked = append(m.asked, fmt.Sprintf("%s %d", stage, turn))
	m.mu.Unlock()
	switch {
	case m.Script != nil:
		return m.Script(text, turn)
	case stage == "PLAN":
		return move{words: block(`{"tasks": [{"id": "t-one", "name": "Write one.txt", "accept": "cat one.txt prints one"}, {"id": "t-two", "name": "Write two.txt", "accept": "cat two.txt prints two", "deps": ["t-one"]}]}`)}
	case stage == "BUILD" && turn == 0:
		m.start.wait(fileOf(text))
		return write(fileOf(text))
	case stage == "BUILD":
		return move{words: block(fmt.Sprintf(`{"verdict": "done", "summary": "it is written", "files": [%q]}`, fileOf(text)))}
	case stage == "VERIFY" && turn == 0:
		return move{words: "I look for myself.", command: "cat *.txt"}
	case stage == "VERIFY":
		return move{words: block(`{"results": [` + strings.Join(passed(text), ", ") + `]}`)}
	}
	return move{words: "ok"}
}

// write makes a file. One kind of agent commits its work and changes the plan itself, the other leaves both to the report. The last
// file needs the first.
func write(file string) move {
	name := strings.TrimSuffix(file, ".txt")
	switch name {
	case "two", "three":
		return move{words: "I write it.", command: fmt.Sprintf("echo %s >%s && cat %[2]s", name, file)}
	case "four":
		return move{words: "I write it.", command: "cat one.txt && echo four >four.txt"}
	}
	return move{
		words:   "I write it, commit it and tell the plan.",
		command: fmt.Sprintf("echo %s >%s && git add %[2]s && git commit -qm 'Write %[2]s' && git ralph task done", name, file),
	}
}

// fileOf returns the file that the task of a prompt is to write.
func fileOf(text string) string {
	_, task, _ := strings.Cut(text, "## Your task")
	match := regexp.MustCompile(`"name": "Write ([a-z]+\.txt)"`).FindStringSubmatch(task)
	if match == nil {
		return ""
	}
	return match[1]
}

func block(json string) string { return "[RALPH_OUTPUT]\n" + json + "\n[/RALPH_OUTPUT]" }

// stageOf reports by its prompt which stage a conversation is about.
func stageOf(text string) string {
	for heading, stage := range map[string]string{
		"# Plan the work of a spec": "PLAN", "# Build one task": "BUILD", "# Check what was done": "VERIFY",
	} {
		if strings.Contains(text, heading) {
			return stage
		}
	}
	return "OTHER"
}

// passed returns a result for each done task of a prompt.
func passed(text string) []string {
	var results []string
	_, tasks, _ := strings.Cut(text, "## Tasks that are said to be done")
	tasks, _, _ = strings.Cut(tasks, "## How to work")
	for _, match := range regexp.MustCompile(`"id": "(t-[0-9a-z-]+)"`).FindAllStringSubmatch(tasks, -1) {
		results = append(results, fmt.Sprintf(`{"task_id": %q, "passed": true}`, match[1]))
	}
	return results
}

// texts collects every string below a JSON value that stands under one of some names.
func texts(value any, names ...string) string {
	var b strings.Builder
	var visit func(value any, wanted bool)
	visit = func(value any, wanted bool) {
		switch v := value.(type) {
		case string:
			if wanted {
				b.WriteString(v + "\n")
			}
		case []any:
			for _, e := range v {
				visit(e, wanted)
			}
		case map[string]any:
			for name, e := range v {
				visit(e, contains(names, name))
			}
		}
	}
	visit(value, false)
	return b.String()
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// turns counts how often a role spoke.
func turns(messages any, role string) int {
	n := 0
	list, _ := messages.([]any)
	for _, e := range list {
		if message, ok := e.(map[string]any); ok && message["role"] == role {
			n++
		}
	}
	return n
}

// send writes one server-sent event.
func send(w http.ResponseWriter, event string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		return
	}
	if event != "" {
		fmt.Fprintf(w, "event: %s\n", event)
	}
	fmt.Fprintf(w, "data: %s\n\n", text)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

type object = map[string]any
