package store

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/safefile"
)

// pendingFile remembers, in the worktree's git directory, what mutations wrote
// and did not commit: hashes of the plans, and a trailer for each event. The
// next commit tells those events, and what we staged is not taken for the
// user's. It is a note and no more: without it the changes are told as the
// user's own.
const pendingFile = "ralph/pending"

// putOffFile stands beside it while a change waits for the end of a merge or
// the like. The post-commit hook looks for it without starting us.
const putOffFile = "ralph/put-off"

// HasPutOff tells whether a change waits for the end of a merge or the like.
func (s *Store) HasPutOff() bool {
	_, err := os.Lstat(filepath.Join(s.repo.GitDir(), filepath.FromSlash(putOffFile)))
	return err == nil
}

// bringsPutOff tells whether the request is to commit what was put off, and
// there is such a thing, the user's own edits of the file aside.
func (t *transaction) bringsPutOff() bool {
	if !t.request.PutOff || !t.HasPutOff() {
		return false
	}
	if t.found.same(t.head) {
		t.forget()
		return false
	}
	return !t.own && t.mode.isOurs()
}

// pending is the content of that file: a line for each of its parts.
type pending struct {
	wrote    []string // hashes of plans that we wrote, or built on while they were staged, since the last commit
	told     string   // hash of the plan that the trailers lead to
	trailers []string // lines of a commit message
}

const (
	wroteLine = "wrote "
	toldLine  = "told "
)

func hashOf(content []byte) string {
	sum := fnv.New64a()
	sum.Write(content)
	return strconv.FormatUint(sum.Sum64(), 16)
}

func (s *Store) pendingPath() string {
	return filepath.Join(s.repo.GitDir(), filepath.FromSlash(pendingFile))
}

// readPending reads the note, nothing where the plan is HEAD's: then what was
// pending was committed, or thrown away, by somebody else.
func (t *transaction) readPending() pending {
	if t.found.same(t.head) {
		return pending{}
	}
	p := t.noted()
	if !t.found.exists || p.told != hashOf(t.found.data) {
		p.told, p.trailers = "", nil // somebody changed the plan since: they would tell a story that is not its own
	}
	return p
}

// noted reads the note as it stands.
func (s *Store) noted() pending {
	data, err := os.ReadFile(s.pendingPath())
	if err != nil {
		return pending{}
	}
	var p pending
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if hash, found := strings.CutPrefix(line, wroteLine); found {
			p.wrote = append(p.wrote, hash)
		} else if hash, found := strings.CutPrefix(line, toldLine); found {
			p.told = hash
		} else {
			p.trailers = append(p.trailers, line)
		}
	}
	return p
}

// isOurs tells whether a plan is one that we wrote.
func (p pending) isOurs(plan file) bool {
	return plan.exists && slices.Contains(p.wrote, hashOf(plan.data))
}

// note writes down, before the plan is written, that its new content is ours,
// and so is what is staged where the file agrees with it. A crash in between
// then leaves nothing that looks like the user's. A plain mutation, which finds
// nothing of that kind, notes nothing.
func (t *transaction) note(content []byte) {
	if t.stagedToo {
		t.pending.wrote = append(t.pending.wrote, hashOf(t.found.data))
	}
	if !t.mode.isOurs() || len(t.pending.wrote) > 0 {
		t.pending.wrote = append(t.pending.wrote, hashOf(content))
		t.savePending()
	}
}

// remember adds what was done and not committed.
func (t *transaction) remember(content []byte, trailers []string) {
	t.pending.told = hashOf(content)
	t.pending.trailers = append(t.pending.trailers, trailers...)
	t.savePending()
	if t.putsOff {
		_ = safefile.Write(t.repo.GitDir(), putOffFile, nil, planMode)
	}
}

// savePending writes the note. What cannot be noted is lost to messages alone.
func (t *transaction) savePending() {
	var b strings.Builder
	for _, hash := range t.pending.wrote {
		b.WriteString(wroteLine + hash + "\n")
	}
	if t.pending.told != "" {
		b.WriteString(toldLine + t.pending.told + "\n")
	}
	for _, trailer := range t.pending.trailers {
		b.WriteString(trailer + "\n")
	}
	_ = safefile.Write(t.repo.GitDir(), pendingFile, []byte(b.String()), planMode)
}

// forget drops the note: all of it is told.
func (t *transaction) forget() {
	_ = os.Remove(t.pendingPath())
	_ = os.Remove(filepath.Join(t.repo.GitDir(), filepath.FromSlash(putOffFile)))
}
