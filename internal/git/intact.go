package git

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"git-ralph/internal/git/odb"
	"git-ralph/internal/sha256"
)

// ErrAltered: the content of an object is not what its id is the hash of.
var ErrAltered = errors.New("is not what its id stands for")

// Intact checks that objects are what their ids stand for, which git itself does not when it reads them. Each is read once.
type Intact struct {
	repo   *Repo
	reader *Reader
	known  map[string]error // of trees, with all that is in them; and of files
}

// NewIntact returns a check that reads objects by a reader.
func NewIntact(repo *Repo, reader *Reader) *Intact {
	return &Intact{repo, reader, map[string]error{}}
}

// Commit returns the tree of a commit, and checks the commit. The error is ErrAltered or ErrMissing.
func (c *Intact) Commit(id string) (tree string, err error) {
	objects, err := c.read("commit", id)
	if err != nil {
		return "", err
	}
	return RootOf(objects[0].Data), nil
}

// Tree checks a tree and everything in it; other repositories in it are left out. The error is ErrAltered or ErrMissing.
func (c *Intact) Tree(id string) error {
	if err, known := c.known[id]; known {
		return err
	}
	objects, err := c.read("tree", id)
	if err == nil {
		err = c.content(id, objects[0].Data)
	}
	c.known[id] = err
	return err
}

// content checks what is in a tree.
func (c *Intact) content(id string, data []byte) error {
	var trees, files []string
	for len(data) > 0 {
		entry, rest, ok := odb.NextEntry(data, c.repo.IDSize())
		if !ok {
			return altered("tree", id)
		}
		data = rest
		name := fmt.Sprintf("%x", entry.ID)
		switch {
		case entry.IsTree():
			trees = append(trees, name)
		case entry.IsFile(), entry.IsLink():
			files = append(files, name)
		}
	}
	for _, tree := range trees {
		if err := c.Tree(tree); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(files, batch) {
		if err := c.files(some); err != nil {
			return err
		}
	}
	return nil
}

// batch is how many objects git is sent the names of before the first is read: git waits while nobody reads what it prints, and
// so would we.
const batch = 256

func (c *Intact) files(ids []string) error {
	unread := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, known := c.known[id]; return known })
	if _, err := c.read("blob", unread...); err != nil {
		return err
	}
	for _, id := range unread {
		c.known[id] = nil
	}
	return nil
}

// read reads objects of a kind, and checks each.
func (c *Intact) read(kind string, ids ...string) ([]Object, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if err := c.reader.Send(ids...); err != nil {
		return nil, err
	}
	objects := make([]Object, len(ids))
	var failed error
	for i, id := range ids {
		object, err := c.reader.Receive()
		switch {
		case errors.Is(err, ErrNoObject):
			err = fmt.Errorf("%s %.12s: %w", kind, id, ErrMissing)
		case err != nil:
			return nil, c.unreadable(kind, id, err)
		case object.Kind != kind || c.repo.objectID(kind, object.Data) != id:
			err = altered(kind, id)
		}
		objects[i], failed = object, errors.Join(failed, err)
		if kind == "blob" {
			objects[i].Data = nil
		}
	}
	return objects, failed
}

// unreadable returns the error for an object that git could not read: a partial clone may not have it.
func (c *Intact) unreadable(kind, id string, why error) error {
	settings, err := c.repo.Config(c.reader.ctx)
	switch {
	case c.reader.ctx.Err() != nil:
		return why
	case err == nil && len(settings.Promisors()) > 0:
		return fmt.Errorf("%s %.12s: %w", kind, id, ErrMissing)
	}
	return altered(kind, id)
}

func altered(kind, id string) error { return fmt.Errorf("%s %.12s %w", kind, id, ErrAltered) }

// objectID returns the id of an object with this content.
func (r *Repo) objectID(kind string, data []byte) string {
	if r.format == "sha256" {
		return sha256.Hex(fmt.Sprintf("%s %d\x00%s", kind, len(data), data))
	}
	object, err := plumbing.ParseObjectType(kind)
	if err != nil {
		return ""
	}
	return plumbing.ComputeHash(object, data).String()
}
