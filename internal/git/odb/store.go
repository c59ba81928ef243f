package odb

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Store knows where the objects of a repository are. It may be used by several goroutines at once.
type Store struct {
	size int      // of an id: 20 or 32
	dirs []string // directories of objects: the repository's own, then its alternates

	current atomic.Pointer[listing]
	mu      sync.Mutex
	packs   map[string]*pack // every pack ever listed, by path
	multi   []*multiIndex    // every one ever opened
}

// listing is the packs that there were at one time.
type listing struct {
	multi  []*multiIndex
	packs  []*pack     // those in no multi-pack-index, newest first
	stamps []time.Time // when the directories of packs were last changed
	at     time.Time   // when this was read
	last   atomic.Int32
}

// Open opens the store in a directory of objects. size is that of an id, 20 or 32; alternates are further directories
// to read from, as in GIT_ALTERNATE_OBJECT_DIRECTORIES.
func Open(objects string, size int, alternates []string) (*Store, error) {
	if _, err := os.Stat(objects); err != nil {
		return nil, err
	}
	s := &Store{size: size, packs: map[string]*pack{}}
	s.addDirectory(objects, 0)
	for _, dir := range alternates {
		s.addDirectory(dir, 1)
	}
	_, err := s.list()
	return s, err
}

// Close closes all files. Nothing may be read after it.
func (s *Store) Close() {
	for _, m := range s.multi {
		m.data.Close()
	}
	for _, p := range s.packs {
		p.close()
	}
}

// maxAlternateDepth is how deeply alternates may be nested, as in git.
const maxAlternateDepth = 5

// addDirectory adds a directory of objects and its alternates. A missing one is skipped.
func (s *Store) addDirectory(dir string, depth int) {
	dir = filepath.Clean(dir)
	if depth > maxAlternateDepth || slices.Contains(s.dirs, dir) {
		return
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return
	}
	s.dirs = append(s.dirs, dir)
	text, err := os.ReadFile(filepath.Join(dir, "info", "alternates"))
	if err != nil {
		return
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		line = unquote(line)
		if !filepath.IsAbs(line) {
			line = filepath.Join(dir, filepath.FromSlash(line))
		}
		s.addDirectory(line, depth+1)
	}
}

// unquote undoes the quoting of a path with unusual characters. Other text, and text that is not quoted well, is taken as it is.
func unquote(s string) string {
	if path, err := strconv.Unquote(s); err == nil && s[0] == '"' {
		return path
	}
	return s
}

// list reads which packs there are and makes that the current listing.
func (s *Store) list() (*listing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &listing{at: time.Now()}
	for _, dir := range s.dirs {
		if err := s.listDirectory(l, filepath.Join(dir, "pack")); err != nil {
			return nil, err
		}
	}
	s.current.Store(l)
	return l, nil
}

func (s *Store) listDirectory(l *listing, dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		l.stamps = append(l.stamps, time.Time{})
		return nil
	}
	if err != nil {
		return err
	}
	l.stamps = append(l.stamps, info.ModTime())
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	covered := map[*pack]bool{}
	m, err := openMultiIndex(filepath.Join(dir, "multi-pack-index"), s.size, s.pack)
	switch {
	case err == nil:
		l.multi = append(l.multi, m)
		s.multi = append(s.multi, m)
		for _, p := range m.packs {
			covered[p] = true
		}
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported):
		return err // without it the packs' own indexes say the same
	}
	l.packs = append(l.packs, s.uncovered(dir, entries, covered)...)
	return nil
}

// uncovered returns the packs with an index that no multi-pack-index covers, newest first.
func (s *Store) uncovered(dir string, entries []fs.DirEntry, covered map[*pack]bool) []*pack {
	type dated struct {
		*pack
		time time.Time
	}
	var found []dated
	for _, e := range entries {
		base, ok := strings.CutSuffix(e.Name(), ".idx")
		if !ok {
			continue
		}
		p := s.pack(filepath.Join(dir, base+".pack"))
		info, err := os.Stat(p.path)
		if err == nil && !covered[p] {
			found = append(found, dated{p, info.ModTime()})
		}
	}
	slices.SortFunc(found, func(a, b dated) int {
		return cmp.Or(b.time.Compare(a.time), strings.Compare(a.path, b.path))
	})
	packs := make([]*pack, len(found))
	for i, d := range found {
		packs[i] = d.pack
	}
	return packs
}

