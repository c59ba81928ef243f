package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
)

// runInEditor lets the user edit the record's fields as JSON. No lock is held
// meanwhile; only the fields that were edited are set.
func (o editOptions) runInEditor(ctx context.Context, env *Env) error {
	if !env.Asks {
		return &usageError{text: "what is to change? give a field, such as --priority high", command: "git ralph " + string(o.kind) + " edit"}
	}
	st, err := env.open(ctx)
	if err != nil {
		return err
	}
	snap, err := st.View(ctx)
	if err != nil {
		return err
	}
	p, err := snap.Valid()
	if err != nil {
		return err
	}
	id, err := p.Resolve(o.kind, o.id)
	if err != nil {
		return err
	}
	before := string(indent(editable(o.record(p, id)).Text()))
	file, after, err := env.editText(ctx, id, before)
	if err != nil {
		return err
	}
	fields, err := editedFields(file, before, after)
	if err == nil && len(fields) == 0 {
		os.Remove(file)
		return &nothingError{text: "nothing changed"}
	}
	if err == nil {
		err = o.mutation.update(ctx, env, st, store.Request{Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
			return o.edit(p, id, fields, nil)
		}})
	}
	if err != nil {
		return &hintedError{err, "your text is kept in " + file}
	}
	os.Remove(file)
	return nil
}

// editable returns the fields of a record that can be edited. Those that people
// fill in are among them even where the record lacks them.
func editable(r plan.Record) jsonl.Object {
	always := []string{"name", "notes", "accept", "deps", "priority", "labels", "role"}
	if r.Kind() == plan.KindIssue {
		always = []string{"desc", "priority", "labels"}
	}
	var all members
	for _, name := range always {
		v, found := r.Object().Get(name)
		switch {
		case found:
		case name == "deps" || name == "labels":
			v = "[]"
		default:
			v = `""`
		}
		all = append(all, jsonl.Member{Name: name, Value: v})
	}
	for _, m := range r.Object().Members() {
		if plan.Editable(m.Name) && !slices.Contains(always, m.Name) {
			all = append(all, m)
		}
	}
	return jsonl.Build(all)
}

// editedFields returns what differs between two texts that hold a record's
// fields. A field that was removed or emptied is cleared. A blank text changes
// nothing.
func editedFields(name, before, after string) (members, error) {
	objects, err := parseObjects(name, after)
	if err != nil || len(objects) == 0 {
		return nil, err
	}
	if len(objects) > 1 {
		return nil, fmt.Errorf("%s: expected one JSON object, found %d", name, len(objects))
	}
	was, err := parseObjects(name, before)
	if err != nil {
		return nil, err
	}
	var fields members
	for _, m := range objects[0].Members() {
		if old, _ := was[0].Get(m.Name); old == m.Value {
			continue
		}
		if m.Value == `""` || m.Value == "[]" || m.Value == "null" {
			m.Value = ""
		}
		fields = append(fields, m)
	}
	for _, m := range was[0].Members() {
		if _, kept := objects[0].Get(m.Name); !kept && m.Value != `""` && m.Value != "[]" {
			fields = append(fields, jsonl.Member{Name: m.Name})
		}
	}
	return fields, nil
}

var errNoEditor = errors.New("no editor is configured")

// editText lets the user edit a text in git's editor, and returns the file that
// holds it and what it holds then.
func (e *Env) editText(ctx context.Context, id, text string) (name, edited string, err error) {
	editor := git.Editor(ctx, e.Dir, e.Environ)
	if editor == "" {
		return "", "", &hintedError{errNoEditor, "`git config core.editor COMMAND` sets one"}
	}
	f, err := os.CreateTemp("", "git-ralph-"+id+"-*.json")
	if err != nil {
		return "", "", err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", "", err
	}
	if e.Undisturbed != nil {
		defer e.Undisturbed()()
	}
	_, err = proc.Run(ctx, proc.Cmd{
		Name: "sh", Args: []string{"-c", editor + ` "$@"`, editor, f.Name()}, Dir: e.Dir, Env: e.Environ,
		Input: e.In, Stdout: e.tty, Stderr: e.Err,
	})
	if err != nil {
		os.Remove(f.Name())
		return "", "", fmt.Errorf("the editor %s failed, and nothing was changed: %w", editor, err)
	}
	data, err := os.ReadFile(f.Name())
	return f.Name(), string(data), err
}
