package loop

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// The marks around the block that an agent ends with.
const (
	reportBegin = "[RALPH_OUTPUT]"
	reportEnd   = "[/RALPH_OUTPUT]"
)

// errReport says that an agent's report cannot be used. Its text is told to the next agent.
var errReport = errors.New("the report cannot be used")

func unusable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errReport, fmt.Sprintf(format, args...))
}

// A report is what an agent says at its end. The zero report says nothing.
type report struct{ object jsonl.Object }

func (r report) empty() bool { return r.object.Text() == "" }

// errExample says that all that an agent reported is what its prompt shows as an example.
var errExample = unusable("the block is the prompt's example, word for word; it must tell of your own work")

// findReport returns the last whole block of what an agent said. Blocks of the prompt, which some agents print first, do
// not count; where there is no other one, the error is errExample. A report that is not there is empty; one that is there
// and cannot be read is an error.
func findReport(words, prompt string) (report, error) {
	examples, _ := blocks(prompt)
	all, open := blocks(words)
	found := slices.DeleteFunc(slices.Clone(all), func(b string) bool {
		return slices.ContainsFunc(examples, func(e string) bool { return saysTheSame(e, b) })
	})
	switch {
	case len(found) == 0 && open:
		return report{}, unusable("the block has no %s", reportEnd)
	case len(found) == 0 && len(all) > 0:
		return report{}, errExample
	case len(found) == 0:
		return report{}, nil
	}
	return parseReport(found[len(found)-1])
}

func parseReport(text string) (report, error) {
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}') // agents like to put a fence around JSON
	if from < 0 || to < from {
		return report{}, unusable("the block holds no JSON object")
	}
	object, err := jsonl.ParseObject(text[from : to+1])
	if err != nil {
		return report{}, unusable("the block holds invalid JSON: %v", err)
	}
	return report{object}, nil
}

// blocks returns what stands between the marks, and whether a last block is not closed.
func blocks(text string) (found []string, open bool) {
	for {
		before, after, begun := strings.Cut(text, reportBegin)
		if !begun {
			return found, false
		}
		block, rest, closed := strings.Cut(after, reportEnd)
		if !closed {
			return found, true
		}
		if at := strings.LastIndex(block, reportBegin); at >= 0 { // the one before was broken off
			before, block = block[:at], block[at+len(reportBegin):]
		}
		found = append(found, strings.TrimSpace(unquoted(block, before)))
		text = rest
	}
}

// unquoted returns a block without what stands before its lines where they are quoted, as in "> ": the same as before its mark.
func unquoted(block, before string) string {
	return strings.ReplaceAll(block, "\n"+before[strings.LastIndexByte(before, '\n')+1:], "\n")
}

// get returns a member, null where there is none.
func get(object jsonl.Object, name string) jsonl.Value {
	if value, found := object.Get(name); found {
		return value
	}
	return "null"
}

func (r report) text(name string) string {
	text, _ := get(r.object, name).Str()
	return strings.TrimSpace(text)
}

// texts returns a list of strings. Agents also give objects, of which the description is taken, or one string.
func (r report) texts(name string) ([]string, error) {
	value := get(r.object, name)
	if value.Kind() == jsonl.Null {
		return nil, nil
	}
	if text, ok := value.Str(); ok {
		value = jsonl.List([]string{text})
	}
	elements, ok := value.Elements()
	if !ok {
		return nil, unusable("%q is no list", name)
	}
	var list []string
	for _, e := range elements {
		text, ok := e.Str()
		if object, err := jsonl.ParseObject(string(e)); err == nil {
			text, ok = cmp.Or(firstText(object, "desc", "description", "name", "title"), string(oneLine(e))), true
		}
		if !ok {
			return nil, unusable("%q holds something that is no text: %s", name, e)
		}
		if strings.TrimSpace(text) != "" {
			list = append(list, strings.TrimSpace(text))
		}
	}
	return list, nil
}

func firstText(object jsonl.Object, names ...string) string {
	for _, name := range names {
		if text, ok := get(object, name).Str(); ok && strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

// objects returns a list of objects.
func (r report) objects(name string) ([]jsonl.Object, error) {
	value := get(r.object, name)
	if value.Kind() == jsonl.Null {
		return nil, nil
	}
	elements, ok := value.Elements()
	if !ok {
		return nil, unusable("%q is no list", name)
	}
	list := make([]jsonl.Object, len(elements))
	for i, e := range elements {
		object, err := jsonl.ParseObject(string(e))
		if err != nil {
			return nil, unusable("%q holds something that is no object: %s", name, e)
		}
		list[i] = object
	}
	return list, nil
}

// taskFields are what an agent may say of a task. Everything else, such as that it is done, is not its to say.
func taskFields() []string {
	return []string{"id", "name", "notes", "accept", "deps", "priority", "role", "created_from", "supersedes"}
}

// tasks returns a list of new tasks, with what an agent may say of them and on one line each.
func (r report) tasks(name string) ([]jsonl.Object, error) {
	given, err := r.objects(name)
	for i, object := range given {
		var kept []jsonl.Member
		for _, field := range taskFields() {
			if value, found := object.Get(field); found && value.Kind() != jsonl.Null {
				kept = append(kept, jsonl.Member{Name: field, Value: oneLine(value)})
			}
		}
		given[i] = jsonl.Build(kept)
	}
	return given, err
}

// oneLine returns a value as a plan holds it. Only lists are laid out over lines.
func oneLine(value jsonl.Value) jsonl.Value {
	if texts, ok := value.Strings(); ok {
		return jsonl.List(texts)
	}
	if value.Kind() == jsonl.Array || value.Kind() == jsonl.Map {
		return jsonl.Value(strings.NewReplacer("\r", " ", "\n", " ").Replace(string(value)))
	}
	return value
}
