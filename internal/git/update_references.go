package git

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// ReferenceChange is a compare-and-swap of one reference.
type ReferenceChange struct {
	Name string // full
	Old  string // id that it must have; "": it must not exist
	New  string // id that it gets; "": it is deleted. Equal to Old: it is only compared
}

// UpdateRefCommand returns the change as `git update-ref --stdin -z` reads it, for ids of idSize bytes.
func (c ReferenceChange) UpdateRefCommand(idSize int) string {
	const plain, zero = "option no-deref\x00", "00"
	old, next := cmp.Or(c.Old, strings.Repeat(zero, idSize)), c.New
	switch {
	case c.New == c.Old:
		return plain + "verify " + c.Name + "\x00" + old + "\x00"
	case c.New == "":
		return plain + "delete " + c.Name + "\x00" + old + "\x00"
	}
	return plain + "update " + c.Name + "\x00" + next + "\x00" + old + "\x00"
}

// UpdateReferences makes all changes in one transaction, or none. reason goes into the reflogs. Which of the expected values
// was wrong, or which lock was held, git reports in words only: the caller reads the references again.
func UpdateReferences(ctx context.Context, r *Repo, reason string, changes []ReferenceChange) error {
	var commands strings.Builder
	for _, c := range changes {
		commands.WriteString(c.UpdateRefCommand(r.IDSize()))
	}
	_, err := r.git.Run(ctx, []byte(commands.String()), "update-ref", "-m", reason, "--stdin", "-z")
	return err
}

// ReferencesBelow returns the ids of the references whose full names begin with prefix, which ends in a slash. It needs a
// process only where they are no files.
func ReferencesBelow(ctx context.Context, r *Repo, prefix string) (map[string]string, error) {
	ids := map[string]string{}
	err := ErrUnexpectedReference
	if !r.reftable {
		err = readReferencesBelow(r, prefix, ids)
	}
	if !errors.Is(err, ErrUnexpectedReference) {
		return ids, err
	}
	clear(ids)
	out, err := r.git.Run(ctx, nil, "for-each-ref", "--format=%(objectname) %(refname)", prefix)
	for line := range strings.Lines(out) {
		if id, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
			ids[name] = id
		}
	}
	return ids, err
}

// ReferenceID returns the id of the reference with a full name, "" where there is none. Unlike Repo.IDAt it needs no process for one
// outside of TipDirectories, of which a worktree may have its own, and it follows nothing.
func ReferenceID(ctx context.Context, r *Repo, name string) (string, error) {
	ref, err := r.ReadReference(name)
	switch {
	case err == nil && ref.Target == "":
		return hex.EncodeToString(ref.ID[:r.IDSize()]), nil
	case errors.Is(err, fs.ErrNotExist):
		if id, err := packedID(r, name); err == nil {
			return id, nil
		}
	}
	return r.IDAt(ctx, name)
}

// packedID returns the id of a packed reference, "" where there is none.
func packedID(r *Repo, name string) (string, error) {
	ids := map[string]string{}
	err := readPackedBelow(r, name, ids)
	return ids[name], err
}

// readReferencesBelow reads the files first and then the packed references: git packs a reference before it removes the file.
func readReferencesBelow(r *Repo, prefix string, ids map[string]string) error {
	root := filepath.Join(r.commonDir, filepath.FromSlash(prefix))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(root, path)
		name := prefix + filepath.ToSlash(relative)
		if err != nil || !isReferenceName(name) {
			return err
		}
		ref, err := r.ReadReference(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && ref.Target != "" {
			return ErrUnexpectedReference
		}
		if err == nil {
			ids[name] = hex.EncodeToString(ref.ID[:r.IDSize()])
		}
		return err
	})
	if err != nil {
		return err
	}
	return readPackedBelow(r, prefix, ids)
}

// readPackedBelow looks only at the lines with the prefix: a repository may have a hundred thousand others.
func readPackedBelow(r *Repo, prefix string, ids map[string]string) error {
	data, err := os.ReadFile(filepath.Join(r.commonDir, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	size := hex.EncodedLen(r.IDSize())
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte(" "+prefix))
		if i < 0 {
			return nil
		}
		at += i
		if at < size {
			return ErrUnexpectedReference
		}
		name, _, _ := bytes.Cut(data[at+1:], []byte("\n"))
		id := data[at-size : at]
		if _, ok := r.parseID(id); !ok {
			return ErrUnexpectedReference
		}
		if _, known := ids[string(name)]; !known {
			ids[string(bytes.TrimRight(name, "\r"))] = string(id)
		}
		at += 1 + len(name)
	}
}

// PreparedReferences are changes of references that are locked and compared, and not made yet.
type PreparedReferences struct{ talk *proc.Conversation }

// PrepareReferences locks all references of a transaction and compares them with what is expected. The caller must call Commit
// or Abort. The end of ctx ends neither: a git that is killed leaves its locks behind.
func PrepareReferences(ctx context.Context, r *Repo, reason string, changes []ReferenceChange) (*PreparedReferences, error) {
	talk, err := r.git.Start(context.WithoutCancel(ctx), r.git.Cmd("update-ref", "-m", reason, "--stdin", "-z"))
	if err != nil {
		return nil, err
	}
	var commands strings.Builder
	commands.WriteString("start\x00")
	for _, c := range changes {
		commands.WriteString(c.UpdateRefCommand(r.IDSize()))
	}
	p := &PreparedReferences{talk}
	if _, err := talk.Write([]byte(commands.String() + "prepare\x00")); err != nil {
		return nil, err
	}
	for _, word := range []string{"start", "prepare"} {
		if err := p.expect(word); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Commit makes the changes.
func (p *PreparedReferences) Commit() error {
	if _, err := p.talk.Write([]byte("commit\x00")); err != nil {
		return err
	}
	err := p.expect("commit")
	if err == nil {
		p.talk.CloseInput()
		err = p.talk.Close()
	}
	return err
}

// Abort gives up the locks, and changes nothing.
func (p *PreparedReferences) Abort() {
	p.talk.CloseInput()
	p.talk.Close() //nolint:errcheck // there is nothing that could fail
}

func (p *PreparedReferences) expect(word string) error {
	line, err := p.talk.Out.ReadString('\n')
	if err == nil && strings.TrimSuffix(line, "\n") != word+": ok" {
		err = fmt.Errorf("unexpected answer %q", line)
	}
	if err != nil {
		return p.talk.Fail(err)
	}
	return nil
}
