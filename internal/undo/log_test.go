package undo

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A branch is a history that tests write: commits, the oldest first.
type branch struct {
	commits []Commit
	now     time.Time
	ids     int
}

func (b *branch) commit(author, text string) string {
	b.ids++
	id := fmt.Sprintf("%040x", b.ids)
	b.commits = append(b.commits, Commit{ID: id, Author: author, Time: b.now.Unix(), Text: text})
	return id
}

// tick returns the time of the next change.
func (b *branch) tick() time.Time {
	b.now = b.now.Add(time.Millisecond)
	return b.now
}

func event(name string, at time.Time) string {
	return fmt.Sprintf("Ralph-Event: %s t-1 {\"at\": \"%s\", \"by\": \"x\"}\n", name, at.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// change commits a change, by a command or by hand.
func (b *branch) change(author, subject string, byHand bool) {
	at := b.tick()
	if byHand {
		b.commit(author, subject)
		return
	}
	b.commit(author, "ralph: "+subject+"\n\n"+event("edited", at)+"Ralph-Branch: main\n")
}

// take commits what a step does.
func (b *branch) take(author string, s Step) {
	at, verb := b.tick(), "undo "
	if s.Redo {
		verb = "redo "
	}
	b.commit(author, "ralph: "+verb+s.Commit.Title()+"\n\n"+event("edited", at)+s.Trailer(at, false)+"\nRalph-Branch: main\n")
}

// rebase makes the last n commits again.
func (b *branch) rebase(n int) {
	for i := len(b.commits) - n; i < len(b.commits); i++ {
		b.ids++
		b.commits[i].ID = fmt.Sprintf("%040x", b.ids)
	}
}

func (b *branch) log(author string) Log {
	return Log{
		Author: author,
		Has: func(id string) bool {
			return slices.ContainsFunc(b.commits, func(c Commit) bool { return c.ID == id })
		},
		Newest: func(yield func(Commit, error) bool) {
			for _, c := range slices.Backward(b.commits) {
				if !yield(c, nil) {
					return
				}
			}
		},
	}
}

func first(steps iter.Seq2[Step, error]) (Step, bool) {
	for s, err := range steps {
		return s, err == nil
	}
	return Step{}, false
}

func (b *branch) next(author string, redo bool) (Step, bool) {
	if !redo {
		return first(b.log(author).Undoable())
	}
	s, ok, err := b.log(author).Redoable()
	return s, ok && err == nil
}

// An editor is what undo and redo are for a person: two stacks.
type editor struct{ done, undone []string }

// TestLogIsLikeAnEditor guards: undo and redo go back and forth as in an editor, for each person by himself, whatever others do in
// between and however often a rebase makes the commits again.
func TestLogIsLikeAnEditor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := branch{now: time.Unix(1e9, 0)}
		people := map[string]*editor{"ann@x": {}, "bob@x": {}}
		changes := 0
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			who := rapid.SampledFrom([]string{"ann@x", "bob@x"}).Draw(t, "who")
			e := people[who]
			switch rapid.SampledFrom([]string{"change", "undo", "redo", "undo", "named", "rebase"}).Draw(t, "what") {
			case "change":
				changes++
				title := fmt.Sprint("change ", changes)
				b.change(who, title, rapid.Bool().Draw(t, "by hand"))
				e.done, e.undone = append(e.done, title), nil
			case "undo":
				s, ok := b.next(who, false)
				if got, want := s.Commit.Title(), last(e.done); got != want {
					t.Fatalf("%s undoes %q, want %q in\n%v", who, got, want, b.commits)
				}
				if ok {
					b.take(who, s)
					e.done, e.undone = e.done[:len(e.done)-1], append(e.undone, s.Commit.Title())
				}
			case "redo":
				s, ok := b.next(who, true)
				if got, want := s.Commit.Title(), last(e.undone); got != want {
					t.Fatalf("%s redoes %q, want %q in\n%v", who, got, want, b.commits)
				}
				if ok {
					b.take(who, s)
					e.undone, e.done = e.undone[:len(e.undone)-1], append(e.done, s.Commit.Title())
				}
			case "named":
				if len(e.done) == 0 {
					continue
				}
				at := rapid.IntRange(0, len(e.done)-1).Draw(t, "which")
				title := e.done[at]
				i := slices.IndexFunc(b.commits, func(c Commit) bool { return c.Title() == title })
				b.take(who, Named(b.commits[i]))
				e.done, e.undone = slices.Delete(slices.Clone(e.done), at, at+1), append(e.undone, title)
			case "rebase":
				b.rebase(rapid.IntRange(0, len(b.commits)).Draw(t, "commits"))
			}
		}
	})
}

func last(titles []string) string {
	if len(titles) == 0 {
		return ""
	}
	return titles[len(titles)-1]
}

