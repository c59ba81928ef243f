package treemerge

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/odb"
	"git-ralph/internal/sha256"
)

// Trees are the trees of a repository, and those that were made here and are not written yet.
type Trees struct {
	repo   *git.Repo
	reader *git.Reader
	read   map[string][]byte
	made   map[string]bool   // in read, and not in the repository
	blobs  map[string][]byte // that were made here, and are not in the repository
}

// Open returns the trees of a repository, read through reader.
func Open(r *git.Repo, reader *git.Reader) *Trees {
	return &Trees{repo: r, reader: reader, read: map[string][]byte{"": nil}, made: map[string]bool{}, blobs: map[string][]byte{}}
}

// Data returns the tree object of an id; "" is the empty tree.
func (t *Trees) Data(id string) ([]byte, error) {
	if data, known := t.read[id]; known {
		return data, nil
	}
	o, err := t.reader.Ask(id)
	if err != nil {
		return nil, fmt.Errorf("tree %.12s: %w", id, err)
	}
	if o.Kind != "tree" {
		return nil, fmt.Errorf("%s %.12s: want a tree", o.Kind, id)
	}
	t.read[id] = o.Data
	return o.Data, nil
}

// TreeOf returns the id of the tree of a commit.
func (t *Trees) TreeOf(id string) (string, error) {
	o, err := t.reader.Commit(id)
	if err != nil {
		return "", err
	}
	size := hex.EncodedLen(t.repo.IDSize())
	if len(o.Data) < len("tree ")+size {
		return "", fmt.Errorf("commit %.12s: it has no tree", id)
	}
	return string(o.Data[len("tree "):][:size]), nil
}

// AddBlob remembers a file's content, which is written with the first tree that has it, and returns its id.
func (t *Trees) AddBlob(data []byte) string {
	id := t.id(plumbing.BlobObject, data)
	t.blobs[id] = data
	return id
}

// Blob returns the content of a file; "" is an empty one.
func (t *Trees) Blob(id string) ([]byte, error) {
	if data, made := t.blobs[id]; made || id == "" {
		return data, nil
	}
	o, err := t.reader.Ask(id)
	if err != nil || o.Kind != "blob" {
		return nil, fmt.Errorf("blob %.12s: %w", id, cmp.Or(err, git.ErrNoObject))
	}
	return o.Data, nil
}

// add keeps a tree in memory and returns its id: "" for a tree without entries, because git stores no empty directory.
func (t *Trees) add(data []byte) string {
	if len(data) == 0 {
		return ""
	}
	id := t.id(plumbing.TreeObject, data)
	if _, known := t.read[id]; !known {
		t.read[id], t.made[id] = data, true
	}
	return id
}

func (t *Trees) id(kind plumbing.ObjectType, data []byte) string {
	if t.repo.ObjectFormat() != "sha256" {
		return plumbing.ComputeHash(kind, data).String()
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(data))
	h.Write(data) //nolint:errcheck // it cannot fail
	return h.Hex()
}

// Write stores a tree, with those below it that were made here, and returns its id.
func (t *Trees) Write(ctx context.Context, id string) (string, error) {
	if id != "" && !t.made[id] {
		return id, nil
	}
	data := t.read[id]
	for rest := data; ; {
		e, next, ok := odb.NextEntry(rest, t.repo.IDSize())
		if !ok {
			break
		}
		if err := t.writeEntry(ctx, e); err != nil {
			return "", err
		}
		rest = next
	}
	written, err := commit.WriteTree(ctx, t.repo, data)
	delete(t.made, written)
	return written, err
}

// writeEntry stores what an entry of a tree names, where it was made here.
func (t *Trees) writeEntry(ctx context.Context, e odb.TreeEntry) error {
	id := hex.EncodeToString(e.ID)
	if e.IsTree() {
		if !t.made[id] {
			return nil
		}
		_, err := t.Write(ctx, id)
		return err
	}
	data, made := t.blobs[id]
	if !made {
		return nil
	}
	_, err := commit.WriteBlob(ctx, t.repo, data)
	return err
}
