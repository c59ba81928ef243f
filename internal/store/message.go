package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// subjectWidth is the maximum width of a commit's subject, in columns.
const subjectWidth = 72

// subjectPrefix begins the subject of a plan commit.
const subjectPrefix = "ralph: "

// noID takes the place of the id in the trailer of an event that has none.
const noID = "-"

// A message is that of a plan commit: a subject for people, and a trailer for
// each event, with what squashing commits would lose.
type message struct {
	subject string   // without "ralph: "; made from the events where empty
	earlier []string // trailers of earlier events that are not committed yet
	events  []plan.Event
	others  []string // further trailers, which are kept until the change is committed
	at      time.Time
	by      string // the author's address, "" where git guesses it
	branch  string // its short name, "" on a detached HEAD
}

// String returns the commit message:
//
//	ralph: add t-1a2b Write the parser
//
//	Ralph-Event: added t-1a2b {"at": "…", "by": "…", "name": "…", "spec": "…"}
//	Ralph-Branch: main
func (m message) String() string {
	var b strings.Builder
	b.WriteString(m.title())
	b.WriteString("\n\n")
	for _, trailer := range append(m.earlier, m.trailers()...) {
		b.WriteString(trailer + "\n")
	}
	if m.branch != "" {
		b.WriteString(m.branchTrailer() + "\n")
	}
	return b.String()
}

// trailers returns a line for each event, then the others.
func (m message) trailers() []string {
	lines := make([]string, len(m.events))
	for i, e := range m.events {
		lines[i] = fmt.Sprintf(plan.EventTrailer+"%s %s %s", e.Name, eventID(e), m.detail(e))
	}
	return append(lines, m.others...)
}

// Trailers returns the trailers of a commit message for events: one for each, and one for the branch where HEAD is on one.
func (s *Store) Trailers(ctx context.Context, events []plan.Event, at time.Time) []string {
	branch, err := s.repo.Branch(ctx)
	if err != nil {
		branch = ""
	}
	m := message{events: events, at: at, by: commit.AuthorAddress(ctx, s.repo), branch: branch}
	lines := m.trailers()
	if m.branch != "" {
		lines = append(lines, m.branchTrailer())
	}
	return lines
}

// Message returns the message of a plan commit with events on a branch, whose short name is given.
func (s *Store) Message(ctx context.Context, branch string, events []plan.Event, at time.Time) string {
	return message{events: events, at: at, by: commit.AuthorAddress(ctx, s.repo), branch: branch}.String()
}

// Stamp returns what a mutation may know beside the plan, for one that is not made in the worktree.
func (s *Store) Stamp() plan.Stamp { return s.inputs("").Stamp }

func (m message) branchTrailer() string { return plan.BranchTrailer + Plain(m.branch) }

func (m message) title() string { return Subject(subjectPrefix + strings.TrimSpace(Plain(m.what()))) }

// Subject returns a text as the subject of a commit: one line, which is cut where it is too wide.
func Subject(text string) string {
	return displaywidth.TruncateString(strings.TrimSpace(Plain(text)), subjectWidth, "…")
}

// what returns the subject: what the commit does. One without events of its own
// has earlier ones.
func (m message) what() string {
	switch {
	case m.subject != "":
		return m.subject
	case len(m.events) > 0:
		return summary(m.events)
	}
	earlier := slices.DeleteFunc(slices.Clone(m.earlier), func(line string) bool { return !strings.HasPrefix(line, plan.EventTrailer) })
	if len(earlier) == 1 {
		event, _, _ := strings.Cut(strings.TrimPrefix(earlier[0], plan.EventTrailer), " {")
		return event
	}
	return fmt.Sprintf("%d deferred changes", len(earlier))
}

// eventID returns the id of the event's record for the trailer. A spec may have
// spaces in its name, so it is in the detail instead.
func eventID(e plan.Event) string {
	if e.ID == "" || e.Name == plan.EventSpec {
		return noID
	}
	return Plain(e.ID)
}

// detail returns the event's JSON object, on one line.
func (m message) detail(e plan.Event) string {
	members := []jsonl.Member{{Name: "at", Value: jsonl.Quote(plan.FormatTime(m.at))}}
	if m.by != "" {
		members = append(members, jsonl.Member{Name: "by", Value: jsonl.Quote(Plain(m.by))})
	}
	if e.Name == plan.EventSpec {
		members = append(members, jsonl.Member{Name: "spec", Value: jsonl.Quote(Plain(e.ID))})
	}
	for _, d := range e.Detail {
		if text, ok := d.Value.Str(); ok {
			d.Value = jsonl.Quote(Plain(text))
		}
		members = append(members, d)
	}
	return jsonl.Build(members).Text()
}

// Plain replaces line breaks and control characters by spaces, so that no name
// can forge a trailer or move a terminal's cursor.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, text)
}

// summary describes the events of the first kind: the record, or the number of
// records.
func summary(events []plan.Event) string {
	lead := events[0]
	var ids []string
	for _, e := range events {
		if e.Name == lead.Name {
			ids = append(ids, e.ID)
		}
	}
	verb, noun := verbOf(lead.Name)
	switch {
	case len(ids) > 1:
		return fmt.Sprintf("%s %d %ss: %s", verb, len(ids), noun, strings.Join(ids, ", "))
	case noun == "issue", noun == "item":
		verb += " " + noun
	}
	return strings.TrimSpace(verb + " " + lead.ID + " " + lead.Title)
}

// verbOf returns the verb of an event in a subject, and the noun for its
// record.
func verbOf(name plan.EventName) (verb, noun string) {
	switch name {
	case plan.EventAdded:
		return "add", "task"
	case plan.EventEdited:
		return "edit", "task"
	case plan.EventDone:
		return "done", "task"
	case plan.EventReopened:
		return "reopen", "task"
	case plan.EventAccepted:
		return "accept", "task"
	case plan.EventRejected:
		return "reject", "task"
	case plan.EventCancelled:
		return "cancel", "task"
	case plan.EventKilled:
		return "kill", "task"
	case plan.EventDecomposed:
		return "decompose", "task"
	case plan.EventSuperseded:
		return "supersede", "task"
	case plan.EventIssueAdded:
		return "add", "issue"
	case plan.EventIssueDone:
		return "close", "issue"
	case plan.EventItemAdded:
		return "add", "item"
	case plan.EventItemMoved:
		return "move", "item"
	case plan.EventItemRemoved:
		return "remove", "item"
	case plan.EventSpec:
		return "set spec", "spec"
	}
	return "update plan", "record"
}

// joinMessages puts the trailers of a plan commit below the user's message:
// into the block of trailers if it ends in one, since git reads only the last
// block.
func joinMessages(own, message string) string {
	_, trailers, _ := strings.Cut(message, "\n\n")
	own = strings.TrimRight(own, "\n")
	between := "\n\n"
	if git.EndsInTrailers(strings.Split(own, "\n"), nil) {
		between = "\n"
	}
	return own + between + trailers
}

// message returns the message of the commit. The user's own edits of the file,
// if it includes them, are an event too.
func (t *transaction) message(ctx context.Context, events []plan.Event) message {
	if t.ownEdits {
		events = append(events, plan.Event{Name: plan.EventUpdated})
	}
	m := message{
		subject: cmp.Or(t.along.Subject, t.request.Subject), earlier: t.pending.trailers(), events: events, at: t.now,
		by: commit.AuthorAddress(ctx, t.repo), branch: t.tx.Branch(),
	}
	for _, line := range t.along.Trailers {
		m.others = append(m.others, Plain(line))
	}
	return m
}
