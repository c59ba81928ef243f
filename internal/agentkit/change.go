package agentkit

import (
	"fmt"
	"io/fs"
	"os"

	"git-ralph/internal/jsonc"
	"git-ralph/internal/safefile"
)

// An Action says what is done with a file.
type Action string

const (
	Create Action = "create"
	Edit   Action = "edit"
	Delete Action = "delete"
	Leave  Action = "leave" // it is somebody else's, or was changed since; Why says which
)

// A Change is what is done with one file.
type Change struct {
	Path   string
	Action Action
	Why    string
	text   string // the new content
	dirs   int    // above the file that go with it, once they are empty
}

// Install returns the changes that install everything for an agent, none where it is installed already. The errors are ErrAgent,
// ErrLink, those of jsonc and of the file system.
func (p Places) Install(agent string, scope Scope) ([]Change, error) {
	return p.checked(agent, scope, item.install)
}

// Uninstall returns the changes that remove it.
func (p Places) Uninstall(agent string, scope Scope) ([]Change, error) {
	return p.checked(agent, scope, item.uninstall)
}

// checked returns changes, unless one would be made elsewhere.
func (p Places) checked(agent string, scope Scope, each eachItem) ([]Change, error) {
	all, err := p.changes(agent, scope, each)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		if c.Action == Leave {
			continue
		}
		if err := p.checkLinks(scope, c.Path); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// eachItem returns how one file changes.
type eachItem func(i item, old string, exists bool) (Change, error)

func (p Places) changes(agent string, scope Scope, each eachItem) (all []Change, err error) {
	items, err := p.items(agent, scope)
	if err != nil {
		return nil, err
	}
	for _, i := range items {
		data, exists, err := safefile.ReadIfAny(i.path)
		if err != nil {
			return nil, err
		}
		c, err := each(i, string(data), exists)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", i.path, err)
		}
		if c.Action != "" {
			c.Path, c.dirs = i.path, i.dirs
			all = append(all, c)
		}
	}
	return all, nil
}

// install returns how a file is installed; the zero Change where it is as it should be.
func (i item) install(old string, exists bool) (Change, error) {
	switch {
	case i.leave:
		return Change{}, nil
	case i.table:
		return addTable(old, exists), nil
	case i.text == "":
		return i.addEntries(old, exists)
	case old == i.text:
		return Change{}, nil
	case isLink(i.path):
		return Change{Action: Leave, Why: "it is a symbolic link"}, nil
	case !exists:
		return Change{Action: Create, text: i.text}, nil
	case !isPristine(old):
		return Change{Action: Leave, Why: "it is not what git ralph installed"}, nil
	}
	return Change{Action: Edit, text: i.text}, nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// addEntries replaces our own entries in a file of settings. Where they are there already, wherever they stand, nothing changes.
func (i item) addEntries(old string, exists bool) (Change, error) {
	if current, err := i.hasEntries(old); current || err != nil {
		return Change{}, err
	}
	text, gone, err := jsonc.Remove(old, isOurs)
	if err != nil {
		return Change{}, err
	}
	if gone {
		text, exists = "", false
	}
	action := Edit
	if !exists {
		action = Create
	}
	for n, h := range i.hooks {
		if text, err = jsonc.Add(text, exists || n > 0, []string{"hooks", h.event}, h.element); err != nil {
			return Change{}, err
		}
	}
	if i.tools != "" {
		text, err = jsonc.AddMember(text, exists || len(i.hooks) > 0, []string{i.servers, serverName}, i.tools)
	}
	if i.set[0] != "" && err == nil {
		text, err = jsonc.SetMissing(text, i.set[0], i.set[1])
	}
	return Change{Action: action, text: text}, err
}

// hasEntries reports whether a file of settings has exactly our entries. Of an MCP server with our name, another one of the user's
// is as good.
func (i item) hasEntries(text string) (bool, error) {
	root, err := jsonc.Parse(text)
	if err != nil || root == nil || i.tools != "" && root.Get(i.servers).Get(serverName) == nil {
		return false, err
	}
	found := 0
	events := root.Get("hooks")
	if events == nil {
		return len(i.hooks) == 0, nil
	}
	for e := range events.Members {
		for m := range events.Members[e].Members {
			if isOurs(&events.Members[e].Members[m]) {
				found++
			}
		}
	}
	for _, h := range i.hooks {
		list := events.Get(h.event)
		if list == nil || !holds(list, h.element) {
			return false, nil
		}
	}
	return found == len(i.hooks), nil
}

func holds(list *jsonc.Value, element string) bool {
	for i := range list.Members {
		if list.Members[i].Text == element {
			return true
		}
	}
	return false
}

// uninstall returns how a file becomes what it was.
func (i item) uninstall(old string, exists bool) (Change, error) {
	switch {
	case !exists:
		return Change{}, nil
	case i.table:
		return removeTable(old), nil
	}
	if i.text == "" {
		text, gone, err := jsonc.Remove(old, isOurs)
		switch {
		case err != nil || text == old && !gone:
			return Change{}, err
		case gone:
			return Change{Action: Delete}, nil
		}
		return Change{Action: Edit, text: text}, nil
	}
	if isPristine(old) && !isLink(i.path) {
		return Change{Action: Delete}, nil
	}
	return Change{Action: Leave, Why: "it is not what git ralph installed"}, nil
}

// RemoveLeftovers removes what a killed install or uninstall left beside the files of an agent, also of those that do not change.
func (p Places) RemoveLeftovers(agent string, scope Scope) {
	items, _ := p.items(agent, scope) //nolint:errcheck // for an agent that there is not, there is nothing
	for _, i := range items {
		if p.checkLinks(scope, i.path) == nil {
			safefile.RemoveLeftovers(i.path, i.dirs)
		}
	}
}

// Apply carries out changes: all of them, or none where a file cannot be written. Directories that become empty are removed.
func Apply(changes []Change) (err error) {
	var edits []*safefile.Edit
	defer func() {
		for i := len(edits) - 1; i >= 0; i-- {
			edits[i].Close()
		}
	}()
	for _, c := range changes {
		if c.Action == Leave {
			continue
		}
		e, err := safefile.BeginEdit(c.Path)
		if err != nil {
			return err
		}
		edits = append(edits, e)
		if c.Action == Delete {
			e.PrepareRemoval(c.dirs)
		} else if err := e.Prepare([]byte(c.text)); err != nil {
			return err
		}
	}
	for _, e := range edits {
		if err := e.Commit(); err != nil {
			return err
		}
	}
	return nil
}
