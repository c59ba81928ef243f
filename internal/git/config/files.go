package config

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
)

// errUncertain: only git can determine the configuration.
var errUncertain = errors.New("uncertain configuration")

const maxIncludeDepth = 10

// Files locates the configuration files of a repository, or only those of the user and the machine if GitDir is "".
type Files struct {
	Environ   []string
	Program   string // git's path; the settings of the machine are beside it
	Dir       string // in which git runs
	GitDir    string // "" outside of a repository
	CommonDir string
	// Run returns the output of git, run with the editor "echo"; no output and no error if no setting matches.
	Run func(ctx context.Context, args ...string) ([]byte, error)

	config *Config // nil until it was read
}

// Read returns the configuration, which is read once: the files that git would read, in its order. If anything in them or in
// the environment is not understood, `git config --list` is run instead.
func (f *Files) Read(ctx context.Context) (*Config, error) {
	if f.config != nil {
		return f.config, nil
	}
	config, err := f.read()
	if err != nil {
		if config, err = f.list(ctx); err != nil {
			return nil, err
		}
	}
	f.config = config
	return config, nil
}

// list returns the configuration as `git config --list` prints it.
func (f *Files) list(ctx context.Context) (*Config, error) {
	out, err := f.Run(ctx, "config", "--list", "-z", "--includes", "--show-scope")
	if err != nil {
		return nil, err
	}
	config := &Config{}
	items := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(items); i += 2 {
		key, value, ok := strings.Cut(items[i+1], "\n")
		config.entries = append(config.entries, Entry{Key: key, Value: value, bare: !ok, scope: items[i]})
	}
	return config, nil
}

// isOutside reports whether there is no repository.
func (f *Files) isOutside() bool { return f.GitDir == "" }

func (f *Files) read() (*Config, error) {
	passed, ok := CommandSettings(f.Environ)
	if !ok {
		return nil, errUncertain
	}
	config, err := f.readFiles()
	if err == nil {
		config.entries = append(config.entries, passed...)
	}
	return config, err
}

func (f *Files) readFiles() (*Config, error) {
	files, err := f.files()
	if err != nil {
		return nil, err
	}
	l := &loader{home: f.home()}
	for _, file := range files {
		l.scope = file.scope
		if err := l.load(file.path, 0); err != nil {
			return nil, err
		}
	}
	if f.isOutside() {
		return &l.config, nil
	}
	worktree, err := l.config.Bool("extensions.worktreeConfig", false)
	if err != nil {
		return nil, err
	}
	if worktree {
		l.scope = "worktree"
		err = l.load(filepath.Join(f.GitDir, "config.worktree"), 0)
	}
	return &l.config, err
}

// scopedFile is a configuration file and git's name for its scope.
type scopedFile struct{ scope, path string }

// files lists the files in order of increasing precedence.
func (f *Files) files() ([]scopedFile, error) {
	system, err := f.systemConfig()
	if err != nil {
		return nil, err
	}
	var files []scopedFile
	if system != "" {
		files = append(files, scopedFile{"system", system})
	}
	for _, path := range f.userConfig() {
		files = append(files, scopedFile{"global", path})
	}
	if !f.isOutside() {
		files = append(files, scopedFile{"local", filepath.Join(f.CommonDir, "config")})
	}
	return files, nil
}

// systemConfig returns the machine's file, "" for none. Its path is compiled into git; only the common paths are known here.
func (f *Files) systemConfig() (string, error) {
	if v, ok := Getenv(f.Environ, "GIT_CONFIG_NOSYSTEM"); ok {
		off, err := Entry{Value: v}.Bool()
		if off || err != nil {
			return "", err
		}
	}
	if v, ok := Getenv(f.Environ, "GIT_CONFIG_SYSTEM"); ok {
		return v, nil
	}
	if runtime.GOOS == "linux" {
		program, err := filepath.EvalSymlinks(f.Program)
		if err != nil {
			return "", errUncertain
		}
		switch filepath.Dir(program) { // hooks and git's own commands find the program beside git's other ones first
		case "/usr/bin", "/bin", "/usr/lib/git-core", "/usr/libexec/git-core":
			return "/etc/gitconfig", nil
		case "/usr/local/bin", "/usr/local/libexec/git-core":
			return "/usr/local/etc/gitconfig", nil
		}
	}
	return "", errUncertain
}

func (f *Files) userConfig() []string {
	if v, ok := Getenv(f.Environ, "GIT_CONFIG_GLOBAL"); ok {
		if v == "" {
			return nil
		}
		return []string{v}
	}
	var files []string
	home := f.home()
	if xdg := f.xdg(); xdg != "" {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	return files
}

func (f *Files) home() string {
	home, _ := Getenv(f.Environ, "HOME")
	if home == "" && runtime.GOOS == "windows" {
		home, _ = Getenv(f.Environ, "USERPROFILE")
	}
	return home
}

// xdg returns the directory of the user's settings, "" where there is none.
func (f *Files) xdg() string {
	if v, _ := Getenv(f.Environ, "XDG_CONFIG_HOME"); v != "" {
		return v
	}
	if home := f.home(); home != "" {
		return filepath.Join(home, ".config")
	}
	return ""
}

type loader struct {
	home   string
	scope  string // of the file that is being read
	config Config
}

// load adds the settings of a file and of those that it includes, in place. A file that is missing is empty.
func (l *loader) load(path string, depth int) error {
	entries, err := ParseFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || depth > maxIncludeDepth {
		return errUncertain
	}
	for _, e := range entries {
		e.scope = l.scope
		l.config.entries = append(l.config.entries, e)
		switch {
		case e.Key == "include.path":
			target, err := l.includePath(path, e.Value)
			if err == nil {
				err = l.load(target, depth+1)
			}
			if err != nil {
				return err
			}
		case strings.HasPrefix(e.Key, "includeif.") && strings.HasSuffix(e.Key, ".path"):
			if l.couldMatter(path, e.Value) {
				return errUncertain
			}
		}
	}
	return nil
}

// includePath returns the file that an include names: absolute, below HOME, or beside the including file.
func (l *loader) includePath(from, path string) (string, error) {
	switch {
	case path == "" || strings.HasPrefix(path, "%("):
		return "", errUncertain
	case strings.HasPrefix(path, "~/") && l.home != "":
		return filepath.Join(l.home, path[2:]), nil
	case path[0] == '~':
		return "", errUncertain
	}
	return Resolve(filepath.Dir(from), path), nil
}

// couldMatter reports whether the condition of an include must be evaluated, because the file has a setting that this program
// uses. The user's identity is only noted: it matters only for a commit.
func (l *loader) couldMatter(from, path string) bool {
	target, err := l.includePath(from, path)
	if err != nil {
		return true
	}
	entries, err := ParseFile(target)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	for _, e := range entries {
		if matters(e.Key) {
			return true
		}
		l.config.identityUncertain = l.config.identityUncertain || isIdentity(e.Key)
	}
	return false
}

// Resolve returns the absolute form of a path that may be relative to the directory base.
func Resolve(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, filepath.FromSlash(path))
}
