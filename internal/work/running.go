package work

import (
	"os"
	"path/filepath"

	"git-ralph/internal/git"
)

// begin notes that the worker whose lock is held runs, until end is called. killed says whether, and since when, the one before it ran
// that did not come to its end.
func (d Directory) begin(name string) (end func(), killed []git.EndedProcess) {
	path := filepath.Join(d.notes, name+".running")
	if info, err := os.Lstat(path); err == nil {
		killed = []git.EndedProcess{{Began: info.ModTime()}}
	}
	os.WriteFile(path, nil, 0o666)            //nolint:errcheck // without it only a SIGKILL leaves something behind
	return func() { os.Remove(path) }, killed //nolint:errcheck // see above
}

// removeLocks removes the lock files of git's that a worker which was killed has left.
func (w *Worker) removeLocks(r *git.Repo, killed []git.EndedProcess) {
	for _, path := range git.RemoveStaleLocks(r, killed...) {
		w.report(Kept, "", "", "removed the lock file of a git command that was killed: "+path)
	}
}
