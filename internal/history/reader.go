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
	cached     *cachedHistory
	complete   bool // the history was read, and nothing of it was missing
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
	l.cached = l.repository.cachedHistory()
	return l, nil
}

func unreadable(err error) error { return fmt.Errorf("cannot read the history: %w", err) }

// Close waits until the cache is written, and closes files and processes.
func (l *Reader) Close() error {
	if l.cached != nil {
		l.cached.saving.Wait()
	}
	return l.walker.Close()
}

// Answer returns the cached answer to a question, if everything that it depends
// on is unchanged; else nil. A question is any text that identifies everything
// that the answer depends on besides the history.
func (l *Reader) Answer(question string) []byte {
	if l.cached.dir == "" {
		return nil
	}
	return cache.Answer(l.cached.dir, question, l.state(), l.LongLived)
}

// An AnswerWriter stores an answer in the cache while it is printed.
type AnswerWriter = cache.AnswerWriter

// NewAnswer begins to cache an answer; nil where the cache is off or something of the history is missing.
func (l *Reader) NewAnswer(question string) *AnswerWriter {
	if l.cached.dir == "" || !l.complete {
		return nil
	}
	answer, _ := cache.NewAnswer(l.cached.dir, question, l.state()) // without it nothing is lost but time
	return answer
}

// HasCache reports whether an earlier run cached the history.
func (l *Reader) HasCache() bool {
	l.cached.load()
	return l.cached.contents != nil
}

// State identifies a history of which nothing is missing: while it is the same, so is the history. It is "" where replacements, grafts or a
// shallow boundary may change that too.
func (l *Reader) State() string {
	if l.cached.dir == "" {
		return ""
	}
	return l.state()
}

// IsComplete reports whether a history was read of which nothing is missing.
func (l *Reader) IsComplete() bool { return l.complete }

// state returns a text of everything that a complete history depends on. The names of
// remotes determine what part of a reference's name is the branch; reflogs record what
// was done on it.
func (l *Reader) state() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q\n", l.cached.key.Text(), l.mainBranch(l.references), l.Repo.Remotes(l.ctx))
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

// Newest reads the history or, where that is less work, only as much of it as the
// newest events of HEAD (at least this many) and their tasks and issues need; 0 means
// all of it.
func (l *Reader) Newest(events int) (*fold.History, error) {
	var err error
	if l.tips, err = l.walker.Tips(l.references); err != nil {
		return nil, unreadable(err)
	}
	h, err := l.history(l.cached, events)
	if err != nil {
		return nil, unreadable(err)
	}
	for _, name := range l.walker.Broken() {
		h.Warnings = append(h.Warnings, name+" "+git.ErrBrokenReference.Error())
	}
	l.complete = h.Complete && len(h.Warnings) == 0
	return h, nil
}

// Options say whose history is read.
type Options struct {
	Repo           *git.Repo
	Paths          []string // where plans lie: the present one first, then former ones
	ProgramVersion string   // the program and its version: the cache of another one is not used; "" turns the cache off
	LongLived      bool     // the process goes on after the history was used, so nothing may stay in memory

	Window int // how many cached commits are read first if only the newest events are needed; 0 for the default
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
