package undo

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/sha256"
)

// A Commit is a commit that changed the plan.
type Commit struct {
	ID     string // in hex; "" for changes that are not committed yet
	Author string // address
	Time   int64  // author's date, in seconds since 1970
	Text   string // the message
}

// A change is what was undone or redone: the commit that made it and, should that be made again by a rebase or the like, what its
// message and its author still say then.
type change struct{ commit, print string }

// A mark is a line of a message that says that a change was undone or redone.
type mark struct {
	change
	redo bool
	at   string // when, as the events say that belong to it
	with string // what else its commit holds; "" for nothing
}

// A message is what the message of a commit says.
type message struct {
	marks    []mark   // the oldest first
	events   []string // the lines of the events that belong to no mark
	hasEdits bool     // an undo or redo in it includes edits that were made by hand, of the plan or of workplans
}

// parse reads a message. Its lines are found wherever a squash has put them.
func parse(text string) message {
	var m message
	var all []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(git.CutMarks(line), " \t\r\n")
		if strings.HasPrefix(line, plan.EventTrailer) {
			all = append(all, line)
		} else if rest, found := strings.CutPrefix(line, plan.UndoTrailer); found {
			m.marks = append(m.marks, markOf(rest, false))
		} else if rest, found := strings.CutPrefix(line, plan.RedoTrailer); found {
			m.marks = append(m.marks, markOf(rest, true))
		}
	}
	slices.SortStableFunc(m.marks, func(a, b mark) int { return strings.Compare(a.at, b.at) })
	m.hasEdits = slices.ContainsFunc(m.marks, func(k mark) bool { return k.with != "" })
	for _, line := range all {
		at := detailOf(line, "at")
		isMarked := at != "" && slices.ContainsFunc(m.marks, func(k mark) bool { return k.at == at })
		if !isMarked {
			m.events = append(m.events, line)
		}
		isByHand := strings.HasPrefix(line, plan.EventTrailer+string(plan.EventUpdated)) && detailOf(line, whatMember) == ""
		m.hasEdits = m.hasEdits || isMarked && isByHand
	}
	return m
}

// isPure reports whether the commit does nothing but undo and redo.
func (m message) isPure() bool { return len(m.marks) > 0 && len(m.events) == 0 }

// isSingle reports whether the commit does nothing but undo or redo one change, so that taking the commit back is the contrary.
func (m message) isSingle() bool { return m.isPure() && len(m.marks) == 1 && !m.hasEdits }

// IsPure reports whether a message says that its commit does nothing but undo and redo.
func IsPure(text string) bool { return parse(text).isPure() }

func markOf(text string, redo bool) mark {
	commit, _, _ := strings.Cut(text, " ")
	return mark{change{commit, detailOf(text, "change")}, redo, detailOf(text, "at"), detailOf(text, "with")}
}

// detailOf returns a text of the JSON object at the end of a line, "" where it has none.
func detailOf(line, name string) string {
	at := strings.IndexByte(line, '{')
	if at < 0 {
		return ""
	}
	o, err := jsonl.ParseObject(line[at:])
	if err != nil {
		return ""
	}
	v, _ := o.Get(name)
	text, _ := v.Str()
	return text
}

// trailer returns the line that marks a change as undone or redone, in a commit that also has the plan follow its workplans or does not.
func (c change) trailer(redo bool, at time.Time, follows bool) string {
	begin := plan.UndoTrailer
	if redo {
		begin = plan.RedoTrailer
	}
	detail := []jsonl.Member{jsonl.TextMember("at", plan.FormatTime(at)), jsonl.TextMember("change", c.print)}
	if follows {
		detail = append(detail, jsonl.TextMember("with", "workplans"))
	}
	return begin + c.commit + " " + jsonl.Build(detail).Text()
}

// printLength is how many hexadecimal digits a print has.
const printLength = 16

// changeOf returns the change that a commit made. Its print follows from the events in the message, which have the time to the
// millisecond; of a commit without events, from its author, date and subject.
func (c Commit) changeOf(m message) change {
	lines := slices.Sorted(slices.Values(m.events))
	if len(lines) == 0 {
		lines = []string{fmt.Sprintf("%s %d %s", c.Author, c.Time, c.Subject())}
	}
	return change{c.ID, sha256.Hex(strings.Join(lines, "\n"))[:printLength]}
}

// IsCopyOf reports whether a commit is another one, made again by a rebase or the like.
func (c Commit) IsCopyOf(other Commit) bool {
	return c.changeOf(parse(c.Text)).print == other.changeOf(parse(other.Text)).print
}

// Times returns when events of one name happened, by the ids of their records, as the message says.
func (c Commit) Times(name plan.EventName) map[string]string {
	times := map[string]string{}
	for line := range strings.Lines(c.Text) {
		if rest, found := strings.CutPrefix(git.CutMarks(line), plan.EventTrailer+string(name)+" "); found {
			id, _, _ := strings.Cut(rest, " ")
			times[id] = detailOf(rest, "at")
		}
	}
	return times
}

// Subject returns the first line of the message.
func (c Commit) Subject() string {
	subject, _, _ := strings.Cut(strings.TrimLeft(c.Text, "\n"), "\n")
	return strings.TrimSpace(subject)
}

// Title returns what a commit did, as its subject says it, without the words that our own subjects begin with.
func (c Commit) Title() string {
	title := c.Subject()
	if rest, found := strings.CutPrefix(title, "ralph: "); found {
		title = rest
		if parse(c.Text).isPure() {
			title = strings.TrimPrefix(strings.TrimPrefix(title, "undo "), "redo ")
		}
	}
	return title
}
