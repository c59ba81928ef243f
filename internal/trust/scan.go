package trust

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/pjbgf/sha1cd"
)

// ErrUntrustable: a repository has more for agents than anybody could review, or a file whose hash does not identify it.
var ErrUntrustable = errors.New("this cannot be trusted")

// Limits of a scan.
const (
	maxEntries = 10_000
	maxSize    = 64 << 20 // of one file, in bytes
	maxTotal   = 1 << 30  // of all files, in bytes
	maxDirs    = 10_000   // in directories of agents: links multiply them
	maxDepth   = 64       // of directories within an agent's
)

// ScanOptions say where Scan looks.
type ScanOptions struct {
	Root   string // of the worktree
	Common string // the git directory that worktrees share; other worktrees of it are left out
	Home   string // the user's own directory, whose settings are not a repository's
	Spec   string // from the root, with slashes; "" for none
	Quick  bool   // only the directories that agents start in, and those above them
}

// Scan lists what agents would read by themselves, in the order of paths. Symbolic links are followed where agents follow
// them; nothing but regular files is opened. The error is ErrUntrustable or that of a root that cannot be read.
func Scan(p ScanOptions) ([]Entry, error) {
	s := scanner{options: p}
	if err := s.top(p.Root, ""); err != nil {
		return nil, err
	}
	up := ".."
	for _, dir := range p.above() {
		if err := s.top(dir, up); err != nil && !errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		up = path.Join("..", up)
	}
	if p.Spec != "" {
		if err := s.file(filepath.Join(p.Root, filepath.FromSlash(p.Spec)), p.Spec, Spec); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return s.entries, nil
}

// above lists the directories above the root that belong to another repository, nearest first: that of a submodule or of a
// repository within another one. Agents look there too. The main worktree, where the root is a worktree within it, has a trust of
// its own, and what is above is the same for both.
func (p ScanOptions) above() []string {
	var all []string
	repositories := 0
	for dir := filepath.Dir(p.Root); dir != filepath.Dir(dir) && dir != p.Home; dir = filepath.Dir(dir) {
		if filepath.Join(dir, ".git") == p.Common {
			all, repositories = nil, 0
			continue
		}
		all = append(all, dir)
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			repositories = len(all)
		}
	}
	return all[:repositories]
}

type scanner struct {
	options ScanOptions
	entries []Entry
	dirs    int   // of agents, so far
	size    int64 // of all entries
}

// top looks at a directory that agents start in, or at one above it.
func (s *scanner) top(dir, name string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := s.look(dir, name, e, true); err != nil {
			return err
		}
	}
	return nil
}

// deep looks at any other directory. A directory that cannot be read is left out: agents cannot read it either.
func (s *scanner) deep(dir, name string) error {
	list, err := os.ReadDir(dir)
	if err != nil || s.isOther(dir, list) {
		return nil //nolint:nilerr // see above
	}
	for _, e := range list {
		if err := s.look(dir, name, e, false); err != nil {
			return err
		}
	}
	return nil
}

// look looks at one entry of a directory.
func (s *scanner) look(dir, name string, e fs.DirEntry, top bool) error {
	if canonical(e.Name()) == ".git" {
		return nil
	}
	file, name := filepath.Join(dir, e.Name()), path.Join(name, e.Name())
	isDir := e.IsDir()
	kind, known := kindOf(e.Name(), top)
	if e.Type()&fs.ModeSymlink != 0 && (known || isAgentDir(e.Name())) {
		info, err := os.Stat(file)
		isDir = err == nil && info.IsDir()
	}
	switch {
	case isAgentDir(e.Name()) && isDir:
		return s.within(file, name, "", nil)
	case isAgentDir(e.Name()):
		return s.file(file, name, Settings)
	case known && !isDir:
		return s.file(file, name, kind)
	case !e.IsDir():
		return nil
	case name == promptDir:
		return s.prompts(file, name)
	case s.options.Quick || strings.HasPrefix(name, "../"):
		return nil
	}
	return s.deep(file, name)
}

