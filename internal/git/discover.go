package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/git/config"
	"git-ralph/internal/proc"
)

// place is where a repository was found, and its format by its own configuration.
type place struct {
	root, gitDir, commonDir string
	format                  string
	reftable                bool
}

// discover finds the repository the way git does in the plain cases: a .git directory or file in dir or above it. It is not
// ok in any other case, including that there is no repository: git then decides, and its message is better.
func discover(dir string, environ []string) (place, bool) {
	if relocates(environ) {
		return place{}, false
	}
	for at := dir; ; {
		gitDir, err := gitDirAt(at)
		if err != nil || gitDir == "" && looksBare(at) {
			return place{}, false
		}
		if gitDir != "" {
			p, ok := placeAt(at, gitDir)
			return p, ok && trusted(dir, at, p)
		}
		parent := filepath.Dir(at)
		if parent == at {
			return place{}, false
		}
		at = parent
	}
}

// SurelyOutside reports whether there is no repository around dir, as far as that can be seen without starting git. Where it is
// false, there may be one.
func SurelyOutside(dir string, environ []string) bool {
	if relocates(environ) {
		return false
	}
	if physical, err := filepath.EvalSymlinks(dir); err == nil {
		dir = physical
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || looksBare(at) {
			return false
		}
		if at == filepath.Dir(at) {
			return true
		}
	}
}

// errOddGitFile: there is a .git that is neither a directory nor a pointer to one.
var errOddGitFile = errors.New("unexpected .git file")

// gitDirAt returns the git directory that at's .git is or points to, "" where there is none.
func gitDirAt(at string) (string, error) {
	path := filepath.Join(at, ".git")
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		if _, err := os.Lstat(filepath.Join(path, "HEAD")); err != nil {
			return "", nil // git goes on upwards
		}
		return path, nil
	}
	return ReadGitFile(at)
}

// ReadGitFile returns the directory that the .git of a linked worktree or a submodule, which is a file, points to.
func ReadGitFile(at string) (string, error) {
	data, err := os.ReadFile(filepath.Join(at, ".git"))
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
	if !ok {
		return "", errOddGitFile
	}
	return config.Resolve(at, target), nil
}

func looksBare(at string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(at, name)); err != nil {
			return false
		}
	}
	return true
}

