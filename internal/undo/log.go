package undo

import (
	"errors"
	"iter"
	"strings"
	"time"
)

// Errors of Undoable, Redoable and Named.
var (
	// ErrUncommitted says that the last changes are in no commit yet.
	ErrUncommitted = errors.New("the last changes of the plan are not committed, and undo reads commits")
	// ErrGone says that the commit which is to be redone is in this history no more.
	ErrGone = errors.New("the change that was undone last is in no commit of this history any more")
)

// A Step is a change to undo or to redo.
type Step struct {
	Redo   bool
	Commit Commit // what it is found in
	// Again says that the change of Commit is to be made again; otherwise it is to be taken back.
	Again bool

	change change
}

// Trailer returns the line of the commit's message that lets later commands know what was undone or redone. Where the commit
// also has the plan follow workplans that were edited, taking it back is more than the contrary.
func (s Step) Trailer(at time.Time, follows bool) string {
	return s.change.trailer(s.Redo, at, follows)
}

// Change returns the id of the commit that made the change.
func (s Step) Change() string { return s.change.commit }

// A Log is the history of a plan, read backwards.
type Log struct {
	Author string                   // address of who undoes
	Has    func(id string) bool     // whether a commit is in the history
	Newest iter.Seq2[Commit, error] // the commits that changed the plan, children first. Merges are not among them
	Open   Commit                   // changes that are not committed yet; zero for none
}

// decisions say which changes are undone: the newest mark decides.
type decisions struct {
	has    func(id string) bool
	undo   map[string]bool   // false: it was redone. By commit, else by print
	commit map[string]string // of the changes that were named by a commit of the history: by print
}

func (l Log) decisions() decisions {
	return decisions{l.Has, map[string]bool{}, map[string]string{}}
}

const byPrint = "print "

// decide notes a mark, and reports whether it is the newest of its change. The print counts where the commit was made again since.
func (d decisions) decide(m mark) bool {
	key := m.commit
	if m.print != "" && !d.has(m.commit) {
		if key = d.commit[m.print]; key == "" {
			key = byPrint + m.print
		}
	}
	_, known := d.undo[key]
	_, again := d.undo[byPrint+m.print]
	if known || again {
		return false
	}
	d.undo[key] = !m.redo
	if d.has(m.commit) {
		d.commit[m.print] = m.commit
	}
	return true
}

// isUndone reports whether the newest mark of the change that a commit made says that it is undone.
func (d decisions) isUndone(c change) bool {
	if undone, known := d.undo[c.commit]; known {
		return undone
	}
	return d.undo[byPrint+c.print]
}

// Undoable yields the changes that can be undone, the newest first: those of the author that no later commit has undone. Of a
// change that was redone, it is the commit that did so.
func (l Log) Undoable() iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		d := l.decisions()
		open := parse(l.Open.Text)
		if len(open.events) > 0 {
			yield(Step{}, ErrUncommitted)
			return
		}
		for i := range open.marks {
			d.decide(open.marks[len(open.marks)-1-i])
		}
		for c, err := range l.Newest {
			if err != nil {
				yield(Step{}, err)
				return
			}
			m, isLive := parse(c.Text), false
			s := Step{Commit: c, change: c.changeOf(m)}
			if !m.isPure() && d.isUndone(s.change) { // and with it what it undid besides
				continue
			}
			for i := range m.marks {
				isLive = d.decide(m.marks[len(m.marks)-1-i]) || isLive
			}
			switch {
			case !l.isOwn(c), m.isPure() && !(isLive && m.isSingle() && m.marks[0].redo):
				continue
			case m.isPure():
				s.change = m.marks[0].change
			case d.isUndone(s.change):
				continue
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}

func (l Log) isOwn(c Commit) bool { return l.Author != "" && strings.EqualFold(c.Author, l.Author) }

// Redoable returns the change that the author has undone last, unless the author changed the plan since; ok is false where there
// is none.
func (l Log) Redoable() (s Step, ok bool, err error) {
	d := l.decisions()
	var wanted change
	open := parse(l.Open.Text)
	if len(open.events) > 0 {
		return s, false, nil
	}
	if k, found := d.newestUndo(open); found {
		wanted, ok = k.change, true
	}
	for c, err := range l.Newest {
		m := parse(c.Text)
		switch {
		case err != nil:
			return s, false, err
		case ok: // where else the change itself was made
			if made := c.changeOf(m); made.commit == wanted.commit || !d.has(wanted.commit) && made.print == wanted.print {
				return Step{Redo: true, Commit: c, Again: true, change: wanted}, true, nil
			}
			continue
		}
		k, found := d.newestUndo(m)
		switch {
		case !l.isOwn(c):
		case !m.isPure():
			return s, false, nil
		case found && m.isSingle():
			return Step{Redo: true, Commit: c, change: k.change}, true, nil
		case found:
			wanted, ok = k.change, true
		}
	}
	if ok {
		err = ErrGone
	}
	return s, false, err
}

// newestUndo notes the marks of a message, and returns the newest of them that undoes and that nothing has decided about since.
func (d decisions) newestUndo(m message) (newest mark, found bool) {
	for i := range m.marks {
		k := m.marks[len(m.marks)-1-i]
		if d.decide(k) && !k.redo && !found {
			newest, found = k, true
		}
	}
	return newest, found
}

// Named returns the step that takes a given commit back. Where that commit did nothing but undo a change, taking it back is to
// redo that.
func Named(c Commit) Step {
	m := parse(c.Text)
	if m.isSingle() {
		return Step{Redo: !m.marks[0].redo, Commit: c, change: m.marks[0].change}
	}
	return Step{Commit: c, change: c.changeOf(m)}
}