// prompts looks at the directory of prompts, and at its subdirectories as at any other.
func (s *scanner) prompts(dir, name string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if isPrompt(e.Name()) && !e.IsDir() {
			if err := s.file(filepath.Join(dir, e.Name()), path.Join(name, e.Name()), Prompt); err != nil {
				return err
			}
		}
	}
	if s.options.Quick {
		return nil
	}
	return s.deep(dir, name)
}

// within adds everything in an agent's directory. Inner is the path relative to it, parents are the directories on the way,
// which a symbolic link must not lead back to.
func (s *scanner) within(dir, name, inner string, parents []fs.FileInfo) error {
	here, err := os.Stat(dir)
	if err != nil || len(parents) > maxDepth || slices.ContainsFunc(parents, func(p fs.FileInfo) bool { return os.SameFile(p, here) }) {
		return nil //nolint:nilerr // an agent cannot read it either
	}
	if s.dirs++; s.dirs > maxDirs {
		return fmt.Errorf("%w: more than %d directories for agents, links counted", ErrUntrustable, maxDirs)
	}
	list, err := os.ReadDir(dir)
	if err != nil || inner != "" && s.isOther(dir, list) {
		return nil //nolint:nilerr // see above
	}
	for _, e := range list {
		if canonical(e.Name()) == ".git" {
			continue
		}
		file, name, inner := filepath.Join(dir, e.Name()), path.Join(name, e.Name()), path.Join(inner, e.Name())
		info, err := os.Stat(file)
		if err == nil && info.IsDir() {
			err = s.within(file, name, inner, append(slices.Clip(parents), here))
		} else {
			err = s.file(file, name, kindWithin(inner))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isOther reports whether a directory is another worktree of the same repository, which is scanned by itself.
func (s *scanner) isOther(dir string, list []fs.DirEntry) bool {
	at := slices.IndexFunc(list, func(e fs.DirEntry) bool { return e.Name() == ".git" })
	if at < 0 || !list[at].Type().IsRegular() {
		return false
	}
	text, err := os.ReadFile(filepath.Join(dir, ".git"))
	target, found := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !found {
		return false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return filepath.Dir(filepath.Clean(target)) == filepath.Join(s.options.Common, "worktrees")
}

// file adds one file.
func (s *scanner) file(file, name string, kind Kind) error {
	if len(s.entries) == maxEntries {
		return fmt.Errorf("%w: more than %d files for agents", ErrUntrustable, maxEntries)
	}
	hash, size, err := hashOf(file)
	if errors.Is(err, fs.ErrNotExist) && kind == Spec {
		return nil
	}
	if errors.Is(err, ErrUntrustable) {
		return fmt.Errorf("%w: %q", err, name)
	}
	if s.size += size; s.size > maxTotal {
		return fmt.Errorf("%w: more than %d MiB of files for agents", ErrUntrustable, maxTotal>>20)
	}
	s.entries = append(s.entries, Entry{Path: name, Kind: kind, Hash: hash})
	return nil
}

// hashOf hashes what an agent would read from a file with SHA-1 and detection of collisions, as git does: crypto/sha256
// would initialise eleven more packages at every start. Only regular files are read: a FIFO would wait for a writer.
func hashOf(file string) (hash string, size int64, err error) {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "unreadable", 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "no-file", 0, err
	}
	h := sha1cd.New().(sha1cd.CollisionResistantHash) //nolint:forcetypeassert // that is what it makes
	n, err := io.Copy(h, io.LimitReader(f, maxSize+1))
	if err == nil && n > maxSize {
		return "", 0, fmt.Errorf("%w: a file of more than %d MiB", ErrUntrustable, maxSize>>20)
	}
	if err != nil {
		return "unreadable", 0, err
	}
	sum, collides := h.CollisionResistantSum(nil)
	if collides {
		return "", 0, fmt.Errorf("%w: a file that was made to have the hash of another one", ErrUntrustable)
	}
	return "sha1:" + hex.EncodeToString(sum), n, nil
}
