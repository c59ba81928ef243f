package git

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"git-ralph/internal/proc"
)

// errConfigDoubt: only git can tell what the configuration is here.
var errConfigDoubt = errors.New("configuration in doubt")

const maxIncludeDepth = 10

// Config reads the configuration once: the files that git would read, in its order. Where anything in them or in the
// environment is beyond us, git is asked to list it.
func (r *Repo) Config(ctx context.Context) (*Config, error) {
	if r.config != nil {
		return r.config, nil
	}
	config, err := r.readConfig()
	if err != nil {
		if config, err = r.askConfig(ctx); err != nil {
			return nil, err
		}
	}
	r.config = config
	return config, nil
}

// askConfig gives git's own answer.
func (r *Repo) askConfig(ctx context.Context) (*Config, error) {
	res, err := proc.Run(ctx, r.configCmd("--list", "-z", "--includes", "--show-scope"))
	if err != nil {
		return nil, err
	}
	config := &Config{}
	items := strings.Split(strings.TrimSuffix(string(res.Stdout), "\x00"), "\x00")
	for i := 0; i+1 < len(items); i += 2 {
		key, value, ok := strings.Cut(items[i+1], "\n")
		config.entries = append(config.entries, entry{key: key, value: value, bare: !ok, scope: items[i]})
	}
	return config, nil
}

// configCmd describes `git config`, which GIT_CONFIG would have read one file alone.
func (r *Repo) configCmd(args ...string) proc.Cmd {
	c := r.cmd(append([]string{"config"}, args...)...)
	c.Env = slices.DeleteFunc(slices.Clone(c.Env), func(kv string) bool { return strings.HasPrefix(kv, "GIT_CONFIG=") })
	return c
}

func (r *Repo) readConfig() (*Config, error) {
	if hasAny(r.environ, []string{"GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"}) {
		return nil, errConfigDoubt
	}
	files, err := r.configFiles()
	if err != nil {
		return nil, err
	}
	l := &configLoader{home: r.home()}
	for _, f := range files {
		l.scope = f.scope
		if err := l.load(f.path, 0); err != nil {
			return nil, err
		}
	}
	if r.IsOutside() {
		return &l.config, nil
	}
	worktree, err := l.config.Bool("extensions.worktreeConfig", false)
	if err != nil {
		return nil, err
	}
	if worktree {
		l.scope = "worktree"
		err = l.load(filepath.Join(r.gitDir, "config.worktree"), 0)
	}
	return &l.config, err
}

// configFile is a file of settings and what git calls its scope.
type configFile struct{ scope, path string }

// configFiles lists the files from the weakest to the strongest.
func (r *Repo) configFiles() ([]configFile, error) {
	system, err := r.systemConfig()
	if err != nil {
		return nil, err
	}
	var files []configFile
	if system != "" {
		files = append(files, configFile{"system", system})
	}
	for _, path := range r.userConfig() {
		files = append(files, configFile{"global", path})
	}
	if !r.IsOutside() {
		files = append(files, configFile{"local", filepath.Join(r.commonDir, "config")})
	}
	return files, nil
}

// systemConfig gives the machine's file, "" for none. Where it lies was decided when git was built; only the usual
// places are known here.
func (r *Repo) systemConfig() (string, error) {
	if v, ok := getenv(r.environ, "GIT_CONFIG_NOSYSTEM"); ok {
		off, err := entry{value: v}.bool()
		if off || err != nil {
			return "", err
		}
	}
	if v, ok := getenv(r.environ, "GIT_CONFIG_SYSTEM"); ok {
		return v, nil
	}
	if runtime.GOOS == "linux" {
		program, err := filepath.EvalSymlinks(r.program)
		if err != nil {
			return "", errConfigDoubt
		}
		switch filepath.Dir(program) {
		case "/usr/bin", "/bin":
			return "/etc/gitconfig", nil
		case "/usr/local/bin":
			return "/usr/local/etc/gitconfig", nil
		}
	}
	return "", errConfigDoubt
}

func (r *Repo) userConfig() []string {
	if v, ok := getenv(r.environ, "GIT_CONFIG_GLOBAL"); ok {
		if v == "" {
			return nil
		}
		return []string{v}
	}
	var files []string
	home := r.home()
	if xdg := r.xdg(); xdg != "" {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	return files
}

func (r *Repo) home() string {
	home, _ := getenv(r.environ, "HOME")
	if home == "" && runtime.GOOS == "windows" {
		home, _ = getenv(r.environ, "USERPROFILE")
	}
	return home
}

// xdg gives the folder of the user's settings, "" where there is none.
func (r *Repo) xdg() string {
	if v, _ := getenv(r.environ, "XDG_CONFIG_HOME"); v != "" {
		return v
	}
	if home := r.home(); home != "" {
		return filepath.Join(home, ".config")
	}
	return ""
}

type configLoader struct {
	home   string
	scope  string // of the file that is being read
	config Config
}

// load adds the settings of a file and of those that it includes, in place. A file that is missing is empty.
func (l *configLoader) load(path string, depth int) error {
	entries, err := parseConfigFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || depth > maxIncludeDepth {
		return errConfigDoubt
	}
	for _, e := range entries {
		e.scope = l.scope
		l.config.entries = append(l.config.entries, e)
		switch {
		case e.key == "include.path":
			target, err := l.target(path, e.value)
			if err == nil {
				err = l.load(target, depth+1)
			}
			if err != nil {
				return err
			}
		case strings.HasPrefix(e.key, "includeif.") && strings.HasSuffix(e.key, ".path"):
			if l.couldMatter(path, e.value) {
				return errConfigDoubt
			}
		}
	}
	return nil
}

// target gives the file that an include names: absolute, below HOME, or beside the including file.
func (l *configLoader) target(from, path string) (string, error) {
	switch {
	case path == "" || strings.HasPrefix(path, "%("):
		return "", errConfigDoubt
	case strings.HasPrefix(path, "~/") && l.home != "":
		return filepath.Join(l.home, path[2:]), nil
	case path[0] == '~':
		return "", errConfigDoubt
	}
	return resolve(filepath.Dir(from), path), nil
}

// couldMatter looks into a conditional include: its condition need not be judged when nothing in it concerns us. Who
// the user is concerns only those who make a commit.
func (l *configLoader) couldMatter(from, path string) bool {
	target, err := l.target(from, path)
	if err != nil {
		return true
	}
	entries, err := parseConfigFile(target)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	for _, e := range entries {
		if matters(e.key) {
			return true
		}
		l.config.identityDoubt = l.config.identityDoubt || tellsIdentity(e.key)
	}
	return false
}
