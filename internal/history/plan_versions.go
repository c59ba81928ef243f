package history

import (
	"errors"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/record"
)

// planVersions holds the plans of a walk: read behind it, or kept by an earlier run and read when they are needed.
type planVersions struct {
	walker walk.Walker
	lines  *record.LineTable
	kept   func(git.Hash) (valid, kept bool) // what an earlier run found
	smudge func(git.Hash) ([]byte, error)    // returns what git would show of a blob; nil where that is the blob

	mutex   sync.Mutex // while several read
	read    map[git.Hash]*record.Version
	readers []*record.VersionReader // by worker
}

func newVersions(w walk.Walker) *planVersions {
	return &planVersions{
		walker: w, lines: record.NewLineTable(), read: map[git.Hash]*record.Version{},
		kept: func(git.Hash) (valid, kept bool) { return false, false },
	}
}

// close frees what reading needs.
func (v *planVersions) close() { v.lines, v.readers = nil, nil }

// take reads the content of a version.
func (v *planVersions) take(worker int, id git.Hash, data []byte) {
	if v.smudge != nil {
		if shown, err := v.smudge(id); err == nil {
			data = shown
		}
	}
	version := v.reader(worker).Read(data)
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.read[id] = version
}

func (v *planVersions) reader(worker int) *record.VersionReader {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for worker >= len(v.readers) {
		v.readers = append(v.readers, v.lines.Reader())
	}
	return v.readers[worker]
}

// isValid reports whether a version was or is a valid plan.
func (v *planVersions) isValid(id git.Hash) bool {
	if version := v.read[id]; version != nil {
		return version.Valid()
	}
	valid, _ := v.kept(id)
	return valid
}

// Version implements record.Versions. The error is errStale where a version is missing that an earlier run read.
func (v *planVersions) Version(id git.Hash) (*record.Version, error) {
	if version := v.read[id]; version != nil {
		return version, nil
	}
	if _, kept := v.kept(id); !kept {
		return nil, git.ErrMissing
	}
	if err := v.fetch([]git.Hash{id}); err != nil || v.read[id] == nil {
		return nil, errStale
	}
	return v.read[id], nil
}

// unread returns the versions that were not read yet, those of the oldest commits first.
func (v *planVersions) unread(g *walk.Graph) (ids []git.Hash) {
	seen := map[git.Hash]bool{}
	for i := len(g.Commits) - 1; i >= 0; i-- {
		id := g.Commits[i].Plan
		if id.IsZero() || seen[id] || v.read[id] != nil {
			continue
		}
		seen[id] = true
		if _, known := v.kept(id); !known {
			ids = append(ids, id)
		}
	}
	return ids
}

// fetch reads versions. One that is missing stays unread.
func (v *planVersions) fetch(ids []git.Hash) error {
	return v.walker.Blobs(ids, workers, func(worker, i int, data []byte, err error) error {
		if err == nil {
			v.take(worker, ids[i], data)
		}
		if errors.Is(err, git.ErrMissing) {
			return nil
		}
		return err
	})
}
