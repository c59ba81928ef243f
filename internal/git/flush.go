package git

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// StepFlushed begins the step that follows each file which Flush and FlushReference have flushed; the path comes after it.
const StepFlushed = "flushed "

// Flush writes a commit, and all that it needs, to the disk, less what is reachable from known, which are arguments of `git rev-list`.
// Git by itself flushes packs, and leaves the other objects to the system: after a power cut they may be empty.
func Flush(ctx context.Context, r *Repo, commit string, known ...string) error {
	args := append([]string{"rev-list", "--objects", "--missing=allow-any", commit, "--not"}, known...)
	out, err := r.git.Run(ctx, nil, args...)
	if err != nil {
		return err
	}
	var files []string
	dirs := map[string]bool{r.ObjectDir(): true}
	for line := range strings.Lines(out) {
		id, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		path := filepath.Join(r.ObjectDir(), id[:2], id[2:])
		if _, err := os.Lstat(path); err == nil { // else it is packed, or in an alternate
			files, dirs[filepath.Dir(path)] = append(files, path), true
		}
	}
	return flush(r, files, slices.Collect(maps.Keys(dirs)))
}

// FlushReference writes a reference to the disk.
func FlushReference(r *Repo, name string) error {
	path := r.ReferencePath(name)
	var dirs []string
	for dir := filepath.Dir(path); len(dir) >= len(r.commonDir); dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	return flush(r, []string{path, filepath.Join(r.commonDir, "packed-refs")}, dirs)
}

// FlushNames writes the names in a directory to the disk, where the system can.
func FlushNames(r *Repo, dir string) {
	flush(r, nil, []string{dir}) //nolint:errcheck // there are no files
}

// flush flushes files, those of them that exist, and then the names in directories, which some systems cannot do and need not.
func flush(r *Repo, files, dirs []string) error {
	if err := syncAll(files); err != nil && runtime.GOOS != "windows" { // which cannot flush what is read-only, as objects are
		return err
	}
	for _, path := range files {
		r.Step(StepFlushed + path)
	}
	syncAll(dirs) //nolint:errcheck // see above
	return nil
}

// atOnce is how many files are flushed at once: the system writes many in the time that it needs for one.
const atOnce = 16

func syncAll(paths []string) error {
	var group sync.WaitGroup
	var failed [atOnce]error
	for i := range min(atOnce, len(paths)) {
		group.Go(func() {
			for j := i; j < len(paths); j += atOnce {
				failed[i] = errors.Join(failed[i], syncFile(paths[j]))
			}
		})
	}
	group.Wait()
	return errors.Join(failed[:]...)
}

// syncFile flushes a file, if there is one.
func syncFile(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