// TestUndoneUndo guards: where a commit that undid something beside another change is undone, what it undid is not undone any more.
func TestUndoneUndo(t *testing.T) {
	b := branch{now: time.Unix(1e9, 0)}
	b.change("ann@x", "one", false)
	s, _ := b.next("ann@x", false)
	b.commit("ann@x", "ralph: two\n\n"+event("edited", b.tick())+event("edited", b.tick())+s.Trailer(b.now, false))
	s, _ = b.next("ann@x", false)
	b.take("ann@x", s)
	if again, _ := b.next("ann@x", false); s.Commit.Title() != "two" || again.Commit.Title() != "one" {
		t.Errorf("undoes %q, then %q, want two, then one", s.Commit.Title(), again.Commit.Title())
	}
	if s, _ = b.next("ann@x", true); s.change.commit != b.commits[1].ID {
		t.Errorf("redoes %q", s.Commit.Title())
	}
}

// TestSquashes guards: a squash that puts a change and its undo together with others is a change; one of an undo alone undoes; and a
// change that others squashed into theirs is not undone because one part of it is.
func TestSquashes(t *testing.T) {
	made := func(do func(b *branch)) *branch {
		b := &branch{now: time.Unix(1e9, 0)}
		do(b)
		return b
	}
	undoLast := func(b *branch) {
		s, _ := b.next("ann@x", false)
		b.take("ann@x", s)
	}
	squash := func(b *branch, n int) {
		var all []string
		for _, c := range b.commits[len(b.commits)-n:] {
			all = append(all, strings.ReplaceAll(c.Text, "\n", "\n    "))
		}
		b.commits = b.commits[:len(b.commits)-n]
		b.commit("ann@x", "squashed\n\n* "+strings.Join(all, "\n* "))
	}
	for name, c := range map[string]struct {
		b          *branch
		undo, redo string
	}{
		"a change and the undo of another": {made(func(b *branch) {
			b.change("ann@x", "one", false)
			b.change("ann@x", "two", false)
			undoLast(b)
			b.change("ann@x", "three", false)
			squash(b, 3)
		}), "squashed", ""},
		"two undos": {made(func(b *branch) {
			b.change("ann@x", "one", false)
			b.change("ann@x", "two", false)
			b.change("ann@x", "three", false)
			undoLast(b)
			undoLast(b)
			squash(b, 2)
		}), "one", "two"},
		"changes of which one was undone": {made(func(b *branch) {
			b.change("ann@x", "one", false)
			b.change("ann@x", "two", false)
			undoLast(b)
			u := b.commits[2]
			b.commits = b.commits[:2]
			squash(b, 2)
			b.commits = append(b.commits, u)
		}), "squashed", "two"},
		"an undo and its redo": {made(func(b *branch) {
			b.change("ann@x", "one", false)
			undoLast(b)
			s, _ := b.next("ann@x", true)
			b.take("ann@x", s)
			squash(b, 2)
		}), "one", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := c.b.next("ann@x", false)
			if got := s.Commit.Title(); got != c.undo {
				t.Errorf("undo is of %q, want %q", got, c.undo)
			}
			s, _ = c.b.next("ann@x", true)
			if got := s.Commit.Title(); got != c.redo {
				t.Errorf("redo is of %q, want %q", got, c.redo)
			}
		})
	}
}

// TestUncommittedChanges guards: what is in no commit cannot be undone, and what was undone there is not undone again.
func TestUncommittedChanges(t *testing.T) {
	b := branch{now: time.Unix(1e9, 0)}
	b.change("ann@x", "one", false)
	b.change("ann@x", "two", false)
	l := b.log("ann@x")
	l.Open = Commit{Author: "ann@x", Text: event("done", b.tick())}
	for _, err := range l.Undoable() {
		if !errors.Is(err, ErrUncommitted) {
			t.Errorf("got %v", err)
		}
	}
	s, _ := first(b.log("ann@x").Undoable())
	at := b.tick()
	l.Open.Text = event("done", at) + s.Trailer(at, false)
	if s, _ = first(l.Undoable()); s.Commit.Title() != "one" {
		t.Errorf("undo is of %q", s.Commit.Title())
	}
	if s, ok, err := l.Redoable(); !ok || err != nil || s.Commit.Title() != "two" || !s.Again {
		t.Errorf("redo is of %v, %v", s, err)
	}
}

// TestOthersUndo guards: what somebody else has undone is undone, and a forged line of a message names nothing else.
func TestOthersUndo(t *testing.T) {
	b := branch{now: time.Unix(1e9, 0)}
	b.change("ann@x", "one", false)
	b.change("ann@x", "two", true)
	b.take("bob@x", Named(b.commits[1]))
	for _, line := range []string{"Ralph-Undo:", "Ralph-Undo: ", "Ralph-Undo: x", "Ralph-Undo: - {", "Ralph-Undo: HEAD {\"change\": 1}", "Ralph-Redo: {\"at\": null}"} {
		b.commit("bob@x", "no\n\n"+line+"\n")
	}
	if s, _ := b.next("ANN@x", false); s.Commit.Title() != "one" {
		t.Errorf("undo is of %q", s.Commit.Title())
	}
	if s, ok := b.next("ann@x", true); ok {
		t.Errorf("redo is of %q", s.Commit.Title())
	}
}
