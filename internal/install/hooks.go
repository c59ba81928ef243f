package install

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/githooks"
	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// Git reads hooks from its configuration from this version on. Before that, a hook is a file, and ours is a block in it.
const (
	configHooksMajor = 2
	configHooksMinor = 54
)

// hookPart begins the names of our hooks in the configuration.
const hookPart = "ralph-"

// functionStart begins every command of ours there: git appends the hook's arguments to it.
const functionStart = "ralph_hook() {\n"

// hookSet is what is known about the hooks of an installation.
type hookSet struct {
	options   Options
	wanted    []string // names of hooks
	place     githooks.Place
	byConfig  bool
	dir       string   // git's directory of hooks
	otherDirs []string // other directories that may hold blocks of ours
	manager   Manager  // whose the directory is, "" for nobody's
}

// hooks looks at where hooks are to go. Outside of a repository there is only the configuration; found is what is set there.
func (o Options) hooks(ctx context.Context, found []config.Setting) (hookSet, error) {
	h := hookSet{options: o, place: githooks.Place{Plan: o.PlanPath, Program: o.Program}}
	major, minor, err := o.Repo.Version(ctx)
	if err != nil {
		return h, err
	}
	if o.Into == "" && !o.Repo.IsOutside() {
		h.options.Into = h.previousManager()
	}
	h.byConfig = h.options.Into == "" && (major > configHooksMajor || major == configHooksMajor && minor >= configHooksMinor)
	if o.Scope == config.ScopeLocal && !o.Repo.Bare() {
		dir, configured, file, err := o.Repo.HooksDir(ctx)
		if err != nil {
			return h, err
		}
		h.dir = dir
		if own := filepath.Join(o.Repo.CommonDir(), "hooks"); own != dir {
			h.otherDirs = append(h.otherDirs, own)
		}
		h.manager = managerOf(o.Repo.Root(), dir, configured, o.Repo.ConfigFiles().IsOwn(file))
	}
	if o.Hooks || o.keepHooks && h.areInstalled(found) {
		h.wanted, err = o.wantedHooks(ctx)
	}
	if o.removing && err != nil {
		h.wanted, err = allHooks(), nil // which they were once does not matter
	}
	return h, err
}

// areInstalled reports whether hooks of ours are installed anywhere.
func (h hookSet) areInstalled(found []config.Setting) bool {
	for _, s := range found {
		if strings.HasPrefix(s.Key, "hook."+hookPart) || s.Key == InstalledSetting {
			return true
		}
	}
	return slices.ContainsFunc(h.items(), func(i Item) bool { return i.Obsolete })
}

// wantedHooks are those that everybody gets, and those that a setting asks for.
func (o Options) wantedHooks(ctx context.Context) ([]string, error) {
	config, err := o.Repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	wanted := githooks.Names()
	for _, name := range githooks.OnDemand() {
		on, err := config.Bool(githooks.Setting(name), false)
		if err != nil {
			return nil, err
		}
		if on {
			wanted = append(wanted, name)
		}
	}
	return wanted, nil
}

func allHooks() []string { return slices.Concat(githooks.Names(), githooks.OnDemand()) }

// InstalledSetting records that hooks were installed, so that the doctor reports it if another tool removes them silently.
const InstalledSetting = "ralph.hooks.installed"

// settings are those of hooks in the configuration.
func (h hookSet) settings() []setting {
	all := []setting{{section: "ralph", part: "hooks", name: "installed", value: "true", obsolete: len(h.wanted) == 0}}
	for _, name := range allHooks() {
		written := h.byConfig && slices.Contains(h.wanted, name)
		command := functionStart + githooks.Body(name, h.place) + "}; ralph_hook"
		all = append(
			all,
			setting{section: "hook", part: hookPart + name, name: "event", value: name, obsolete: !written},
			setting{section: "hook", part: hookPart + name, name: "command", value: command, prefix: functionStart, obsolete: !written},
		)
	}
	return all
}

// items are the blocks in files: those that are wanted, and those that are there and are not.
func (h hookSet) items() []Item {
	if h.dir == "" {
		return nil
	}
	var items, left []Item // left: where ours may be left, and are not put
	for _, name := range allHooks() {
		wanted := h.inFiles() && slices.Contains(h.wanted, name)
		if h.dir != filepath.Join(h.repo().Root(), huskyDir) { // else it is husky's, see managed
			items = append(items, h.fileItem(h.dir, name, wanted))
		}
		left = append(left, h.fileItem(h.dir, name+legacySuffix, wanted), h.fileItem(h.dir, name+oldSuffix, false))
		for _, dir := range h.otherDirs {
			left = append(left, h.fileItem(dir, name, false))
		}
	}
	items = append(items, h.managed()...)
	items = slices.DeleteFunc(items, func(i Item) bool {
		return i.checkPath() != nil || isLink(i.File) || !hasOurs(i.File) && i.Obsolete || !i.Obsolete && i.Executable && !i.isIn(i.File) && h.whyUnusable(i.File) != ""
	})
	return append(items, slices.DeleteFunc(left, func(i Item) bool { return !hasOurs(i.File) })...)
}

