package work

import (
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/safefile"
)

// A running is the note that a worker runs: a file that only a worker which is killed leaves behind.
type running string

// begin notes that the worker whose lock is held runs. killed says since when one ran that was killed: the note keeps its time until
// recovered is called, since this worker may be killed too before it has removed what that one left.
func (d Directory) begin(name string) (r running, killed []git.EndedProcess) {
	path := filepath.Join(d.notes, name+".running")
	if killed = d.killed(name); killed != nil {
		return running(path), killed
	}
	safefile.Write(d.notes, name+".running", nil, 0o666) //nolint:errcheck // without it only a SIGKILL leaves something behind
	git.FlushNames(d.repo, d.notes)                      // a power cut must not take it, and leave what it damaged
	return running(path), nil
}

// killed returns since when the worker whose lock is held ran, where it was killed.
func (d Directory) killed(name string) []git.EndedProcess {
	info, err := os.Lstat(filepath.Join(d.notes, name+".running"))
	if err != nil {
		return nil
	}
	return []git.EndedProcess{{Began: info.ModTime()}}
}

// recovered notes that nothing is left of workers that were killed, unless there was an error.
func (r running) recovered(err error) {
	if err == nil {
		os.Chtimes(string(r), time.Time{}, time.Now()) //nolint:errcheck // an older time does no harm
	}
}

// end notes that the worker has come to its end. After an error the next one looks what is left.
func (r running) end(err error) {
	if err == nil {
		os.Remove(string(r)) //nolint:errcheck // see begin
	}
}

// removeLocks removes the lock files of git's that a worker which was killed has left.
func (w *Worker) removeLocks(r *git.Repo, killed []git.EndedProcess) {
	for _, path := range git.RemoveStaleLocks(r, killed...) {
		w.report(Kept, "", "", "removed the lock file of a git command that was killed: "+path)
	}
}
