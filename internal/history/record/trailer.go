package record

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A trailer is one event as a message reports it.
type trailer struct {
	name   plan.EventName
	id     string
	of     key // the record; without a kind for an event that only plans show
	detail jsonl.Object
	branch string
}

// trailers are those of a message, record by record. Those of one record are in the order in which they happened, where all say when: squashes
// list messages both ways.
type trailers []trailer

// parseTrailers reads the trailers of a message. They are found wherever a line begins
// with one, behind the marks with which git and forges indent the messages that
// a squash puts together.
func parseTrailers(message string) trailers {
	var all trailers
	unnamed := 0 // the first event that no branch stands below
	for line := range strings.Lines(message) {
		line = strings.TrimRight(git.CutMarks(line), " \t\r\n")
		if rest, found := strings.CutPrefix(line, plan.EventTrailer); found {
			if t, ok := parseEvent(rest); ok {
				all = append(all, t)
			}
		} else if branch, found := strings.CutPrefix(line, plan.BranchTrailer); found {
			for i := unnamed; i < len(all); i++ {
				all[i].branch = strings.TrimSpace(branch)
			}
			unnamed = len(all)
		}
	}
	slices.SortStableFunc(all, func(a, b trailer) int { return a.of.compare(b.of) })
	for rest := all; len(rest) > 0; {
		of := rest.about(rest[0].of)
		if len(of) > 1 && !slices.ContainsFunc(of, func(t trailer) bool { return t.at() == "" }) {
			slices.SortStableFunc(of, func(a, b trailer) int { return strings.Compare(a.at(), b.at()) })
		}
		rest = rest[len(of):]
	}
	return all
}

// parseEvent reads "<event> <id> <JSON>". A damaged detail is an empty one.
func parseEvent(text string) (trailer, bool) {
	name, rest, _ := strings.Cut(text, " ")
	id, detail, _ := strings.Cut(rest, " ")
	if name == "" || id == "" {
		return trailer{}, false
	}
	object, err := jsonl.ParseObject(detail)
	if err != nil {
		object, _ = jsonl.ParseObject("{}")
	}
	t := trailer{name: plan.EventName(name), id: id, detail: object}
	t.of = key{t.kind(), t.recordID()}
	return t, t.name == plan.EventUpdated || slices.Contains(lifeOrder[:], t.event()) && t.names()
}

// names reports whether the trailer names a record that a plan could have.
func (t trailer) names() bool {
	if t.of.kind == plan.KindSpec {
		return t.of.id != ""
	}
	return plan.ValidID(t.of.kind, t.id)
}

// text returns a member of the detail that is a string.
func (t trailer) text(name string) string {
	v, _ := t.detail.Get(name)
	text, _ := v.Str()
	return text
}

// at returns when it happened, in the form that sorts as times do; "" where the
// trailer does not say it.
func (t trailer) at() string {
	at, err := time.Parse(time.RFC3339, t.text("at"))
	if err != nil {
		return ""
	}
	return plan.FormatTime(at)
}

// kind returns what kind of record the event is of, "" for one that only plans show.
func (t trailer) kind() plan.Kind {
	switch t.name {
	case plan.EventIssueAdded, plan.EventIssueDone:
		return plan.KindIssue
	case plan.EventItemAdded, plan.EventItemMoved, plan.EventItemRemoved:
		return plan.KindItem
	case plan.EventSpec:
		return plan.KindSpec
	case plan.EventUpdated:
		return ""
	case plan.EventEdited:
		for _, kind := range [...]plan.Kind{plan.KindIssue, plan.KindItem} {
			if plan.ValidID(kind, t.id) {
				return kind
			}
		}
	}
	return plan.KindTask
}

// event returns the name under which the event is reported.
func (t trailer) event() plan.EventName {
	switch t.name {
	case plan.EventDecomposed:
		return plan.EventCancelled
	case plan.EventSuperseded:
		return plan.EventRejected
	}
	return t.name
}

// recordID returns the id of the event's record. That of the spec is the spec.
func (t trailer) recordID() string {
	if t.name == plan.EventSpec {
		return t.text("spec")
	}
	return t.id
}

// ending returns how a task ended according to the message: accepted or
// cancelled, "" where it says neither.
func (s trailers) ending(id string) plan.EventName {
	for _, t := range slices.Backward(s.about(key{plan.KindTask, id})) {
		if name := t.event(); name == plan.EventAccepted || name == plan.EventCancelled {
			return name
		}
	}
	return ""
}

// superseded reports whether the message says that another task took the place of one.
func (s trailers) superseded(id string) bool {
	return slices.ContainsFunc(s.about(key{plan.KindTask, id}), func(t trailer) bool { return t.name == plan.EventSuperseded })
}

// branch returns the one branch that the message names, "" where it names none or
// several.
func (s trailers) branch() string {
	only := ""
	for _, t := range s {
		if only != "" && t.branch != "" && t.branch != only {
			return ""
		}
		only = cmp.Or(only, t.branch)
	}
	return only
}

// about returns what a message says of one record.
func (s trailers) about(record key) trailers {
	from, to := spanOf(s, record, func(t trailer) key { return t.of })
	return s[from:to]
}

// spanOf returns where those that belong to one record begin and end among values that are sorted by record.
func spanOf[T any](sorted []T, record key, of func(T) key) (from, to int) {
	compare := func(v T, k key) int { return of(v).compare(k) }
	from, _ = slices.BinarySearchFunc(sorted, record, compare)
	for to = from; to < len(sorted) && of(sorted[to]) == record; {
		to++
	}
	return from, to
}
