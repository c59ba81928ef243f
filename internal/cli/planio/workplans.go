package planio

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/claim"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/hub/target"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
	"git-ralph/internal/workplan"
	"git-ralph/internal/workplantask"
)

// workplans connects the store with workplans, and these with the State Hub.
type workplans struct {
	workplantask.Link
	env *term.Env
}

// Saved queues for the State Hub what workplans say that changed together with the plan; the next command of workplans sends it. What
// a worker's branch says is queued when it has landed.
func (w workplans) Saved(ctx context.Context, repo *git.Repo, branch string, edits []store.FileEdit) {
	to, ok, err := target.Of(ctx, repo)
	if !ok || err != nil || strings.HasPrefix("refs/heads/"+branch, claim.WorkPrefix) { // an invalid setting is reported by the commands
		return
	}
	sources := make([]workplan.Source, len(edits))
	for i, e := range edits {
		sources[i] = workplan.Source{Name: e.Path, Text: e.After}
	}
	parsed, err := w.Parser.ParseAll(ctx, sources)
	for _, p := range parsed {
		if p.File != nil && err == nil {
			err = to.Queue(p.File)
		}
	}
	if err != nil {
		w.env.Warn("the change is not in the queue for the State Hub: " + err.Error())
	}
}

// WorkplanPath returns the path of a workplan that a user named, relative to the root. Every command that changes a workplan, or has
// an agent change it, refuses the same paths: what cannot be committed cannot be worked off.
func WorkplanPath(st *store.Store, file string) (string, error) {
	path, ok := st.Below(file)
	switch {
	case st.Repo().Bare():
		return "", store.ErrBare
	case !ok:
		return "", &cmdline.HintedError{Err: errors.New("the workplan is outside of the repository: " + file), Hint: "-C names another directory"}
	case !git.ValidPath(path) || !utf8.ValidString(path):
		return "", &cmdline.HintedError{
			Err: fmt.Errorf("invalid path of a workplan %q: want UTF-8 without line breaks", path), Hint: "rename the file or directory",
		}
	}
	if slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return strings.EqualFold(part, ".git") }) {
		return "", &cmdline.HintedError{
			Err: fmt.Errorf("invalid path of a workplan %q: want one outside of .git, which git does not commit", path), Hint: "move the file",
		}
	}
	if err := safefile.Check(st.Repo().Root(), path); errors.Is(err, safefile.ErrSymlink) {
		return "", &cmdline.HintedError{
			Err: fmt.Errorf("invalid path of a workplan %q: %w; want the file itself", path, err), Hint: hintForLink(st, path),
		}
	}
	root, dir := st.Repo().Root(), filepath.Dir(filepath.FromSlash(path))
	if git.IsWithin(st.Repo(), root) && !git.IsWithin(st.Repo(), filepath.Join(root, dir)) {
		return "", &cmdline.HintedError{
			Err: fmt.Errorf("invalid path of a workplan %q: it is in another repository, within this one", path), Hint: "-C names the directory of that one",
		}
	}
	return path, nil
}

// hintForLink returns what to name in place of a path with a link in it.
func hintForLink(st *store.Store, path string) string {
	real, err := filepath.EvalSymlinks(filepath.Join(st.Repo().Root(), filepath.FromSlash(path)))
	if inside, ok := st.Below(real); err == nil && ok {
		return "it leads to " + inside + ", from the root of the repository: name that"
	}
	return "it leads out of the repository, or to nothing: put the file itself there"
}
