package agenthook

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"git-ralph/internal/jsonl"
)

// Errors of Find and Read.
var (
	// ErrAgent: there is no agent of that name.
	ErrAgent = errors.New("invalid agent")
	// ErrEvent: the agent has no such event, or none that concerns us.
	ErrEvent = errors.New("invalid event")
	// ErrInput: what the agent wrote is not what was expected.
	ErrInput = errors.New("invalid input")
)

// A Vendor adapts one agent program.
type Vendor struct {
	Name   string
	events []eventName
	read   func(jsonl.Object, *Input)
	write  func(name string, v Verdict) jsonl.Value
	pass   string // what it expects where there is nothing to say
}

// An eventName is what an agent calls an event.
type eventName struct {
	name  string
	event Event
}

// Vendors returns all agents, in the order of the documents.
func Vendors() []Vendor { return []Vendor{claude(), codex(), cursor(), gemini(), opencode()} }

// Find returns the agent of a name. The error is ErrAgent.
func Find(name string) (Vendor, error) {
	var names []string
	for _, v := range Vendors() {
		if v.Name == name {
			return v, nil
		}
		names = append(names, v.Name)
	}
	return Vendor{}, fmt.Errorf("%w %q: want %s", ErrAgent, name, strings.Join(names, ", "))
}

// EventNames returns the agent's names of the events.
func (v Vendor) EventNames() (names []string) {
	for _, e := range v.events {
		names = append(names, e.name)
	}
	return names
}

// Read returns what the agent reports with an event, by the agent's own name of it. The errors are ErrEvent and ErrInput.
func (v Vendor) Read(name string, data []byte) (Input, error) {
	for _, e := range v.events {
		if e.name != name {
			continue
		}
		object, err := jsonl.ParseObject(string(data))
		if err != nil {
			return Input{}, fmt.Errorf("%w: %w", ErrInput, err)
		}
		input := Input{Event: e.event}
		v.read(object, &input)
		return input, nil
	}
	return Input{}, fmt.Errorf("%w %q: %s has %s", ErrEvent, name, v.Name, strings.Join(v.EventNames(), ", "))
}

// Write returns a verdict in the agent's form, for an event by the agent's own name of it; "" where nothing is to be printed.
func (v Vendor) Write(name string, verdict Verdict) string {
	if verdict == (Verdict{}) {
		return v.pass
	}
	if text := v.write(name, verdict); text != "" && text != "{}" {
		return string(text) + "\n"
	}
	return v.pass
}

// A member list builds a JSON object without its empty members.
type members []jsonl.Member

func (m *members) text(name, value string) {
	if value != "" {
		*m = append(*m, jsonl.Member{Name: name, Value: jsonl.Quote(value)})
	}
}

func (m *members) value(name string, value jsonl.Value) {
	*m = append(*m, jsonl.Member{Name: name, Value: value})
}

func (m members) json() jsonl.Value { return jsonl.Value(jsonl.Build(m).Text()) }

// text returns the first of several members that is a string and not empty.
func text(o jsonl.Object, names ...string) string {
	for _, name := range names {
		value, _ := o.Get(name)
		if s, ok := value.Str(); ok && s != "" {
			return s
		}
	}
	return ""
}

// object returns the first of several members that is an object.
func object(o jsonl.Object, names ...string) jsonl.Object {
	for _, name := range names {
		if value, ok := o.Get(name); ok && value.Kind() == jsonl.Map {
			return value.Object()
		}
	}
	return jsonl.Object{}
}

// filesOf returns the files that a tool with these arguments writes. Agents name the argument in different ways; a patch names
// its files itself.
func filesOf(args jsonl.Object) (files []string) {
	for _, m := range args.Members() {
		value, ok := m.Value.Str()
		switch m.Name {
		case "file_path", "filePath", "notebook_path", "path", "target_file":
			if ok {
				files = append(files, value)
			}
		case "command", "input", "patch", "patchText":
			files = append(files, patched(value)...)
		}
	}
	return files
}

// patched returns the files of a patch in the form of codex and opencode.
func patched(text string) (files []string) {
	if !strings.Contains(text, "*** Begin Patch") {
		return nil
	}
	for line := range strings.Lines(text) {
		for _, prefix := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
			if name, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), prefix); ok {
				files = append(files, name)
			}
		}
	}
	return files
}

// RoleOf returns the role of a sub-agent with one of our definitions, "" for any other. An agent from a plug-in is called
// "PLUGIN:NAME".
func RoleOf(agentType string) string {
	_, name, found := strings.Cut(agentType, ":")
	if !found {
		name = agentType
	}
	role, ours := strings.CutPrefix(path.Base(name), "ralph-")
	switch {
	case ours && (role == "analyst" || role == "builder" || role == "validator" || role == "integrator"):
		return role
	}
	return ""
}
