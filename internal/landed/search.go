package landed

import (
	"errors"
	"strings"

	"git-ralph/internal/git"
)

// work is what a branch changes besides the plan.
type work struct {
	base  string  // where it left the target
	done  string  // its end
	all   patch   // from there on
	each  []patch // by commit
	paths []string
}

// finding is what the target says of a work, by patches.
type finding int

const (
	nothing   finding = iota
	added             // some of its lines came
	removed           // some of its lines went
	applied           // an equal patch
	takenBack         // the inverse of an equal patch
)

// maxSearched is how many commits of the target are compared.
const maxSearched = 2000

// errTooMuch: what would be compared is too much for a command that only looks.
var errTooMuch = errors.New("too much to compare")

// workOf returns the work that ends with a commit, and that left the target at base.
func (j *Judge) workOf(base, done string) (w work, err error) {
	w = work{base: base, done: done}
	if base == done { // it was reached
		if w.base, err = j.beforeArrival(done); err != nil {
			return w, err
		}
	}
	if w.paths, err = j.pathsBetween(w.base, done); err != nil || len(w.paths) == 0 {
		return w, err
	}
	if git.TooManyForArgs(w.paths) {
		return w, errTooMuch
	}
	patches, err := j.diffTree("", w.paths, w.base, done)
	if err != nil {
		return w, err
	}
	w.all = patches[""]
	w.each, err = j.patchesOf(w.base, done, w.paths)
	return w, err
}

// beforeArrival returns the commit of the target's first-parent line that did not have a commit yet, and its base with it.
func (j *Judge) beforeArrival(done string) (string, error) {
	out, err := j.repo.Git().Run(j.ctx, nil, "rev-list", "--first-parent", "--ancestry-path", done+".."+j.tip)
	ids := strings.Fields(out)
	if err != nil {
		return "", err
	}
	first := done
	if len(ids) > 0 {
		first = ids[len(ids)-1]
	}
	before, err := j.reader.Resolve(first + "^1")
	if err != nil {
		return "", err
	}
	bases, err := j.repo.MergeBases(j.ctx, done, before)
	if err != nil || len(bases) == 0 {
		return "", errors.Join(err, git.ErrMissing)
	}
	if bases[0] == done { // it is on the first-parent line itself
		return j.reader.Resolve(done + "^1")
	}
	return bases[0], nil
}

// pathsBetween returns the files that differ between two commits, without the plan.
func (j *Judge) pathsBetween(from, to string) (paths []string, err error) {
	out, err := j.repo.Git().Output(j.ctx, "diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to)
	for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if path != "" && path != j.path {
			paths = append(paths, path)
		}
	}
	return paths, err
}

// patchesOf returns what the commits of a range change in some files, the newest first, without those that change nothing.
func (j *Judge) patchesOf(from, to string, paths []string) (all []patch, err error) {
	args := append([]string{"rev-list", "--no-merges", "--full-history", "--topo-order", "^" + from, to, "--"}, paths...)
	ids, err := j.repo.Git().Run(j.ctx, nil, args...)
	if err != nil || ids == "" {
		return nil, err
	}
	if strings.Count(ids, "\n") >= maxSearched {
		return nil, errTooMuch
	}
	found, err := j.diffTree(ids+"\n", paths, "--stdin", "--root")
	for id := range strings.Lines(ids) {
		if p := found[strings.TrimSpace(id)]; len(p) > 0 {
			all = append(all, p)
		}
	}
	return all, err
}

// diffTree runs `git diff-tree` and reads the patches.
func (j *Judge) diffTree(stdin string, paths []string, revs ...string) (map[string]patch, error) {
	args := []string{"diff-tree", "-r", "-p", "-U3", "--full-index", "--no-prefix", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"}
	args = append(append(append(args, revs...), "--"), paths...)
	out, err := j.repo.Git().Run(j.ctx, []byte(stdin), args...)
	return readPatches(out + "\n"), err
}

// lastOf finds a work among the commits that the target has got since.
func (j *Judge) lastOf(w work) (finding, error) {
	if len(w.all) == 0 {
		return nothing, nil
	}
	since, err := j.patchesOf(w.done, j.tip, w.paths)
	if err != nil {
		return nothing, err
	}
	last := w.lastIn(since)
	if last == applied || last == takenBack {
		return last, nil
	}
	return j.lastBare(w, since, last)
}

// lastBare looks for the work where the lines around it are others by now: the same lines, added or removed elsewhere, are something
// else. So the files have to agree: they have all of its lines, or none.
func (j *Judge) lastBare(w work, since []patch, last finding) (finding, error) {
	bare := work{all: w.all.bare(), each: bareAll(w.each)}.lastIn(bareAll(since))
	if bare != applied && bare != takenBack {
		return last, nil
	}
	there, of, err := j.presenceOf(w)
	if err != nil || of == 0 || bare == applied && there < of || bare == takenBack && there > 0 {
		return last, err
	}
	return bare, nil
}

// lastIn finds a work among later patches, as a whole or commit by commit.
func (w work) lastIn(since []patch) finding {
	whole := w.all.lastIn(since)
	if whole == applied || whole == takenBack || len(w.each) == 0 {
		return whole
	}
	first := w.each[0].lastIn(since) // or its commits came one by one
	for _, p := range w.each[1:] {
		if p.lastIn(since) != first {
			return whole
		}
	}
	if first == applied || first == takenBack {
		return first
	}
	return whole
}

// lastIn finds a patch among later ones, of which the newest is the first. What changed some of its lines after it came, or was
// taken back, leaves open what there is now.
func (p patch) lastIn(since []patch) finding {
	key, back, lines := p.key(), p.inverse().key(), p.changed()
	found := nothing
	for _, other := range since {
		switch k := other.key(); {
		case k == key && (found == nothing || found == added):
			return applied
		case k == back && (found == nothing || found == removed):
			return takenBack
		case k == key, k == back:
			return removed
		}
		if other.inverse().shares(lines) {
			found = removed
		} else if found == nothing && other.shares(lines) {
			found = added
		}
	}
	return found
}
