package watch

import (
	"maps"
	"os"
	"path/filepath"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/journal"
	"git-ralph/internal/store"
)

// places are where the files are.
type places struct {
	plan   string // "" in a bare repository
	git    string // the worktree's git directory
	common string // the repository's
}

func placesOf(st *store.Store) places {
	r := st.Repo()
	p := places{git: r.GitDir(), common: r.CommonDir()}
	if !r.Bare() {
		p.plan = filepath.Join(r.Root(), filepath.FromSlash(st.PlanPath()))
	}
	return p
}

// A stamp changes with every change of a file, and of the entries of a directory. It is zero where there is nothing.
type stamp struct{ time, size int64 }

func stampOf(path string) stamp {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime().UnixNano(), info.Size()}
}

// A state is what was seen.
type state struct {
	plan       stamp
	references map[string]stamp // git replaces these files by renaming, which their directories show
	runs       map[string]stamp
	below      map[string][]string // of each directory with references, those in it
	dirs       map[string]bool     // where changes of all of these are to be expected
}

func (s state) compare(now state) Change {
	return Change{s.plan != now.plan, !maps.Equal(s.references, now.references), !maps.Equal(s.runs, now.runs)}
}

// read looks at the files. Of directories that are as they were before, the entries are not read again.
func (p places) read(before state) state {
	s := state{references: map[string]stamp{}, runs: map[string]stamp{}, below: map[string][]string{}, dirs: map[string]bool{}}
	if p.plan != "" {
		s.plan = stampOf(p.plan)
		s.watch(filepath.Dir(p.plan))
	}
	s.watch(p.git)
	s.watch(p.common)
	kept := filepath.Join(p.common, filepath.FromSlash(authority.KeptFile)) // a claim is our own when its token was kept
	for _, file := range [...]string{
		filepath.Join(p.git, "HEAD"), filepath.Join(p.common, "packed-refs"), filepath.Join(p.common, "reftable", "tables.list"), kept,
	} {
		s.references[file] = stampOf(file)
	}
	s.watch(filepath.Join(p.common, "reftable"))
	s.watch(filepath.Dir(kept))
	s.readReferences(filepath.Join(p.common, "refs"), before)
	s.readRuns(p.common)
	linked := filepath.Join(p.common, "worktrees")
	s.runs[linked] = stampOf(linked)
	s.watch(linked)
	entries, _ := os.ReadDir(linked) //nolint:errcheck // most repositories have none
	for _, e := range entries {
		s.readRuns(filepath.Join(linked, e.Name()))
	}
	return s
}

// watch adds the directory, or the nearest one above it that there is.
func (s *state) watch(dir string) {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			s.dirs[dir] = true
			return
		}
		above := filepath.Dir(dir)
		if above == dir {
			return
		}
		dir = above
	}
}

// readReferences looks at a directory with references, and at those below it.
func (s *state) readReferences(dir string, before state) {
	now := stampOf(dir)
	s.references[dir] = now
	s.dirs[dir] = true
	below, known := before.below[dir]
	if !known || before.references[dir] != now {
		below = nil
		entries, _ := os.ReadDir(dir) //nolint:errcheck // it was deleted just now
		for _, e := range entries {
			if e.IsDir() {
				below = append(below, filepath.Join(dir, e.Name()))
			}
		}
	}
	s.below[dir] = below
	for _, d := range below {
		s.readReferences(d, before)
	}
}

// readRuns looks at the journal of the worktree with a git directory. No file shows that the process of a run was killed.
func (s *state) readRuns(gitDir string) {
	j := journal.Of(gitDir)
	for _, file := range j.Files() {
		s.runs[file] = stampOf(file)
		s.watch(filepath.Dir(file))
	}
	if holder, running := j.Running(); running {
		s.runs[gitDir] = stamp{size: int64(holder.PID)}
	}
}
