package install

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/safefile"
)

// AttributesName is the file of attributes that git reads in a worktree, and the name of the item in it.
const AttributesName = ".gitattributes"

// sharedAttributes is the name of the item in the attributes that worktrees share.
const sharedAttributes = "attributes"

// Items lists what an installation consists of, .gitattributes aside: the configuration first. Git is run once for the
// settings.
func Items(ctx context.Context, o Options) ([]Item, error) {
	config, err := o.Repo.ConfigFiles().Path(ctx, o.Scope)
	if err != nil {
		return nil, err
	}
	found, err := o.Repo.ConfigFiles().Settings(ctx, settingsPattern)
	if err != nil {
		return nil, err
	}
	hooks, err := o.hooks(ctx, found)
	if err == nil && !o.removing {
		err = hooks.checkInto()
	}
	if err != nil {
		return nil, err
	}
	items := []Item{{
		Name: "configuration", File: config,
		form: configForm{file: config, settings: append(settings(o.Driver, o.FormerDrivers), hooks.settings()...), found: found},
	}}
	attributes, err := o.Repo.ConfigFiles().AttributesPath(ctx, o.Scope)
	if err != nil {
		return items, err
	}
	if attributes != "" {
		items = append(items, Item{Name: sharedAttributes, File: attributes, form: attributesForm{file: attributes, path: o.PlanPath}})
	}
	return append(items, hooks.items()...), nil
}

// Attributes is the item that is for everybody: .gitattributes at the root of the worktree, to be committed. Where that is
// no regular file the error is an *UnreadError; in a bare repository it is git.ErrBare.
func Attributes(repo *git.Repo, planPath string) (Item, error) {
	if repo.Bare() {
		return Item{}, git.ErrBare
	}
	file := filepath.Join(repo.Root(), AttributesName)
	err := safefile.Check(repo.Root(), AttributesName)
	if errors.Is(err, safefile.ErrSymlink) || errors.Is(err, safefile.ErrNotFile) {
		err = &UnreadError{err}
	}
	return Item{Name: AttributesName, File: file, Root: repo.Root(), form: attributesForm{file: file, path: planPath}}, err
}

// An UnreadError says that git would not read .gitattributes: it is a directory or the like, or a symbolic link, which git
// does not follow there.
type UnreadError struct{ err error }

func (e *UnreadError) Error() string { return e.err.Error() }

func (e *UnreadError) Unwrap() error { return e.err }

// Hint says what can be done.
func (e *UnreadError) Hint() string {
	return "git reads " + AttributesName + " only where it is a regular file: make it one, then run this again"
}

// Declared reports whether .gitattributes in the worktree sets the plan's attributes: by our block, or to any value by lines of
// the user's own. It returns true if there is no worktree, since there is no file to change.
func Declared(repo *git.Repo, planPath string) bool {
	item, err := Attributes(repo, planPath)
	if err != nil {
		return errors.Is(err, git.ErrBare)
	}
	text, err := read(item.File)
	state, others := item.Check(text)
	return err == nil && (state == Installed || state == ByHand || len(others) > 0)
}

// LacksDriver reports whether .gitattributes names our merge driver while git has no such driver configured, as in a new clone:
// git then silently merges plans as text.
func LacksDriver(repo *git.Repo, config *config.Config, planPath string) bool {
	if driver, _ := config.Get("merge.ralph.driver"); driver != "" {
		return false
	}
	item, err := Attributes(repo, planPath)
	if err != nil {
		return false
	}
	text, err := read(item.File)
	state, _ := item.Check(text)
	return err == nil && (state == Installed || state == Outdated || state == ByHand)
}

// Committed reports whether the last commit has our lines in .gitattributes.
func Committed(ctx context.Context, repo *git.Repo) bool {
	reader := repo.Reader(ctx)
	defer reader.Close()
	head, err := reader.Resolve("HEAD")
	if err != nil {
		return false
	}
	blob, err := reader.File(head, AttributesName)
	return err == nil && Has(string(blob.Data))
}

// DeletedFromCommit lists the files that changes delete and that the last commit has: others have them too. The paths are from
// the worktree's root.
func DeletedFromCommit(ctx context.Context, repo *git.Repo, changes []Change) []string {
	reader := repo.Reader(ctx)
	defer reader.Close()
	head, err := reader.Resolve("HEAD")
	if err != nil {
		return nil
	}
	var paths []string
	for _, c := range changes {
		name, err := filepath.Rel(repo.Root(), c.File)
		if !c.Deleted || err != nil || !filepath.IsLocal(name) {
			continue
		}
		if _, err := reader.File(head, filepath.ToSlash(name)); err == nil {
			paths = append(paths, filepath.ToSlash(name))
		}
	}
	return paths
}

// sharedWithOthers reports whether another scope of the repository is installed, which needs the attributes that all
// worktrees share. config is the file of the scope in question.
func sharedWithOthers(o Options, config string) (bool, error) {
	if o.Repo.IsOutside() {
		return false, nil
	}
	common := o.Repo.CommonDir()
	files := []string{filepath.Join(common, "config"), filepath.Join(common, "config.worktree")}
	linked, err := os.ReadDir(filepath.Join(common, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	for _, worktree := range linked {
		files = append(files, filepath.Join(common, "worktrees", worktree.Name(), "config.worktree"))
	}
	for _, file := range files {
		if file == config {
			continue
		}
		if data, err := safefile.Read(file); err == nil && Has(string(data)) {
			return true, nil
		}
	}
	return false, nil
}

// selected returns all items that the options name: Items, and the attributes in the worktree where they are wanted.
func selected(ctx context.Context, o Options) ([]Item, error) {
	items, err := Items(ctx, o)
	if err != nil || !o.Attributes {
		return items, err
	}
	item, err := Attributes(o.Repo, o.PlanPath)
	if err != nil {
		return nil, err
	}
	return append(items, item), nil
}
