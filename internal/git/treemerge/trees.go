package treemerge

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/odb"
)

// Trees are the trees of a repository, and those that were made here and are not written yet.
type Trees struct {
	repo   *git.Repo
	reader *git.Reader
	read   map[string][]byte
	made   map[string]bool // in read, and not in the repository
}

// Open returns the trees of a repository, read through reader.
func Open(r *git.Repo, reader *git.Reader) *Trees {
	return &Trees{repo: r, reader: reader, read: map[string][]byte{"": nil}, made: map[string]bool{}}
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

// make remembers a tree. One without entries is "", which git has no entry for.
func (t *Trees) make(data []byte) string {
	if len(data) == 0 {
		return ""
	}
	id := t.id(data)
	if _, known := t.read[id]; !known {
		t.read[id], t.made[id] = data, true
	}
	return id
}

func (t *Trees) id(data []byte) string {
	var h hash.Hash = sha1.New()
	if t.repo.ObjectFormat() == "sha256" {
		h = sha256.New()
	}
	fmt.Fprintf(h, "tree %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
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
		if below := hex.EncodeToString(e.ID); e.IsTree() && t.made[below] {
			if _, err := t.Write(ctx, below); err != nil {
				return "", err
			}
		}
		rest = next
	}
	written, err := commit.WriteTree(ctx, t.repo, data)
	delete(t.made, written)
	return written, err
}
