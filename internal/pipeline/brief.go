package pipeline

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/plan"
)

// A Brief is what whoever does tasks of items has to know: the items, and what was written for them.
type Brief struct {
	Task
	Items     []plan.Record // that the tasks are for, but for epics
	Documents []Document    // in the order of the steps
	Plan      plan.Record   // of a review: the task of the plan that it is about
	primary   *Item
}

// A Document is a file that a step of the pipeline has written.
type Document struct {
	Step  Step
	Path  string
	Items []Ref
}

// BriefOf returns what is to be known for tasks of a plan, of which the first one is to be done. Tasks of no item add nothing.
func BriefOf(p *plan.Plan, tasks ...plan.Record) Brief {
	b := newBuilder(p, nil)
	var brief Brief
	var of set
	for i, r := range tasks {
		t, found := b.items.taskOf(r)
		if !found {
			continue
		}
		if i == 0 {
			brief.Task, brief.primary = t, b.items.byID[t.Item]
		}
		for _, id := range t.items() {
			for _, leaf := range b.items.leaves(b.items.byID[id]) {
				of.add(leaf)
			}
		}
		if t.Step == StepSplit {
			of.add(b.items.byID[t.Item])
		}
	}
	for _, it := range dependencyOrder(of.items) {
		item, _ := p.Item(it.ID)
		brief.Items = append(brief.Items, item)
		brief.add(item, it.Ref())
	}
	slices.SortStableFunc(brief.Documents, func(a, b Document) int { return a.Step.place() - b.Step.place() })
	if brief.Step == StepReview {
		if of := b.planOf(&brief.Task); of != nil {
			brief.Plan = of.Record
		}
	}
	return brief
}

// add adds the documents of an item. Items with one plan have it in common.
func (b *Brief) add(item plan.Record, ref Ref) {
	for _, step := range Steps() {
		name := artifactOf(item, step)
		at := slices.IndexFunc(b.Documents, func(d Document) bool { return d.Step == step && d.Path == name })
		switch {
		case name == "":
		case at < 0:
			b.Documents = append(b.Documents, Document{step, name, []Ref{ref}})
		default:
			b.Documents[at].Items = append(b.Documents[at].Items, ref)
		}
	}
}

// artifactOf returns the path of the document that a step has written for an item, "" for none.
func artifactOf(item plan.Record, step Step) string {
	v, _ := item.Get("artifacts")
	return textIn(v.Object(), string(step))
}

// DocumentPath returns where the document of the task is to be written below a directory: where it is already, as that of a plan that was rejected,
// else DIRECTORY/shared/research|plans|reviews/YYYY-MM-DD-GH-NNNN-title.md, with "group-" or "stream-" before the number of its first item. It is "" for
// steps that write none.
func (b Brief) DocumentPath(directory string, today time.Time) string {
	kinds := map[Step]string{StepResearch: "research", StepPlan: "plans", StepReview: "reviews"}
	if kinds[b.Step] == "" {
		return ""
	}
	for _, d := range b.Documents {
		if d.Step == b.Step && slices.Contains(d.Items, b.primary.Ref()) && IsPlainPath(d.Path) {
			return d.Path
		}
	}
	name := b.primary.ID
	if n := b.primary.Number; n > 0 {
		name = fmt.Sprintf("GH-%04d", n)
	}
	switch {
	case b.Step.ofOneItem():
	case b.Stream != "":
		name = "stream-" + name
	case len(b.Members) > 1:
		name = "group-" + name
	}
	if slug := slugOf(b.primary.Title); slug != "" {
		name += "-" + slug
	}
	return path.Join(directory, "shared", kinds[b.Step], today.Format(time.DateOnly)+"-"+name+".md")
}

// IsPlainPath reports whether a path names a file or directory in the worktree by plain characters, and none that is hidden.
func IsPlainPath(name string) bool {
	return filepath.IsLocal(name) && path.Clean(name) == name && name != "." && !strings.HasPrefix(name, ".") && !strings.Contains(name, "/.") &&
		!strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || strings.ContainsRune("`\"'\\<>|*?:\x7f", c) })
}

// maxSlug is how long the part of a file's name may be that comes from a title.
const maxSlug = 40

// slugOf returns the words of a title as a part of a file's name.
func slugOf(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	slug := ""
	for _, word := range words {
		if len(slug)+1+len(word) > maxSlug {
			break
		}
		slug += "-" + word
	}
	return strings.TrimPrefix(slug, "-")
}
