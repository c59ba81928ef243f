package history

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/history/cache"
	"git-ralph/internal/history/fold"
)

// A Look is a repository that is looked at: where its references point is known,
// its history not read yet.
type Look struct {
	reader
	references []git.Tip
	memory     *memory
	whole      bool // the history was read, and all of it was at hand
}

// Begin looks at a repository. The error is that of one which cannot be read at
// all.
func Begin(ctx context.Context, o Options) (*Look, error) {
	l := &Look{reader: reader{Options: o, ctx: ctx, walker: o.Repo.Walker(ctx)}}
	var err error
	if l.references, err = l.walker.References(); err != nil {
		l.Close()
		return nil, unreadable(err)
	}
	l.memory = l.reader.memory()
	return l, nil
}

func unreadable(err error) error { return fmt.Errorf("cannot read the history: %w", err) }

// Close waits until all is kept, and lets go of files and processes.
func (l *Look) Close() error {
	if l.memory != nil {
		l.memory.saving.Wait()
	}
	return l.walker.Close()
}

// Answer returns what was answered to a question before, if everything that an
// answer follows from is as it was; else nil. A question is any text that says
// all that the answer depends on beside the history.
func (l *Look) Answer(question string) []byte {
	if l.memory.dir == "" {
		return nil
	}
	return cache.Answer(l.memory.dir, question, l.state())
}

// A NewAnswer is an answer that is kept while it is given.
type NewAnswer = cache.NewAnswer

// Record begins to keep an answer, if it is told from a history of which
// everything was at hand; nil else.
func (l *Look) Record(question string) *NewAnswer {
	if l.memory.dir == "" || !l.whole {
		return nil
	}
	answer, _ := cache.Begin(l.memory.dir, question, l.state()) // without it nothing is lost but time
	return answer
}

// Kept tells whether an earlier run kept what most of the history follows from.
func (l *Look) Kept() bool {
	l.memory.load()
	return l.memory.old != nil
}

// state is all that a whole history follows from. The names of remotes say what
// of a reference's name is the branch, and logs what was done on one.
func (l *Look) state() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q\n", l.memory.key.Text(), l.mainBranch(l.references), l.Repo.Remotes(l.ctx))
	fmt.Fprintf(&b, "%q\n%s\n", l.walker.Broken(), l.Repo.BranchLogsState())
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

// History reads the history. What cannot be told is among its warnings.
func (l *Look) History() (*fold.History, error) { return l.Newest(0) }

// Newest reads the history, or where that is less work as much of it as tells the
// newest events of HEAD's, so many at least, and all of the tasks and issues that
// they are of; 0 is all.
func (l *Look) Newest(events int) (*fold.History, error) {
	var err error
	if l.tips, err = l.walker.Tips(l.references); err != nil {
		return nil, unreadable(err)
	}
	h, err := l.history(l.memory, events)
	if err != nil {
		return nil, unreadable(err)
	}
	for _, name := range l.walker.Broken() {
		h.Warnings = append(h.Warnings, name+" "+git.ErrBrokenReference.Error())
	}
	l.whole = h.Whole && len(h.Warnings) == 0
	return h, nil
}
