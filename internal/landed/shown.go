package landed

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"git-ralph/internal/git"
)

// afterShown judges a task that the target's plan shows as done. That alone says little: somebody may have taken over the plan without
// the files, or have reverted the files and left the plan. arrived says that the commits came too; else, if any, only copies, that
// have the same plan.
func (j *Judge) afterShown(w work, arrived bool, copies []string) (Verdict, error) {
	if len(w.paths) == 0 {
		return Yes, nil
	}
	there, of, err := j.presenceOf(w)
	if err != nil {
		return "", err
	}
	if of > 0 && there == of {
		return Yes, nil
	}
	last, err := j.lastOf(w)
	switch {
	case err != nil:
		return "", err
	case last == takenBack:
		return No, nil
	case last == applied:
		return Yes, nil
	case !arrived && last == nothing && of > 0 && there == 0:
		return No, nil
	case !arrived && there > 0:
		return j.byCopy(w, copies)
	case !arrived:
		return Unknown, nil
	}
	if there == 0 && (of > 0 || last == removed) {
		return Unknown, nil // of what came nothing is left: it was taken back bit by bit, or replaced, or moved
	}
	part, err := j.isTakenBackInPart(w)
	if err != nil || part {
		return Unknown, err
	}
	return Yes, nil
}

// byCopy judges a work of which the target has some lines: whoever took over the plan with other lines of it, in one commit, as in a
// squash that was edited, took over the work.
func (j *Judge) byCopy(w work, copies []string) (Verdict, error) {
	lines := w.all.changed()
	for _, c := range copies {
		if reached, err := j.reader.IsAncestor(c, j.tip); err != nil || !reached {
			continue // those on other branches may be gone
		}
		brought, err := j.patchesOf(c+"^", c, w.paths)
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(brought, func(p patch) bool { return p.shares(lines) }) {
			return Yes, nil
		}
	}
	return Unknown, nil
}

// presenceOf returns how many of the lines that only a work brought are in the target's files, and how many there are. A file that is
// as the work left it counts as one line.
func (j *Judge) presenceOf(w work) (there, of int, err error) {
	for _, path := range w.paths {
		files, err := j.filesOf(path, [3]string{w.base, w.done, j.tip})
		if err != nil {
			return 0, 0, err
		}
		before, brought, now := files[0], files[1], files[2]
		if brought.ID == now.ID {
			there, of = there+1, of+1
			continue
		}
		was, is := linesOf(before.Data), linesOf(now.Data)
		for line := range linesOf(brought.Data) {
			if !was[line] {
				of++
				if is[line] {
					there++
				}
			}
		}
	}
	return there, of, nil
}

// filesOf returns the files at a path of a work's base, its end and the target; where the last two are the same, only their ids.
func (j *Judge) filesOf(path string, commits [3]string) (files [3]git.Blob, err error) {
	if files, err := j.near.filesOf(path, commits); err == nil {
		return files, nil
	}
	for i, commit := range commits {
		if files[i], err = j.reader.File(commit, path); err != nil && !errors.Is(err, git.ErrNotFound) {
			return files, err
		}
	}
	return files, nil
}

// linesOf returns the lines of a file that have a letter or a digit.
func linesOf(data []byte) map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			all[strings.TrimSuffix(line, "\n")] = true
		}
	}
	return all
}

// isTakenBackInPart reports whether the inverse of one of a work's commits came into the target last.
func (j *Judge) isTakenBackInPart(w work) (bool, error) {
	since, err := j.patchesOf(w.done, j.tip, w.paths)
	return slices.ContainsFunc(w.each, func(p patch) bool { return p.lastIn(since) == takenBack }), err
}
