package store

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
)

// pendingFile records, in the worktree's git directory, which plans mutations
// wrote since the last commit of ours: each before it is written, so that what
// a crash, --no-commit or ralph.commit leaves uncommitted is never taken for
// the user's edit, and the commit that includes it reports the right events.
const pendingFile = "ralph/pending"

// deferredFile exists while a change waits for the end of a merge or the like.
// The post-commit hook looks for it without starting us.
const deferredFile = "ralph/put-off" // a name that installed hooks know

// A pendingLog lists the plans that were written, the oldest first.
type pendingLog []pendingWrite

// A pendingWrite is one of them: a line of the file, and below it its trailers.
type pendingWrite struct {
	hash     string   // of the plan
	base     string   // the hash of the plan that it was to follow, as pendingBase returns it
	commit   bool     // it was about to be committed
	subject  string   // of that commit
	trailers []string // lines of a commit message: what was done since the plan before
}

const (
	wroteLine  = "wrote "
	commitLine = "commit "
)

func hashOf(content []byte) string {
	sum := fnv.New64a()
	sum.Write(content)
	return strconv.FormatUint(sum.Sum64(), 16)
}

func (s *Store) pendingPath() string {
	return filepath.Join(s.repo.GitDir(), filepath.FromSlash(pendingFile))
}

// readPending reads the log.
func (s *Store) readPending() pendingLog {
	data, err := os.ReadFile(s.pendingPath())
	if err != nil {
		return nil
	}
	var n pendingLog
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, found := strings.CutPrefix(line, wroteLine); found {
			hash, base, _ := strings.Cut(rest, " ")
			n = append(n, pendingWrite{hash: hash, base: base})
		} else if rest, found := strings.CutPrefix(line, commitLine); found {
			hash, rest, _ := strings.Cut(rest, " ")
			base, subject, _ := strings.Cut(rest, " ")
			n = append(n, pendingWrite{hash: hash, base: base, commit: true, subject: subject})
		} else if isKept(line) && len(n) > 0 {
			n[len(n)-1].trailers = append(n[len(n)-1].trailers, line)
		}
	}
	return n
}

// isKept reports whether a line of a message is kept with a change until that is committed.
func isKept(line string) bool {
	return slices.ContainsFunc([]string{plan.EventTrailer, plan.EvidenceTrailer, plan.UndoTrailer, plan.RedoTrailer}, func(begin string) bool {
		return strings.HasPrefix(line, begin)
	})
}

func (n pendingLog) String() string {
	var b strings.Builder
	for _, w := range n {
		if w.commit {
			b.WriteString(commitLine + w.hash + " " + w.base + " " + Plain(w.subject) + "\n")
		} else {
			b.WriteString(wroteLine + w.hash + " " + w.base + "\n")
		}
		for _, trailer := range w.trailers {
			b.WriteString(trailer + "\n")
		}
	}
	return b.String()
}

// basedOn returns the entries that were written on a base, as pendingBase returns it. The user committed or discarded the
// others: if the file has one of these plans again, git restored it.
func (n pendingLog) basedOn(base string) pendingLog {
	return slices.DeleteFunc(n, func(w pendingWrite) bool { return w.base != base })
}

// pendingBase returns the name in the log of the plan that our changes are based on: HEAD's. In the middle of a merge or the
// like it is the plan that git staged, since that becomes HEAD's when the operation is committed. If the operation is
// aborted instead, nothing in the file counts as ours: it contains what git staged, or what a racing checkout left in the
// index.
func (t *transaction) pendingBase() string {
	if t.operation == "" {
		return baseOf(t.head)
	}
	for _, w := range t.readPending() {
		if t.staged.exists && w.hash == hashOf(t.staged.data) {
			return w.base // we staged it
		}
	}
	return baseOf(t.staged)
}

