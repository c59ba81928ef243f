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

// noteFile records, in the worktree's git directory, which plans mutations
// wrote since the last commit of ours: each before it is written, so that what
// a crash, --no-commit or ralph.commit leaves uncommitted is never taken for the
// user's edit, and the commit that brings it reports the right events.
const noteFile = "ralph/pending"

// deferredFile stands beside it while a change waits for the end of a merge or
// the like. The post-commit hook looks for it without starting us.
const deferredFile = "ralph/put-off"

// A note lists the plans that were written, the oldest first.
type note []written

// written is one of them: a line of the file, and below it its trailers.
type written struct {
	hash     string   // of the plan
	base     string   // the hash of HEAD's plan at that time
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

func (s *Store) notePath() string {
	return filepath.Join(s.repo.GitDir(), filepath.FromSlash(noteFile))
}

// readNote reads the note as it stands.
func (s *Store) readNote() note {
	data, err := os.ReadFile(s.notePath())
	if err != nil {
		return nil
	}
	var n note
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, found := strings.CutPrefix(line, wroteLine); found {
			hash, base, _ := strings.Cut(rest, " ")
			n = append(n, written{hash: hash, base: base})
		} else if rest, found := strings.CutPrefix(line, commitLine); found {
			hash, rest, _ := strings.Cut(rest, " ")
			base, subject, _ := strings.Cut(rest, " ")
			n = append(n, written{hash: hash, base: base, commit: true, subject: subject})
		} else if strings.HasPrefix(line, eventTrailer) && len(n) > 0 {
			n[len(n)-1].trailers = append(n[len(n)-1].trailers, line)
		}
	}
	return n
}

func (n note) String() string {
	var b strings.Builder
	for _, w := range n {
		if w.commit {
			b.WriteString(commitLine + w.hash + " " + w.base + " " + plain(w.subject) + "\n")
		} else {
			b.WriteString(wroteLine + w.hash + " " + w.base + "\n")
		}
		for _, trailer := range w.trailers {
			b.WriteString(trailer + "\n")
		}
	}
	return b.String()
}

// on returns the part of the note that was written on HEAD's plan. The rest was
// committed by the user, or thrown away: where a file has it again, git brought
// it back.
func (n note) on(head file) note {
	base := baseOf(head)
	return slices.DeleteFunc(n, func(w written) bool { return w.base != base })
}

// upTo returns the part of the note that leads to a plan. Where the plan is not
// in it, somebody changed it since: the trailers would report what is not so.
func (n note) upTo(plan file) note {
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

// baseOf returns what the note calls HEAD's plan.
func baseOf(head file) string {
	if !head.exists {
		return "none"
	}
	return hashOf(head.data)
}

// isOurs reports whether a plan is one that we wrote.
func (n note) isOurs(plan file) bool {
	return plan.exists && slices.ContainsFunc(n, func(w written) bool { return w.hash == hashOf(plan.data) })
}

// trailers returns those of all parts.
func (n note) trailers() []string {
	var all []string
	for _, w := range n {
		all = append(all, w.trailers...)
	}
	return all
}

// removes reports whether an event of the note may have removed a record.
func (n note) removes(r plan.Record) bool {
	return slices.ContainsFunc(n.trailers(), func(trailer string) bool {
		name, rest, _ := strings.Cut(strings.TrimPrefix(trailer, eventTrailer), " ")
		named, _, _ := strings.Cut(rest, " ")
		return r.ID() != "" && named == r.ID() && (r.Kind() == plan.KindReject || mayRemove(plan.EventName(name)))
	})
}

// mayRemove reports whether the record that an event is about may be gone after it.
func mayRemove(name plan.EventName) bool {
	switch name {
	case plan.EventAdded, plan.EventEdited, plan.EventDone, plan.EventReopened, plan.EventKilled, plan.EventIssueAdded:
		return false
	}
	return true
}

// note records, before the plan is written, that its new content is ours, and so
// is what is staged where the file agrees with it. Edits of the user's that must
// not be committed do not become ours.
func (t *transaction) note(content []byte, m message) {
	if t.edits.unsafe() {
		return
	}
	t.noted = t.pending
	if t.stagedToo && !t.noted.isOurs(t.found) {
		t.noted = append(t.noted, written{hash: hashOf(t.found.data), base: baseOf(t.head)})
	}
	alone := t.mode.isOurs() || t.mode == commitThroughGit
	t.noted = append(t.noted, written{hash: hashOf(content), base: baseOf(t.head), commit: alone, subject: m.what(), trailers: m.trailers()})
	t.saveNote(t.noted)
	if t.putsOff {
		_ = safefile.Write(t.repo.GitDir(), deferredFile, nil, planMode)
	}
}

// saveNote writes the note. It needs to outlive this process, not the machine:
// what cannot be noted counts as the user's edit.
func (s *Store) saveNote(n note) {
	if len(n) == 0 {
		s.dropNote()
		return
	}
	_ = safefile.WriteCached(s.repo.GitDir(), noteFile, []byte(n.String()), planMode)
}

// dropNote deletes the note: all of it is committed.
func (s *Store) dropNote() {
	_ = os.Remove(s.notePath())
	_ = os.Remove(filepath.Join(s.repo.GitDir(), filepath.FromSlash(deferredFile)))
}

// HasPutOff reports whether a change waits for the end of a merge or the like.
func (s *Store) HasPutOff() bool {
	_, err := os.Lstat(filepath.Join(s.repo.GitDir(), filepath.FromSlash(deferredFile)))
	return err == nil
}

// bringsPutOff reports whether the request is to commit what was deferred, and
// there is such a thing, the user's own edits of the file aside.
func (t *transaction) bringsPutOff() bool {
	if !t.request.PutOff || !t.HasPutOff() {
		return false
	}
	if t.found.same(t.head) {
		t.dropNote()
		return false
	}
	return !t.own && t.mode.isOurs()
}
