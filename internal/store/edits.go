package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
)

// Edits are the differences between the plan's file and HEAD's plan that no
// mutation of ours made.
type Edits struct {
	Records []plandiff.Record // all that differ
	Removed []plandiff.Record // those of them that the file no longer has
	Commit  string            // another commit that has the same plan; "" for none
}

// unsafe reports whether git may have made the edits, and not the user.
func (e Edits) unsafe() bool { return len(e.Removed) > 0 || e.Commit != "" }

// An EditsError says that the plan's file has edits that no mutation includes.
type EditsError struct {
	Edits
	Path   string // of the plan, as the user can name it
	Staged bool   // the edits are in the index too

	operation bool // they were made in the middle of a merge or the like
}

func (e *EditsError) Error() string {
	if len(e.Removed) > 0 {
		return fmt.Sprintf("uncommitted edits of %s remove %s", e.Path, ListNames(e.Removed))
	}
	return fmt.Sprintf("%s is the plan of another commit (%.9s), not HEAD's; it differs in %s", e.Path, e.Commit, ListNames(e.Records))
}

// Hint says how to keep the edits, and how to undo them.
func (e *EditsError) Hint() string {
	undo := "git restore "
	if e.Staged {
		undo += "--staged --worktree "
	}
	keep := "git commit -- "
	if e.operation {
		keep = "git add -- " // git refuses to commit a part of a merge
	}
	return fmt.Sprintf("`%s%s` keeps them\n`%s%[2]s` undoes them", keep, e.Path, undo)
}

// maxNames is how many records a message names.
const maxNames = 5

// ListNames returns the names of records for people, of many only the first ones.
func ListNames(records []plandiff.Record) string {
	var names []string
	for _, r := range records[:min(len(records), maxNames)] {
		names = append(names, nameOf(r.Shown()))
	}
	if n := len(records) - maxNames; n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	if len(names) == 0 {
		return "spelling or order alone"
	}
	return strings.Join(names, ", ")
}

// nameOf names a record for people.
func nameOf(r plan.Record) string {
	switch r.Kind() {
	case plan.KindTask, plan.KindItem:
		return strings.TrimSpace(r.ID() + " " + Plain(r.Name()))
	case plan.KindIssue:
		return strings.TrimSpace(r.ID() + " " + Plain(r.Text("desc")))
	case plan.KindReject:
		return "a tombstone of " + r.ID()
	case plan.KindSpec:
		return "the spec"
	}
	return strings.TrimSpace(fmt.Sprintf("a record of kind %q %s", r.Kind(), r.ID()))
}

// findEdits compares the file with the plan that git put there: HEAD's, or in
// the middle of a merge or the like, the one that it staged. Removals that the
// pending log records are ours.
func (t *transaction) findEdits() error {
	before := t.head
	if t.operation != "" {
		before = t.staged
	}
	found, unedited := snapshot(t.path, t.found.data, true), snapshot("HEAD", before.data, before.exists)
	if !found.Problems.Readable() {
		return nil // the mutation stops, and says why
	}
	t.edits.Records = plandiff.Compare(unedited.Plan, found.Plan).Records
	pending := t.readPending()
	t.edits.Removed = slices.DeleteFunc(removals(t.edits.Records), func(r plandiff.Record) bool { return pending.removes(r.Before) })
	if len(t.edits.Removed) > 0 && t.request.Keep != KeepRemovals || t.tx.Head() == "" {
		return nil
	}
	blob, err := t.tx.BlobID(t.found.data)
	if err == nil {
		t.edits.Commit, err = t.tx.CommitWithBlob(blob)
	}
	return err
}

// removals returns the records that were there before and are not now. A
// tombstone that changed counts as another one.
func removals(all []plandiff.Record) []plandiff.Record {
	var gone []plandiff.Record
	for _, r := range all {
		if r.Change == plandiff.Removed || r.Change == plandiff.Changed && r.Before.Kind() == plan.KindReject {
			gone = append(gone, r)
		}
	}
	return gone
}

// guardEdits refuses a commit, or staging for one, that would include edits which remove records or restore the plan of
// another commit: git leaves such files behind when a pull fails or a checkout is under way.
func (t *transaction) guardEdits() error {
	byGit := t.operation != "" && t.found.same(t.staged)
	if !t.ownEdits || !t.found.exists || byGit || t.request.Repair != nil || t.needsRebase() {
		return nil
	}
	if err := t.findEdits(); err != nil || !t.edits.unsafe() {
		return err
	}
	keeps := t.request.Keep == KeepAll || t.request.Keep == KeepRemovals && t.edits.Commit == ""
	if t.mode == writeOnly || keeps {
		return nil
	}
	refusal := &EditsError{Edits: t.edits, Path: t.displayPath(), operation: t.operation != ""}
	refusal.Staged = !refusal.operation && t.tx.Index().State == commit.IndexOther
	return refusal
}

// Uncommitted returns the edits of the plan's file that the next mutation would
// commit with its own change, nil if there are none. It is always nil if
// ralph.commit says that plans are not committed. The error may be a
// *MissingError.
func (s *Store) Uncommitted(ctx context.Context) (*Edits, error) {
	if mode, _ := s.config.Get("ralph.commit"); mode == "off" || mode == "stage" {
		return nil, nil
	}
	snap, err := s.View(ctx)
	if err != nil {
		return nil, err
	}
	if snap.Missing {
		return nil, s.FileMissing()
	}
	head, err := s.At(ctx, "HEAD")
	if err != nil && !errors.Is(err, git.ErrBadRevision) {
		return nil, err
	}
	if !snap.Exists || snap.file.same(head.file) {
		return nil, nil // a missing plan is not an edited one
	}
	if head.Plan == nil {
		head.Plan = &plan.Plan{}
	}
	all := plandiff.Compare(head.Plan, snap.Plan).Records
	return &Edits{Records: all, Removed: removals(all)}, nil
}
