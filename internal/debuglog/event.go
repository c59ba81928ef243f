package debuglog

import (
	"strconv"
	"time"

	"git-ralph/internal/jsonl"
)

// A Category says what an Event is about.
type Category string

// The categories.
const (
	Tool    Category = "tool"    // a call of a tool, by an agent
	API     Category = "api"     // a request to a service
	Hook    Category = "hook"    // a hook of git or of an agent
	Git     Category = "git"     // a process of git
	Agent   Category = "agent"   // an iteration of an agent
	Session Category = "session" // a command
)

// The results of an event.
const (
	Began  = "began" // the end is another event
	Done   = "ok"
	Failed = "error"
)

// timeFormat is that of an event.
const timeFormat = "2006-01-02T15:04:05.000Z"

// An Event is one thing that happened. Only Category and Name are needed.
type Event struct {
	At       time.Time // when it was written
	Category Category
	Name     string       // of the tool, operation, hook, command
	Params   jsonl.Object // what it was called with
	Took     time.Duration
	Result   string // Done where it is empty and there is no error
	Exit     int
	Blocked  bool   // of a hook: it kept something from happening
	Type     string // of an error, such as "exit 128"
	Error    string // what it says
	RateLeft int    // of a service that limits the rate of requests: how many are left; 0 for unknown
}

// Params makes parameters of names and values, in turn. Empty values are left out.
func Params(pairs ...string) jsonl.Object {
	var members []jsonl.Member
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			members = append(members, jsonl.Member{Name: pairs[i], Value: jsonl.Quote(pairs[i+1])})
		}
	}
	return jsonl.Build(members)
}

// Words are parameters that are the words of a command line.
func Words(words []string) jsonl.Object {
	return jsonl.Build([]jsonl.Member{{Name: wordsName, Value: jsonl.List(words)}})
}

// ExitType returns the type of an error that is an exit status.
func ExitType(status int) string { return "exit " + strconv.Itoa(status) }

// wordsName is the name of Words.
const wordsName = "args"

// The bounds of what one event holds, in bytes.
const (
	maxValue   = 300 // of a parameter
	maxName    = 100
	maxMessage = 1000
	maxParams  = 4000
)

// line returns the event as one line of the log, without its secrets.
func (e Event) line(r redactor) string {
	m := []jsonl.Member{
		{Name: "at", Value: jsonl.Quote(e.At.UTC().Format(timeFormat))},
		{Name: "category", Value: jsonl.Quote(string(e.Category))},
		{Name: "name", Value: jsonl.Quote(r.text(e.Name, maxName))},
		{Name: "result", Value: jsonl.Quote(e.result())},
	}
	if e.Params.Len() > 0 {
		if params := r.object(e.Params).Text(); len(params) <= maxParams {
			m = append(m, jsonl.Member{Name: "params", Value: jsonl.Value(params)})
		}
	}
	if e.Result != Began {
		m = append(m, jsonl.Member{Name: "ms", Value: jsonl.Value(strconv.FormatFloat(float64(e.Took.Microseconds())/1000, 'f', -1, 64))})
	}
	if e.Exit != 0 {
		m = append(m, jsonl.Member{Name: "exit", Value: jsonl.Value(strconv.Itoa(e.Exit))})
	}
	if e.Blocked {
		m = append(m, jsonl.Member{Name: "blocked", Value: "true"})
	}
	if e.RateLeft > 0 {
		m = append(m, jsonl.Member{Name: "rateLeft", Value: jsonl.Value(strconv.Itoa(e.RateLeft))})
	}
	if e.result() == Failed {
		m = append(m, jsonl.Member{Name: "type", Value: jsonl.Quote(r.text(e.Type, maxName))}, jsonl.Member{Name: "error", Value: jsonl.Quote(r.text(e.Error, maxMessage))})
	}
	return jsonl.Build(m).Text() + "\n"
}

func (e Event) result() string {
	switch {
	case e.Result != "":
		return e.Result
	case e.Error != "" || e.Type != "":
		return Failed
	}
	return Done
}

// parse reads an event. ok is false for a line that is none.
func parse(p *jsonl.Parser, line string) (e Event, ok bool) {
	o, err := p.Object(line)
	if err != nil {
		return e, false
	}
	for i := range o.Len() {
		value := o.Value(i)
		text, _ := value.Str()
		switch o.Name(i) {
		case "at":
			e.At, err = time.Parse(timeFormat, text)
		case "category":
			e.Category = Category(text)
		case "name":
			e.Name = text
		case "result":
			e.Result = text
		case "ms":
			ms, _ := strconv.ParseFloat(string(value), 64)
			e.Took = time.Duration(ms * float64(time.Millisecond))
		case "blocked":
			e.Blocked = value == "true"
		case "type":
			e.Type = text
		case "error":
			e.Error = text
		}
	}
	return e, err == nil && !e.At.IsZero() && e.Category != "" && e.Result != ""
}