// What tools append to the name of a hook that they replace: the pre-commit framework goes on running it, lefthook does
// not.
const (
	legacySuffix = ".legacy"
	oldSuffix    = ".old"
)

// isIn reports whether a file has the item's block, in whatever form.
func (i Item) isIn(file string) bool {
	text, err := read(file)
	return err == nil && parseBlocks(text, i.form).block != ""
}

// hasOurs reports whether a file has a block of ours, or what is left of one.
func hasOurs(file string) bool {
	text, err := read(file)
	return err == nil && Has(text)
}

// inFiles reports whether hooks go into git's own directory.
func (h hookSet) inFiles() bool { return !h.byConfig && h.options.Into == "" && h.manager == "" }

// fileItem is the block in a hook's file.
func (h hookSet) fileItem(dir, name string, wanted bool) Item {
	hook, _, _ := strings.Cut(name, ".")
	body := strings.TrimSuffix(githooks.Body(hook, h.place), "\n")
	return Item{
		Name: name + " hook", File: filepath.Join(dir, name), Executable: true, Obsolete: !wanted, Root: h.rootOf(dir),
		form: scriptForm{strings.Split(body, "\n")},
	}
}

// rootOf returns the worktree's root for a directory in it, "" for one elsewhere: in git's own directory, or in one of the
// user's.
func (h hookSet) rootOf(dir string) string {
	if root := h.repo().Root(); root != "" && isBelow(root, dir) && !isBelow(h.repo().CommonDir(), dir) {
		return root
	}
	return ""
}

// isBelow reports whether path is dir or in it. It only compares the names.
func isBelow(dir, path string) bool {
	inside, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(inside)
}

// scriptForm is the block of a script for sh: at its beginning, so that whatever ends the script, and with what status,
// does so as before.
type scriptForm struct{ body []string }

func (f scriptForm) lines() []string { return f.body }

// kindOf judges the lines of a block that has lost its end.
func (f scriptForm) kindOf(line string) kind {
	if slices.ContainsFunc(f.body, func(own string) bool { return strings.TrimSpace(own) == line }) {
		return ours
	}
	return theirs
}

func (scriptForm) outside(string, []string) (bool, []Clash) { return false, nil }
func (scriptForm) whole() bool                              { return true }
func (scriptForm) blank() string                            { return "#!/bin/sh\n" }

// start returns the position after the line that names the shell.
func (scriptForm) start(text string) int {
	if !strings.HasPrefix(text, "#!") {
		return 0
	}
	if at := strings.IndexByte(text, '\n'); at >= 0 {
		return at + 1
	}
	return len(text)
}

// whyUnusable returns why no block can be added to a hook's file, "" if one can. Husky also runs files that are not executable.
func (h hookSet) whyUnusable(file string) string {
	info, err := os.Lstat(file)
	if err != nil {
		return ""
	}
	if info.Mode()&os.ModeSymlink != 0 {
		return "is a symbolic link"
	}
	if !info.Mode().IsRegular() {
		return "is no file"
	}
	if !isRunnable(info) && h.options.Into != Husky {
		return "is not executable, so git does not run it"
	}
	text, err := read(file)
	switch shell, _, _ := strings.Cut(text, "\n"); {
	case err != nil:
		return "cannot be read"
	case strings.Contains(text, "\r\n"):
		return "has line ends that sh does not take"
	case strings.HasPrefix(text, "#!") && !isShell(shell):
		return "is no script for sh (" + strings.TrimSpace(shell[2:]) + ")"
	case strings.ContainsRune(text, 0):
		return "is no script"
	case readsItself(text):
		return "has another program read it"
	}
	if m := managerIn(text); m != "" {
		return "belongs to " + string(m)
	}
	return ""
}

// readsItself reports whether a script hands its own text to another program, which would read our lines in its own language:
// `exec python3 "$0" "$@"`.
func readsItself(text string) bool {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if strings.Contains(line, "exec ") && (slices.Contains(words, `"$0"`) || slices.Contains(words, "$0")) {
			return true
		}
	}
	return false
}

// isShell reports whether a first line names a shell that reads scripts for sh.
func isShell(line string) bool {
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	for len(words) > 1 && (filepath.Base(words[0]) == "env" || filepath.Base(words[0]) == "busybox" || words[0] == "-S") {
		words = words[1:]
	}
	return len(words) > 0 && slices.Contains([]string{"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"}, filepath.Base(words[0]))
}

// repo is what the hooks are for.
func (h hookSet) repo() *git.Repo { return h.options.Repo }
