package install

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// Options configure what is installed, and where.
type Options struct {
	Repo          *git.Repo // git.OutsideRepository for the scopes global and system
	Scope         config.Scope
	PlanPath      string   // slash-separated, from a worktree's root
	Driver        string   // what merge.ralph.driver is to be
	FormerDrivers []string // what else it may be and be ours
	Attributes    bool     // .gitattributes too: install adds to it, uninstall takes out what is committed
	Hooks         bool     // git's hooks too; uninstall takes them out in any case
	Program       string   // git-ralph, absolute, for hooks whose PATH does not have it
	Into          Manager  // whose files hooks go into, where it is not git's own
	Force         bool     // write even where the user set something else; theirs stays, and gives way to ours
	DryRun        bool     // change nothing

	keepHooks bool // as they are, without Hooks
	removing  bool // nothing is to be put anywhere
}

// A Change is what becomes of one file.
type Change struct {
	Item    string
	File    string
	Added   []string // lines
	Removed []string
	Deleted bool // the file went, since it was made for nothing else
}

// ClashError says that the user set something that an installation would change.
type ClashError struct{ Clashes []Clash }

// Error returns one line per clash.
func (e *ClashError) Error() string {
	var lines []string
	for _, c := range e.Clashes {
		where := c.File
		if where == "" {
			where = "the command line"
		}
		lines = append(lines, fmt.Sprintf("%s is %q in %s", c.Name, c.Value, where))
	}
	return strings.Join(lines, "\n")
}

// Hint returns what the user can do.
func (e *ClashError) Hint() string {
	return "nothing was changed. --force writes ours behind it, and uninstall takes only that away again"
}

// Install puts every item into its file. It changes nothing where all are there. The errors are *ClashError, those of
// safefile.BeginEdit and git's own; then nothing was changed.
func Install(ctx context.Context, o Options) ([]Change, error) {
	o.keepHooks = !o.Hooks
	items, err := selected(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := clashes(items, o.Force); err != nil {
		return nil, err
	}
	return edit(items, o.DryRun, fix)
}

func fix(i Item, f file) file {
	if i.Obsolete {
		return remove(i, f)
	}
	if state, _ := i.Check(f.text); state == ByHand {
		return f
	}
	return file{text: i.Fix(f.text, !f.exists, f.dirs), exists: true}
}

// Uninstall takes every item out of its file. What another scope still needs stays, and so does what the last commit has
// in .gitattributes, unless Attributes is set: that is for everybody who has the repository.
func Uninstall(ctx context.Context, o Options) ([]Change, error) {
	o.removing = true
	items, err := Items(ctx, o)
	if err != nil {
		return nil, err
	}
	needed, err := sharedWithOthers(o, items[0].File)
	if err != nil {
		return nil, err
	}
	if needed {
		items = slices.DeleteFunc(items, func(i Item) bool { return i.Name == sharedAttributes })
	}
	if o.Attributes || !needed && !o.Repo.Bare() && !Committed(ctx, o.Repo) {
		item, err := Attributes(o.Repo, o.PlanPath)
		switch {
		case err == nil:
			items = append(items, item)
		case o.Attributes:
			return nil, err
		}
	}
	return edit(items, o.DryRun, remove)
}

func remove(i Item, f file) file {
	rest, gone, dirs := i.Remove(f.text)
	return file{text: rest, exists: !gone, dirs: dirs}
}

// clashes returns what is in the way of any item that would be written.
func clashes(items []Item, force bool) error {
	if force {
		return nil
	}
	var all []Clash
	for _, i := range items {
		text, err := read(i.File)
		if err != nil {
			return err
		}
		if state, others := i.Check(text); state != Installed && !i.Obsolete {
			all = append(all, others...)
		}
	}
	if len(all) > 0 {
		return &ClashError{all}
	}
	return nil
}