// placeAt checks that the git directory is one that we understand, and reads the configuration that shapes it.
func placeAt(root, gitDir string) (place, bool) {
	p := place{root: root, gitDir: gitDir, commonDir: gitDir, format: "sha1"}
	linked, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if err == nil {
		p.commonDir = config.Resolve(gitDir, strings.TrimRight(string(linked), "\r\n"))
	}
	if !isDir(filepath.Join(p.commonDir, "objects")) || !isDir(filepath.Join(p.commonDir, "refs")) {
		return p, false
	}
	entries, err := config.ParseFile(filepath.Join(p.commonDir, "config"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return p, false
	}
	return p, p.shape(entries, p.commonDir != gitDir)
}

// shape applies the repository's own configuration, in which git follows no include for this purpose. A linked worktree
// ignores core.bare and core.worktree.
func (p *place) shape(entries []config.Entry, linked bool) bool {
	for _, e := range entries {
		switch {
		case e.Key == "core.worktree" && !linked:
			if !sameDirectory(config.Resolve(p.gitDir, e.Value), p.root) {
				return false
			}
		case e.Key == "core.bare" && !linked:
			if bare, err := e.Bool(); bare || err != nil {
				return false
			}
		case e.Key == "core.repositoryformatversion":
			if e.Value != "0" && e.Value != "1" {
				return false
			}
		case e.Key == "extensions.worktreeconfig":
			if !p.worktreeConfig() {
				return false
			}
		case strings.HasPrefix(e.Key, "extensions."):
			if !p.extension(e) {
				return false
			}
		}
	}
	return true
}

// extension reports whether we know what the extension means for us.
func (p *place) extension(e config.Entry) bool {
	switch e.Key {
	case "extensions.objectformat":
		p.format = e.Value
		return e.Value == "sha1" || e.Value == "sha256"
	case "extensions.refstorage":
		p.reftable = e.Value == "reftable"
		return p.reftable || e.Value == "files"
	case "extensions.noop", "extensions.partialclone", "extensions.preciousobjects", "extensions.relativeworktrees":
		return true
	}
	return false
}

// worktreeConfig looks for settings in config.worktree that would move the worktree.
func (p *place) worktreeConfig() bool {
	entries, err := config.ParseFile(filepath.Join(p.gitDir, "config.worktree"))
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	for _, e := range entries {
		bare, err := e.Bool()
		if e.Key == "core.worktree" && !sameDirectory(config.Resolve(p.gitDir, e.Value), p.root) ||
			e.Key == "core.bare" && (bare || err != nil) {
			return false
		}
	}
	return true
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func sameDirectory(a, b string) bool {
	if a == b {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// discoverByGit has git find the repository.
func discoverByGit(ctx context.Context, git *Program, dir string) (place, error) {
	res, err := proc.Run(ctx, proc.Cmd{
		Name: git.Path, Dir: dir, Env: git.Environ, Group: true,
		Args: []string{"rev-parse", "--absolute-git-dir", "--git-common-dir", "--show-object-format", "--show-toplevel"},
	})
	lines := strings.Split(string(bytes.TrimSuffix(res.Stdout, []byte("\n"))), "\n")
	if err != nil && len(lines) < 3 {
		return place{}, notRepository(dir, err)
	}
	p := place{gitDir: filepath.FromSlash(lines[0]), commonDir: config.Resolve(dir, lines[1]), format: lines[2]}
	if err == nil && len(lines) == 4 {
		p.root = filepath.FromSlash(lines[3])
	}
	p.reftable = isDir(filepath.Join(p.commonDir, "reftable"))
	_, inEnviron := config.Getenv(git.Environ, "GIT_DIR")
	_, moved := config.Getenv(git.Environ, "GIT_WORK_TREE")
	if inEnviron && !moved && p.root != "" && sameDirectory(p.root, dir) {
		p.root = worktreeOf(p)
	}
	return p, nil
}

// worktreeOf corrects the root that git prints if GIT_DIR is set and GIT_WORK_TREE is not, as in hooks: git then takes the
// current directory for the root of the worktree, and a plan would be created there.
func worktreeOf(p place) string {
	above := filepath.Dir(p.gitDir)
	if data, err := os.ReadFile(filepath.Join(p.gitDir, "gitdir")); err == nil { // of a linked worktree
		above = filepath.Dir(filepath.FromSlash(strings.TrimSpace(string(data))))
	} else if filepath.Base(p.gitDir) != ".git" {
		return p.root
	}
	if inside, err := filepath.Rel(above, p.root); err == nil && filepath.IsLocal(inside) {
		return above
	}
	return p.root
}

// notRepository turns git's message into ErrNotRepository, ErrGone or an error that quotes it. A directory that was deleted is named.
func notRepository(dir string, err error) error {
	var pe *proc.Error
	if errors.As(err, &pe) && pe.Code == 128 && strings.Contains(pe.Stderr, "not a git repository") {
		if _, named, found := strings.Cut(pe.Stderr, "not a git repository: "); found {
			return fmt.Errorf("%s: %w: %s", dir, ErrGone, strings.TrimSpace(named))
		}
		return fmt.Errorf("%s: %w", dir, ErrNotRepository)
	}
	if errors.As(err, &pe) && pe.Code < 0 {
		if _, gone := os.Stat(dir); errors.Is(gone, os.ErrNotExist) { // the system then says this of git
			return fmt.Errorf("the directory %s does not exist any more", dir)
		}
		return fmt.Errorf("git cannot be run: %w", err)
	}
	return err
}
