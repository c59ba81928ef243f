package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
)

// Workplans connects the plan with the workplans that some of its tasks came from, which are files of the worktree at root.
type Workplans interface {
	// Follow changes a plan by what its tasks' workplans say, which are authoritative.
	Follow(ctx context.Context, root string, p *plan.Plan, in Inputs) (plan.Change, error)
	// Edits returns the workplans of tasks that changed, also those that are as they have to be: they belong into the same commit,
	// since in another worktree the plan follows them.
	Edits(ctx context.Context, root string, changed []plan.Record) ([]FileEdit, error)
	// Saved is called when edits were saved together with the plan, on a branch; "" on a detached HEAD.
	Saved(ctx context.Context, repo *git.Repo, branch string, edits []FileEdit)
}

// A FileEdit is a new content of a file of the worktree.
type FileEdit struct {
	Path          string // slash-separated, relative to the root
	Before, After []byte
}

// follow has the plan follow the workplans of its tasks.
func (t *transaction) follow(ctx context.Context, p *plan.Plan, in Inputs) (plan.Change, error) {
	if t.opts.Workplans == nil || t.request.recovers || t.operation != "" { // its files may be half merged
		return plan.Change{}, nil
	}
	if !bytes.Contains(t.before.data, []byte(`"workplan"`)) { // looking into each of many tasks would take longer
		return plan.Change{}, nil
	}
	return t.opts.Workplans.Follow(ctx, t.repo.Root(), p, in)
}

// isFollowed reports whether an error only says that the workplans brought about already what a mutation was to do.
func isFollowed(followed plan.Change, err error) bool {
	if followed.Empty() {
		return false
	}
	_, wrongState := errors.AsType[*plan.StateError](err)
	return wrongState || errors.Is(err, plan.ErrNothing)
}

// editWorkplans finds out what changes in workplans together with the plan. They are committed with it, by git commit without the
// user's hooks. So is what an earlier command wrote and did not commit, where there is a commit now.
func (t *transaction) editWorkplans(ctx context.Context) error {
	t.edited = nil
	changed := t.change.Records
	if len(t.pending) > 0 && t.mode.commits() {
		changed = append(t.uncommittedTasks(), changed...)
	}
	if t.opts.Workplans == nil || len(changed) == 0 {
		return nil
	}
	edits, err := t.opts.Workplans.Edits(ctx, t.repo.Root(), changed)
	if err != nil && len(changed) > len(t.change.Records) { // their file is broken by now, which does not hold up other work
		edits, err = t.opts.Workplans.Edits(ctx, t.repo.Root(), t.change.Records)
	}
	if err != nil {
		return err
	}
	for _, e := range edits {
		if !bytes.Equal(e.Before, e.After) {
			if err := safefile.CheckWritable(t.repo.Root(), e.Path); err != nil {
				return err
			}
		}
		clean, err := t.isClean(ctx, e.Path)
		if err != nil {
			return err
		}
		if !clean || !bytes.Equal(e.Before, e.After) {
			t.edited = append(t.edited, e)
		}
	}
	if len(t.edited) == 0 {
		return nil
	}
	switch t.mode {
	case commitAlone, commitAmended:
		t.mode, t.quiet = commitWithFiles, true
	case commitThroughGit:
		t.mode = commitWithFiles
	}
	return nil
}

// uncommittedTasks returns the tasks that were not as in HEAD's plan before this change, which may have removed them.
func (t *transaction) uncommittedTasks() (tasks []plan.Record) {
	head := plan.NewRecordIndex(snapshot("", t.head.data, t.head.exists).Plan.Of(plan.KindTask))
	for _, r := range snapshot("", t.before.data, t.before.exists).Plan.Of(plan.KindTask) {
		if was, found := head.Find(r.ID()); !found || was.JSON() != r.JSON() {
			tasks = append(tasks, r)
		}
	}
	return tasks
}

// isClean reports whether HEAD has a file as it is, and refuses one that is staged with other content than it has.
func (t *transaction) isClean(ctx context.Context, path string) (bool, error) {
	out, err := t.repo.Git().Run(ctx, nil, "status", "--porcelain", "-z", "--", path)
	switch {
	case err != nil || len(out) < 2 || t.operation != "":
		return out == "", err
	case strings.Contains(out[:2], "U"):
		return false, fmt.Errorf("%s %w", path, ErrFileUnmerged)
	case out[0] != ' ' && out[0] != '?' && out[1] != ' ':
		return false, fmt.Errorf("%s %w", path, ErrStagedApart)
	}
	return false, nil
}

// writeWorkplans writes what editWorkplans found. Should this process be killed afterwards, the plan follows them.
func (t *transaction) writeWorkplans() error {
	for _, e := range t.edited {
		if bytes.Equal(e.Before, e.After) {
			continue
		}
		if err := safefile.Write(t.repo.Root(), e.Path, e.After, planMode); err != nil {
			return errors.Join(err, t.restoreWorkplans())
		}
	}
	return nil
}

// restoreWorkplans undoes writeWorkplans, where nobody has changed the files since.
func (t *transaction) restoreWorkplans() error {
	var failed error
	for _, e := range t.edited {
		now, err := os.ReadFile(filepath.Join(t.repo.Root(), filepath.FromSlash(e.Path)))
		if err == nil && bytes.Equal(now, e.After) {
			failed = errors.Join(failed, safefile.Write(t.repo.Root(), e.Path, e.Before, planMode))
		}
	}
	return failed
}

// commitFiles commits the plan with further files.
func (t *transaction) commitFiles(ctx context.Context, message string) (string, error) {
	if t.request.Message != "" {
		message = joinMessages(t.request.Message, message)
	}
	timeout, err := t.lockTimeout()
	if err != nil {
		return "", err
	}
	o := commit.Options{Wait: timeout, Err: t.opts.Err, NoHooks: t.quiet}
	paths := append(t.paths(), t.request.Files...)
	slices.Sort(paths)
	return commit.ThroughGit(ctx, t.repo, message, o, slices.Compact(paths)...)
}

// paths returns the plan's path, and those of the workplans that change with it.
func (t *transaction) paths() []string {
	paths := []string{t.path}
	for _, e := range t.edited {
		paths = append(paths, e.Path)
	}
	return paths
}
