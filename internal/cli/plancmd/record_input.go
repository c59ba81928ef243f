package plancmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A recordInput is what a command line describes records with: JSON or words.
type recordInput struct {
	objects []jsonl.Object
	words   string // joined by spaces
	json    bool   // it is JSON, perhaps without objects
}

// readRecordInput takes "-" for standard input, arguments that are JSON as JSON, and
// any others as words. The first argument decides: JSON and words do not mix.
func readRecordInput(e *term.Env, kind plan.Kind, args []string) (recordInput, error) {
	g, err := readAny(e, args)
	if err == nil {
		g.warnOfNames(e, kind)
	}
	return g, err
}

func readAny(e *term.Env, args []string) (recordInput, error) {
	if len(args) == 1 && args[0] == "-" {
		data, err := e.ReadInput()
		if err != nil {
			return recordInput{}, err
		}
		objects, err := parseObjects(term.StdinName, string(data))
		return recordInput{objects: objects, json: true}, err
	}
	g := recordInput{json: len(args) > 0}
	for i, arg := range args {
		objects, isJSON, err := readArgument(fmt.Sprintf("argument %d", i+1), arg)
		switch {
		case i == 0 && !isJSON:
			return wordsOf(args)
		case err != nil:
			return recordInput{}, err
		case !isJSON:
			return recordInput{}, mixed(arg)
		}
		g.objects = append(g.objects, objects...)
	}
	return g, nil
}

// warnOfNames warns of members that are not known and that were probably meant
// to be others, such as "dep". They are kept.
func (g recordInput) warnOfNames(env *term.Env, kind plan.Kind) {
	known := plan.FieldNames(kind)
	var lines []string
	for i, object := range g.objects {
		for _, m := range object.Members() {
			near := cmdline.Nearest(m.Name, known)
			if near == "" || near == m.Name || slices.Contains(known, m.Name) {
				continue
			}
			text := fmt.Sprintf("field %q is not known and is kept as it is; did you mean %q?", m.Name, near)
			if len(g.objects) > 1 {
				text = fmt.Sprintf("%s %d: %s", kind, i+1, text)
			}
			lines = append(lines, text)
		}
	}
	env.WarnAll(lines)
}

// wordsOf takes arguments as words. Those after the first may look like JSON,
// such as [1], as long as they hold no records.
func wordsOf(args []string) (recordInput, error) {
	for _, arg := range args[1:] {
		if objects, _, err := readArgument("", arg); err == nil && len(objects) > 0 && seemsJSON(arg) {
			return recordInput{}, mixed(strings.Join(args[:1], " "))
		}
	}
	return recordInput{words: strings.Join(args, " ")}, nil
}

func mixed(word string) error {
	return &cmdline.UsageError{
		Text: fmt.Sprintf("JSON and words exclude each other: %q is not JSON", word),
		Hint: "give JSON alone, or a text of several words in quotes",
	}
}

// readArgument reads an argument that is JSON, and reports whether it is. JSON that
// holds anything but objects is an error: nobody means it as a name.
func readArgument(name, arg string) ([]jsonl.Object, bool, error) {
	if !startsJSON(arg) {
		return nil, false, nil
	}
	objects, err := parseObjects(name, arg)
	if err == nil || seemsJSON(arg) {
		return objects, true, err
	}
	if _, notJSON := jsonl.ParseValue(arg); notJSON != nil {
		return nil, false, nil
	}
	return nil, true, &cmdline.UsageError{
		Text: fmt.Sprintf("%s is JSON, but does not hold objects: %s", name, arg),
		Hint: `expected an object or an array of objects, such as [{"name": "…"}]`,
	}
}

// startsJSON reports whether text could be an object or an array.
func startsJSON(text string) bool {
	text = strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// seemsJSON reports whether text can hardly be anything but an object or an array
// of objects, so that its errors are worth reporting.
func seemsJSON(text string) bool {
	squeezed := strings.Join(strings.Fields(strings.TrimPrefix(text, "\ufeff")), "")
	return strings.HasPrefix(squeezed, `{"`) || strings.HasPrefix(squeezed, `[{"`)
}

// parseObjects reads one JSON object, an array of them, or one object on each line. Errors
// name the place: name:line:column.
func parseObjects(name, text string) ([]jsonl.Object, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	body := strings.TrimLeft(text, " \t\r\n")
	switch {
	case body == "":
		return nil, nil
	case body[0] == '[':
		return parseArray(name, text)
	}
	whole, err := parseOne(name, text, 0, text)
	if err == nil {
		return []jsonl.Object{whole}, nil
	}
	first, _, more := strings.Cut(body, "\n")
	if _, firstErr := jsonl.ParseObject(first); !more || firstErr != nil {
		return nil, err
	}
	return parseLines(name, text)
}

func parseArray(name, text string) ([]jsonl.Object, error) {
	array, err := jsonl.ParseValue(text)
	if err != nil {
		return nil, located(name, text, 0, err)
	}
	elements, _ := array.Elements()
	objects := make([]jsonl.Object, len(elements))
	from := 0
	for i, e := range elements {
		from += strings.Index(text[from:], string(e))
		if objects[i], err = parseOne(name, text, from, string(e)); err != nil {
			return nil, err
		}
		from += len(e)
	}
	return objects, nil
}

func parseLines(name, text string) ([]jsonl.Object, error) {
	var objects []jsonl.Object
	at := 0
	for line := range jsonl.Lines(text) {
		if strings.TrimSpace(line.Text) != "" {
			object, err := parseOne(name, text, at, line.Text)
			if err != nil {
				return nil, err
			}
			objects = append(objects, object)
		}
		at += len(line.Text) + len(line.Ending)
	}
	return objects, nil
}

// parseOne reads the object at an offset of a text. It is returned on
// one line, however it was laid out: a plan has one line for each record.
func parseOne(name, text string, at int, part string) (jsonl.Object, error) {
	if _, err := jsonl.ParseObject(part); err != nil {
		return jsonl.Object{}, located(name, text, at, err)
	}
	return jsonl.ParseObject(term.OneLine(part))
}

// located adds the place to a syntax error.
func located(name, text string, at int, err error) error {
	syntax, ok := errors.AsType[*jsonl.SyntaxError](err)
	if !ok {
		return fmt.Errorf("%s: %w", name, err)
	}
	before := text[:min(at+syntax.Offset, len(text))]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf("%s:%d:%d: invalid JSON: %w", name, line, column, err)
}
