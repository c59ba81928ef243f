package landed

import (
	"context"
	"errors"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// A Verdict says whether a task has landed.
type Verdict string

const (
	Yes     Verdict = "yes"
	No      Verdict = "no"
	Unknown Verdict = "unknown"
)

// A Task is a done task to be judged.
type Task struct {
	ID      string
	Attempt plan.Attempt
	Commits []string // that made it done, the one in question first: copies are equal to it. None: it is not committed
}

// A Judge knows the target branch of one repository. It is not safe for concurrent use.
type Judge struct {
	repo   *git.Repo
	reader *git.Reader
	ctx    context.Context
	tip    string // of the target, "" where there is none
	plan   *plan.Plan
	path   string // of the plan
	near   *near  // nil where git reads everything

	trailers map[string][]string // commits that Ralph-Landed trailers of the target name, by task; nil before they are read
}

// Open reads the target: any name of a commit. A target that cannot be read makes everything unknown.
func Open(ctx context.Context, r *git.Repo, planPath, target string) *Judge {
	j := &Judge{repo: r, reader: r.Reader(ctx), ctx: ctx, path: planPath, near: openNear(ctx, r)}
	tip, err := j.resolve(target)
	if err != nil {
		return j
	}
	if j.near != nil && j.near.begin(tip) != nil {
		j.closeNear()
	}
	data, err := j.planAt(tip)
	if err != nil {
		return j
	}
	p, problems := plan.DecodeBytes(data)
	if problems.Readable() {
		j.tip, j.plan = tip, p
	}
	return j
}

// resolve returns the commit that a name names.
func (j *Judge) resolve(target string) (string, error) {
	if id, ok := j.repo.LooseReference(target); ok && j.near != nil && strings.HasPrefix(target, "refs/") {
		if _, err := j.near.Commit(id); err == nil {
			return j.near.hex(id), nil
		}
	}
	return j.reader.Resolve(target)
}

// planAt reads the plan of a commit; nothing where it has none.
func (j *Judge) planAt(commit string) ([]byte, error) {
	if data, err := j.near.read(commit, j.path); err == nil {
		return data, nil
	}
	file, err := j.reader.File(commit, j.path)
	if errors.Is(err, git.ErrNotFound) {
		err = nil
	}
	return file.Data, err
}

// closeNear closes the files: from here on, git reads them.
func (j *Judge) closeNear() {
	if j.near != nil {
		j.near.Close() //nolint:errcheck // nothing was written
		j.near = nil
	}
}

// Close closes files, and ends the process that reads objects.
func (j *Judge) Close() error {
	j.closeNear()
	return j.reader.Close()
}

// shows reports whether the target's plan shows an attempt as done.
func (j *Judge) shows(t Task) bool {
	shown, ok := j.plan.Task(t.ID)
	return ok && shown.Done() && plan.SameAttempt(shown.Attempt(), t.Attempt)
}

// Of judges one task.
func (j *Judge) Of(t Task) Verdict {
	if j.tip == "" {
		return Unknown
	}
	if len(t.Commits) == 0 {
		if j.shows(t) { // and it is not known what it was
			return Unknown
		}
		return No
	}
	switch v, err := j.searchNear(t); {
	case err == nil:
		return v
	case errors.Is(err, errRoot):
		return Unknown
	}
	v, err := j.search(t)
	if err != nil { // something is missing, as in a shallow clone
		return Unknown
	}
	return v
}

// search judges a task by its commits.
func (j *Judge) search(t Task) (Verdict, error) {
	bases, err := j.repo.MergeBases(j.ctx, t.Commits[0], j.tip)
	if err != nil || len(bases) == 0 {
		return Unknown, err
	}
	arrived := bases[0] == t.Commits[0]
	if !arrived {
		if arrived, err = j.isNamed(t); err != nil {
			return "", err
		}
	}
	w, err := j.workOf(bases[0], t.Commits[0])
	if err != nil {
		return "", err
	}
	if j.shows(t) {
		return j.afterShown(w, arrived, t.Commits[1:])
	}
	if !arrived {
		if arrived, err = j.isReached(t.Commits[1:]); err != nil {
			return "", err
		}
	}
	if arrived {
		return j.afterArrival(t, w)
	}
	return j.byPatch(w)
}

// isReached reports whether one of some commits can be reached from the target. Copies on other branches may be gone.
func (j *Judge) isReached(commits []string) (bool, error) {
	var failed error
	for _, c := range commits {
		reached, err := j.reader.IsAncestor(c, j.tip)
		if reached {
			return true, nil
		}
		failed = errors.Join(failed, err)
	}
	return false, failed
}

// isNamed reports whether a trailer of the target's first-parent line names the task with a commit that has the work.
func (j *Judge) isNamed(t Task) (bool, error) {
	const key = "Ralph-Landed"
	if j.trailers == nil && j.near != nil {
		if has, err := j.near.hasTrailer(key); err == nil && !has {
			j.trailers = map[string][]string{}
		}
	}
	if j.trailers == nil {
		out, err := j.repo.Git().Run(j.ctx, nil, "log", "--first-parent", "--grep=^"+key+": ", "--format=%(trailers:key="+key+",valueonly)", j.tip)
		if err != nil {
			return false, err
		}
		j.trailers = map[string][]string{}
		for line := range strings.Lines(out) {
			if id, commit, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				j.trailers[id] = append(j.trailers[id], commit)
			}
		}
	}
	for _, named := range j.trailers[t.ID] {
		for _, c := range t.Commits {
			if has, err := j.reader.IsAncestor(c, named); err == nil && has {
				return true, nil
			}
		}
	}
	return false, nil
}

// afterArrival judges a task whose work came into the target, and that the target's plan does not show as done any more.
func (j *Judge) afterArrival(t Task, w work) (Verdict, error) {
	last, err := j.lastOf(w)
	switch {
	case err != nil:
		return "", err
	case last == takenBack:
		return No, nil
	case len(w.all) > 0 && last != removed:
		return Yes, nil
	}
	for _, r := range j.plan.Of(plan.KindReject) {
		if last != removed && r.ID() == t.ID && plan.SameAttempt(r.Attempt(), t.Attempt) {
			return Yes, nil // rejected afterwards
		}
	}
	if _, there := j.plan.Task(t.ID); there {
		return Unknown, nil // somebody made it pending again
	}
	if reverts, err := j.repo.Git().Run(j.ctx, nil, "log", "-1", "--format=%H", "--grep=^This reverts commit ", w.base+".."+j.tip); err != nil || reverts != "" {
		return Unknown, err
	}
	return Yes, nil // accepted
}

// byPatch judges a task of which no commit came into the target.
func (j *Judge) byPatch(w work) (Verdict, error) {
	last, err := j.lastOf(w)
	switch last {
	case applied:
		return Yes, err
	case added, removed:
		return Unknown, err
	}
	return No, err // also of a work without files: an empty patch equals nothing
}