// pack returns the pack with that path, the same one each time.
func (s *Store) pack(path string) *pack {
	p := s.packs[path]
	if p == nil {
		p = &pack{path: path, size: s.size, number: uint64(len(s.packs) + 1)}
		s.packs[path] = p
	}
	return p
}

// find returns the place of an object in a pack.
func (s *Store) find(id *Hash) (Place, bool) { return s.current.Load().find(id) }

// find asks the pack first where it found the last one. A pack that cannot be opened has no objects: git may just have
// replaced it by another, which findAgain finds.
func (l *listing) find(id *Hash) (Place, bool) {
	for _, m := range l.multi {
		if at, ok := m.find(id); ok && at.pack.open() == nil {
			return at, true
		}
	}
	last := int(l.last.Load())
	for i := range l.packs {
		if i == 0 {
			i = last
		} else if i <= last {
			i--
		}
		p := l.packs[i]
		if offset, ok, err := p.find(id); err == nil && ok && p.open() == nil {
			if i != last {
				l.last.Store(int32(i))
			}
			return Place{p, offset}, true
		}
	}
	return Place{}, false
}

// findAgain looks for an object in packs that came after the listing, and in those that a multi-pack-index should have
// known it in.
func (s *Store) findAgain(id *Hash) (Place, bool, error) {
	l := s.current.Load()
	if !l.isCurrent(s.dirs) {
		var err error
		if l, err = s.list(); err != nil {
			return Place{}, false, err
		}
		if at, ok := l.find(id); ok {
			return at, true, nil
		}
	}
	for _, m := range l.multi {
		for _, p := range m.packs {
			if offset, ok, err := p.find(id); err == nil && ok && p.open() == nil {
				return Place{p, offset}, true, nil
			}
		}
	}
	return Place{}, false, l.broken()
}

// tick is more than the resolution of a file system's timestamps.
const tick = time.Second

// isCurrent reports whether it is certain that no pack has come or gone since.
func (l *listing) isCurrent(dirs []string) bool {
	for i, dir := range dirs {
		info, err := os.Stat(filepath.Join(dir, "pack"))
		if err == nil && (!info.ModTime().Equal(l.stamps[i]) || l.at.Sub(l.stamps[i]) < tick) || err != nil && !l.stamps[i].IsZero() {
			return false
		}
	}
	return true
}

// broken returns the error of a pack that exists but cannot be read: an object that is found nowhere else may be in it.
func (l *listing) broken() error {
	for _, p := range l.packs {
		err := p.openIndex()
		if err == nil {
			err = p.open()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Locate returns the places of many objects, none for those that no pack is known to hold.
func (s *Store) Locate(ids []Hash) []Place {
	l := s.current.Load()
	places := make([]Place, len(ids))
	if l.locate(ids, places) {
		return places
	}
	for i := range ids {
		if places[i].pack == nil {
			places[i], _ = l.find(&ids[i])
		}
	}
	return places
}

// locate looks into the index in which most objects are found, and reports whether that was all there is to look into.
func (l *listing) locate(ids []Hash, places []Place) bool {
	at := make([]int, len(ids))
	switch {
	case len(l.multi) > 0:
		m := l.multi[0]
		m.ids.findAll(ids, at)
		for i, n := range at {
			if n < 0 {
				continue
			}
			if at, ok := m.place(n); ok && at.pack.open() == nil {
				places[i] = at
			}
		}
	case len(l.packs) > 0:
		p := l.packs[l.last.Load()]
		if p.openIndex() != nil || p.open() != nil {
			return false
		}
		p.index.ids.findAll(ids, at)
		for i, n := range at {
			if n >= 0 {
				offset, _ := p.index.offset(n)
				places[i] = Place{p, offset}
			}
		}
	}
	return len(l.multi)+len(l.packs) <= 1
}

// Order returns the indexes of the ids in the order in which the objects are stored, which is the quickest to read them
// in, and their places.
func (s *Store) Order(ids []Hash) ([]int32, []Place) {
	places := s.Locate(ids)
	order := make([]int32, len(ids))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(places[a].key(), places[b].key()) })
	return order, places
}
