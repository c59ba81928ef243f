package plancmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
)

// runInEditor lets the user edit the record's fields as JSON. No lock is held
// meanwhile: only the fields that were edited are set, and what somebody else changed in them
// meanwhile is merged.
func (o editOptions) runInEditor(ctx context.Context, env *term.Env) error {
	if !env.Interactive {
		return &cmdline.UsageError{Text: "missing field: want what to change, such as --priority high", Command: "git ralph " + string(o.kind) + " edit"}
	}
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	p, err := st.ValidPlan(ctx)
	if err != nil {
		return err
	}
	id, err := p.ResolveID(o.kind, o.id)
	if err != nil {
		return err
	}
	opened := o.record(p, id)
	before := string(term.Indent(editable(opened).Text()))
	file, after, err := editText(ctx, env, id, before)
	if err != nil {
		return err
	}
	fields, err := editedFields(file, before, after)
	if err == nil && len(fields) == 0 {
		os.Remove(file)
		return &cmdline.NothingError{Text: "nothing changed"}
	}
	if err == nil {
		err = o.updateFrom(ctx, env, st, opened, fields)
	}
	if err != nil {
		return &cmdline.HintedError{Err: err, Hint: "your text is kept in " + file}
	}
	os.Remove(file)
	return nil
}

// updateFrom sets fields of a record that an editor showed as it was when it was
// opened.
func (o editOptions) updateFrom(ctx context.Context, env *term.Env, st *store.Store, opened plan.Record, fields members) error {
	var merged []string
	o.Mutation.Finish = func(*store.Result) {
		if len(merged) > 0 {
			env.Warn(fmt.Sprintf("%s was changed meanwhile; the edits of %s are merged", opened.ID(), strings.Join(merged, ", ")))
		}
	}
	return o.Mutation.Update(ctx, env, st, store.Request{Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		now := o.record(p, opened.ID())
		if !now.SameTask(opened) {
			return plan.Change{}, fmt.Errorf("%s left the plan meanwhile", opened.ID())
		}
		toSet, both, err := mergeEdits(opened, now, fields)
		if err != nil {
			return plan.Change{}, err
		}
		merged = both
		return o.edit(p, opened.ID(), toSet, nil)
	}})
}

// editable returns the fields of a record that can be edited. Those that people
// fill in are among them even where the record lacks them.
func editable(r plan.Record) jsonl.Object {
	always := []string{"name", "notes", "accept", "deps", "priority", "labels", "role", "check"}
	switch r.Kind() {
	case plan.KindIssue:
		always = []string{"desc", "priority", "labels"}
	case plan.KindItem:
		always = []string{"name", "desc", "estimate", "parent", "blocked_by", "files", "labels"}
	}
	var all members
	for _, name := range always {
		v, found := r.Object().Get(name)
		switch {
		case found:
		case slices.Contains([]string{"deps", "labels", "blocked_by", "files"}, name):
			v = "[]"
		default:
			v = `""`
		}
		all = append(all, jsonl.Member{Name: name, Value: v})
	}
	for _, m := range r.Object().Members() {
		if plan.Editable(r.Kind(), m.Name) && !slices.Contains(always, m.Name) {
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
func editText(ctx context.Context, e *term.Env, id, text string) (name, edited string, err error) {
	editor := git.Editor(ctx, e.Dir, e.Environ)
	if editor == "" {
		return "", "", &cmdline.HintedError{Err: errNoEditor, Hint: "`git config core.editor COMMAND` sets one"}
	}
	f, err := os.CreateTemp("", "git-ralph-"+id+"-*.json")
	if err != nil {
		return "", "", err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", "", err
	}
	if e.IgnoreInterrupts != nil {
		defer e.IgnoreInterrupts()()
	}
	_, err = proc.Run(ctx, proc.Cmd{
		Name: "sh", Args: []string{"-c", editor + ` "$@"`, editor, f.Name()}, Dir: e.Dir, Env: e.Environ,
		Input: e.In, Stdout: e.Tty, Stderr: e.Err,
	})
	if err != nil {
		os.Remove(f.Name())
		return "", "", fmt.Errorf("the editor %s failed, and nothing was changed: %w", editor, err)
	}
	data, err := os.ReadFile(f.Name())
	return f.Name(), string(data), err
}
