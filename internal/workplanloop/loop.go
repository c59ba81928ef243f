package workplanloop

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"git-ralph/internal/jsonl"
)

// DefaultMax is how many iterations a loop has where nothing else is said.
const DefaultMax = 20

// A Loop is the loop of one session.
type Loop struct {
	Session   string
	File      string // absolute path of the workplan
	Max       int    // iterations
	Iteration int    // from 1: the turn in which the loop was started
	Idle      int    // stops in a row at which nothing had changed
	Invalid   int    // stops in a row at which the file was invalid
	Mark      string // of the workplan, HEAD and the worktree at the last stop
	Stopped   bool   // `loop stop` was called
	At        string // when it was started, in RFC 3339
}

// ErrDamaged: the text is not one that Text returned.
var ErrDamaged = errors.New("the state of the loop is damaged")

// field is a member of the text, as a pointer to its value.
type field struct {
	name   string
	text   *string
	number *int
	flag   *bool
}

func (l *Loop) fields() []field {
	return []field{
		{name: "session", text: &l.Session},
		{name: "file", text: &l.File},
		{name: "max", number: &l.Max},
		{name: "iteration", number: &l.Iteration},
		{name: "idle", number: &l.Idle},
		{name: "invalid", number: &l.Invalid},
		{name: "mark", text: &l.Mark},
		{name: "stopped", flag: &l.Stopped},
		{name: "at", text: &l.At},
	}
}

// Text returns the loop as a line of JSON.
func (l Loop) Text() string {
	var members []jsonl.Member
	for _, f := range l.fields() {
		m := jsonl.Member{Name: f.name}
		switch {
		case f.text != nil:
			m.Value = jsonl.Quote(*f.text)
		case f.number != nil:
			m.Value = jsonl.Value(strconv.Itoa(*f.number))
		default:
			m.Value = jsonl.Value(strconv.FormatBool(*f.flag))
		}
		members = append(members, m)
	}
	return jsonl.Build(members).Text() + "\n"
}

// Parse reads a loop. The error is ErrDamaged.
func Parse(text string) (Loop, error) {
	o, err := jsonl.ParseObject(text)
	if err != nil {
		return Loop{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	var l Loop
	for _, f := range l.fields() {
		value, ok := o.Get(f.name)
		if !ok || !f.set(value) {
			return Loop{}, fmt.Errorf("%w: %s", ErrDamaged, f.name)
		}
	}
	if !filepath.IsAbs(l.File) || l.Max < 1 || l.Iteration < 1 {
		return Loop{}, ErrDamaged
	}
	return l, nil
}

// set reads the value of a member, and reports whether it is of the right kind.
func (f field) set(value jsonl.Value) (ok bool) {
	switch {
	case f.text != nil:
		*f.text, ok = value.Str()
		return ok
	case f.number != nil:
		n, err := strconv.Atoi(string(value))
		*f.number = n
		return err == nil && n >= 0
	}
	*f.flag = value == "true"
	return value.Kind() == jsonl.Bool
}
