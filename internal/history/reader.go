package history

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/cache"
	"git-ralph/internal/history/fold"
)

// A Reader reads the history of a repository whose references it has read.
type Reader struct {
	repository
	references []git.Tip
	kept       *cachedHistory
	whole      bool // the history was read, and nothing of it was missing
}

// Open reads the references of a repository. The error is that of one which cannot be read at
// all.
func Open(ctx context.Context, o Options) (*Reader, error) {
	l := &Reader{repository: repository{Options: o, ctx: ctx, walker: walk.Open(ctx, o.Repo)}}
	var err error
	if l.references, err = l.walker.References(); err != nil {
		l.Close()
		return nil, unreadable(err)
	}
	l.kept = l.repository.cachedHistory()
	return l, nil
}

func unreadable(err error) error { return fmt.Errorf("cannot read the history: %w", err) }

// Close waits until all is kept, and closes files and processes.
func (l *Reader) Close() error {
	if l.kept != nil {
		l.kept.saving.Wait()
	}
	return l.walker.Close()
}

// Answer returns what was answered to a question before, if everything that an
// answer follows from is as it was; else nil. A question is any text that says
// all that the answer depends on beside the history.
func (l *Reader) Answer(question string) []byte {
	if l.kept.dir == "" {
		return nil
	}
	return cache.Answer(l.kept.dir, question, l.state())
}

// An AnswerWriter stores an answer in the cache while it is printed.
type AnswerWriter = cache.AnswerWriter

// Record begins to keep an answer, if it follows from a history of which nothing is missing; nil else.
func (l *Reader) Record(question string) *AnswerWriter {
	if l.kept.dir == "" || !l.whole {
		return nil
	}
	answer, _ := cache.Begin(l.kept.dir, question, l.state()) // without it nothing is lost but time
	return answer
}

// Kept reports whether an earlier run kept what most of the history follows from.
func (l *Reader) Kept() bool {
	l.kept.load()
	return l.kept.old != nil
}

// state is all that a whole history follows from. The names of remotes say what
// of a reference's name is the branch, and logs what was done on one.
func (l *Reader) state() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q\n", l.kept.key.Text(), l.mainBranch(l.references), l.Repo.Remotes(l.ctx))
	fmt.Fprintf(&b, "%q\n%s\n", l.walker.Broken(), walk.BranchReflogsState(l.Repo))
	for _, tip := range l.references {
		b.WriteString(tip.Name)
		b.WriteByte(' ')
		b.Write(tip.ID[:])
		b.WriteByte(' ')
		b.WriteString(tip.Target)
		b.WriteByte('\n')
	}
	return b.String()
}

// History reads the history. What cannot be reported is among its warnings.
func (l *Reader) History() (*fold.History, error) { return l.Newest(0) }

// Newest reads the history, or where that is less work as much of it as the
// newest events of HEAD's need, so many at least, and all of the tasks and issues that
// they are of; 0 is all.
func (l *Reader) Newest(events int) (*fold.History, error) {
	var err error
	if l.tips, err = l.walker.Tips(l.references); err != nil {
		return nil, unreadable(err)
	}
	h, err := l.history(l.kept, events)
	if err != nil {
		return nil, unreadable(err)
	}
	for _, name := range l.walker.Broken() {
		h.Warnings = append(h.Warnings, name+" "+git.ErrBrokenReference.Error())
	}
	l.whole = h.Complete && len(h.Warnings) == 0
	return h, nil
}

// Options say whose history is read.
type Options struct {
	Repo           *git.Repo
	Paths          []string // where plans lie: the present one first, then former ones
	ProgramVersion string   // the program and its version: what another one kept is not used; "" keeps nothing

	Window int // how many commits that are kept are read first where the newest events are enough; 0 for the default
}

// Read reads the history of a plan. What cannot be reported is among its warnings;
// the error is that of a repository which cannot be read at all.
func Read(ctx context.Context, o Options) (*fold.History, error) {
	l, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return l.History()
}