// upTo returns the entries up to that of a plan. If there is none, somebody has
// changed the plan since, and the trailers are left out: they may no longer be
// true.
func (n pendingLog) upTo(plan file) pendingLog {
	for i := len(n) - 1; i >= 0; i-- {
		if plan.exists && n[i].hash == hashOf(plan.data) {
			return n[:i+1]
		}
	}
	n = slices.Clone(n)
	for i := range n {
		n[i].trailers = nil
	}
	return n
}

// baseOf returns the name of a plan in the log.
func baseOf(plan file) string {
	if !plan.exists {
		return "none"
	}
	return hashOf(plan.data)
}

// isOurs reports whether a plan is one that we wrote.
func (n pendingLog) isOurs(plan file) bool {
	return plan.exists && slices.ContainsFunc(n, func(w pendingWrite) bool { return w.hash == hashOf(plan.data) })
}

// trailers returns the trailers of all entries.
func (n pendingLog) trailers() []string {
	var all []string
	for _, w := range n {
		all = append(all, w.trailers...)
	}
	return all
}

// removes reports whether an event of the log may have removed a record.
func (n pendingLog) removes(r plan.Record) bool {
	return slices.ContainsFunc(n.trailers(), func(trailer string) bool {
		event, found := strings.CutPrefix(trailer, plan.EventTrailer)
		name, rest, _ := strings.Cut(event, " ")
		named, _, _ := strings.Cut(rest, " ")
		return found && r.ID() != "" && named == r.ID() && (r.Kind() == plan.KindReject || mayRemove(plan.EventName(name)))
	})
}

// mayRemove reports whether an event may have removed its record.
func mayRemove(name plan.EventName) bool {
	switch name {
	case plan.EventAdded, plan.EventEdited, plan.EventDone, plan.EventReopened, plan.EventKilled, plan.EventIssueAdded,
		plan.EventItemAdded, plan.EventItemMoved:
		return false
	}
	return true
}

// recordPending records, before the plan is written, that its new content is ours, and so is what is staged if the file
// equals it. Edits of the user's that must not be committed do not become ours.
func (t *transaction) recordPending(content []byte, m message) {
	if t.edits.unsafe() {
		return
	}
	t.recorded = t.pending
	base := t.pendingBase()
	if t.stagedToo && !t.recorded.isOurs(t.found) {
		t.recorded = append(t.recorded, pendingWrite{hash: hashOf(t.found.data), base: base})
	}
	alone := t.mode.isOurs() || t.mode == commitThroughGit
	t.recorded = append(t.recorded, pendingWrite{hash: hashOf(content), base: base, commit: alone, subject: m.what(), trailers: m.trailers()})
	t.savePending(t.recorded)
	if t.defers {
		_ = safefile.Write(t.repo.GitDir(), deferredFile, nil, planMode)
	}
}

// savePending writes the log. It must survive this process, not a crash of the
// machine. What cannot be recorded counts as the user's edit.
func (s *Store) savePending(n pendingLog) {
	if len(n) == 0 {
		s.removePending()
		return
	}
	_ = safefile.WriteCached(s.repo.GitDir(), pendingFile, []byte(n.String()), planMode)
}

// removePending deletes the log: all of it is committed.
func (s *Store) removePending() {
	_ = os.Remove(s.pendingPath())
	_ = os.Remove(filepath.Join(s.repo.GitDir(), filepath.FromSlash(deferredFile)))
}

// HasDeferred reports whether a change waits for the end of a merge or the like.
func (s *Store) HasDeferred() bool {
	_, err := os.Lstat(filepath.Join(s.repo.GitDir(), filepath.FromSlash(deferredFile)))
	return err == nil
}

// commitsDeferred reports whether the request commits deferred changes, and
// there are any, without edits of the user's own.
func (t *transaction) commitsDeferred() bool {
	if !t.request.CommitDeferred || !t.HasDeferred() {
		return false
	}
	if t.found.same(t.head) {
		t.removePending()
		return false
	}
	return !t.ownEdits && t.mode.isOurs()
}
