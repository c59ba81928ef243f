package report

import (
	"cmp"
	"strings"

	"git-ralph/internal/jsonl"
)

// get returns a member, null if there is none.
func get(object jsonl.Object, name string) jsonl.Value {
	if value, found := object.Get(name); found {
		return value
	}
	return "null"
}

func (r Report) text(name string) string {
	text, _ := get(r.object, name).Str()
	return strings.TrimSpace(text)
}

// texts returns a list of strings. Agents also write objects, whose description is taken, or a single string.
func (r Report) texts(name string) ([]string, error) {
	value := get(r.object, name)
	if value.Kind() == jsonl.Null {
		return nil, nil
	}
	if text, ok := value.Str(); ok {
		value = jsonl.List([]string{text})
	}
	elements, ok := value.Elements()
	if !ok {
		return nil, unusable("invalid %q: want a list", name)
	}
	var list []string
	for _, e := range elements {
		text, ok := e.Str()
		if object, err := jsonl.ParseObject(string(e)); err == nil {
			text, ok = cmp.Or(firstText(object, "desc", "description", "name", "title"), string(oneLine(e))), true
		}
		if !ok {
			return nil, unusable("invalid element of %q: want a string, not %s", name, e)
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
func (r Report) objects(name string) ([]jsonl.Object, error) {
	value := get(r.object, name)
	if value.Kind() == jsonl.Null {
		return nil, nil
	}
	elements, ok := value.Elements()
	if !ok {
		return nil, unusable("invalid %q: want a list", name)
	}
	list := make([]jsonl.Object, len(elements))
	for i, e := range elements {
		object, err := jsonl.ParseObject(string(e))
		if err != nil {
			return nil, unusable("invalid element of %q: want an object, not %s", name, e)
		}
		list[i] = object
	}
	return list, nil
}

// taskFields returns the fields that an agent may set in a new task. The status, for example, is not among them.
func taskFields() []string {
	return []string{"id", "name", "notes", "accept", "deps", "priority", "role", "check", "created_from", "supersedes"}
}

// tasks returns a list of new tasks.
func (r Report) tasks(name string) ([]jsonl.Object, error) { return r.records(name, taskFields()) }

// records returns a list of new records, with the fields that an agent may set, on one line each.
func (r Report) records(name string, fields []string) ([]jsonl.Object, error) {
	list, err := r.objects(name)
	for i, object := range list {
		var kept []jsonl.Member
		for _, field := range fields {
			if value, found := object.Get(field); found && value.Kind() != jsonl.Null {
				kept = append(kept, jsonl.Member{Name: field, Value: oneLine(value)})
			}
		}
		list[i] = jsonl.Build(kept)
	}
	return list, err
}

// oneLine returns a value without line breaks, which only objects and arrays
// may contain.
func oneLine(value jsonl.Value) jsonl.Value {
	if texts, ok := value.Strings(); ok {
		return jsonl.List(texts)
	}
	if value.Kind() == jsonl.Array || value.Kind() == jsonl.Map {
		return jsonl.Value(strings.NewReplacer("\r", " ", "\n", " ").Replace(string(value)))
	}
	return value
}
