package workplantask

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
	"git-ralph/internal/workplan"
)

// A Parser parses several workplans.
type Parser interface {
	ParseAll(ctx context.Context, sources []workplan.Source) ([]workplan.Parsed, error)
}

// A Link is the store's connection with workplans.
type Link struct{ Parser Parser }

// A document is a workplan of the worktree.
type document struct {
	text []byte
	workplan.Parsed
}

// Follow changes a plan by what the workplans of its tasks say. A workplan that is missing or not valid changes nothing.
func (l Link) Follow(ctx context.Context, root string, p *plan.Plan, in store.Inputs) (plan.Change, error) {
	var all plan.Change
	docs, err := l.read(ctx, root, p.Of(plan.KindTask))
	if err != nil {
		return all, ctx.Err() // without a parser the plan stays as it is
	}
	for _, r := range p.Of(plan.KindTask) {
		o, ok := OriginOf(r)
		doc := docs[o.Path]
		if !ok || doc.File == nil {
			continue
		}
		if block, found := doc.File.Task(o.ID); found {
			step, err := followBlock(p, r, block, o, in)
			if err != nil {
				return plan.Change{}, err
			}
			all.Join(step)
		}
	}
	return all, nil
}

// followBlock changes a task by what its block says: name, priority, and whether it is done. A block that was set back rejects the
// attempt, since a merge would otherwise make the task done again.
func followBlock(p *plan.Plan, r plan.Record, block workplan.Task, o Origin, in store.Inputs) (plan.Change, error) {
	var all plan.Change
	join := func(c plan.Change, err error) error {
		if errors.Is(err, plan.ErrNothing) || errors.Is(err, plan.ErrNoHead) {
			return nil
		}
		all.Join(c)
		return err
	}
	if changes := fieldsOf(r, block); len(changes) > 0 {
		if err := join(p.Edit(r.ID(), changes, nil)); err != nil {
			return all, err
		}
	}
	switch done := block.Status == workplan.Done; {
	case done && r.Pending():
		return all, join(p.Done([]string{r.ID()}, plan.DoneOptions{Head: in.Head, Force: true}, in.Stamp))
	case !done && r.Done():
		return all, join(p.Reject(r.ID(), "set back to "+string(block.Status)+" in "+o.Path))
	}
	return all, nil
}

// Edits returns the workplans of tasks that changed: their blocks are done where the task is, and are set back to todo where it is pending.
func (l Link) Edits(ctx context.Context, root string, changed []plan.Record) ([]store.FileEdit, error) {
	docs, err := l.read(ctx, root, changed)
	if err != nil {
		return nil, err
	}
	var edits []store.FileEdit
	for path, doc := range docs {
		changes, concerns := doc.changes(path, changed)
		if !concerns {
			continue
		}
		if doc.File == nil {
			return nil, &workplan.InvalidError{File: path, Problems: doc.Problems}
		}
		after, err := doc.File.Apply(doc.text, changes...)
		if err != nil {
			return nil, err
		}
		edits = append(edits, store.FileEdit{Path: path, Before: doc.text, After: after})
	}
	return edits, nil
}

// changes returns what changes in a document, and reports whether one of the tasks came from it.
func (d document) changes(path string, changed []plan.Record) (changes []workplan.Change, concerns bool) {
	to := map[string]workplan.Status{} // a task may be in the list twice; its last state counts
	for _, r := range changed {
		o, ok := OriginOf(r)
		if !ok || o.Path != path {
			continue
		}
		concerns = true
		if d.File == nil {
			continue
		}
		block, found := d.File.Task(o.ID)
		switch {
		case !found:
		case r.Done():
			to[o.ID] = workplan.Done
		case r.Pending() && block.Status == workplan.Done:
			to[o.ID] = workplan.Todo
		case r.Pending():
			delete(to, o.ID)
		}
	}
	if d.File == nil {
		return nil, concerns
	}
	for _, t := range d.File.Tasks {
		if status, ok := to[t.ID]; ok && status != t.Status {
			changes = append(changes, workplan.Change{Task: t.ID, To: status})
		}
	}
	return changes, concerns
}

// read reads and parses the workplans of tasks, in one process. Those that do not exist are left out.
func (l Link) read(ctx context.Context, root string, tasks []plan.Record) (map[string]document, error) {
	docs := map[string]document{}
	var sources []workplan.Source
	for _, r := range tasks {
		o, ok := OriginOf(r)
		if _, known := docs[o.Path]; !ok || known {
			continue
		}
		if safefile.Check(root, o.Path) != nil { // through a symbolic link: a plan may come from a stranger
			continue
		}
		file := filepath.Join(root, filepath.FromSlash(o.Path))
		if info, err := os.Stat(file); err == nil && info.Size() > workplan.MaxSize { // the plan may name any file
			docs[o.Path] = document{Parsed: workplan.Parsed{Problems: []workplan.Problem{{Line: 1, Column: 1, Text: "the file is too large: want at most 64 MiB"}}}}
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		docs[o.Path] = document{text: text}
		sources = append(sources, workplan.Source{Name: o.Path, Text: text})
	}
	if len(sources) == 0 {
		return docs, nil
	}
	parsed, err := l.Parser.ParseAll(ctx, sources)
	for i, p := range parsed {
		docs[sources[i].Name] = document{sources[i].Text, p}
	}
	return docs, err
}
