package commit

import (
	"compress/zlib"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/adler32"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// maxTries is the number of further attempts to write an object.
const maxTries = 100

// writeObject stores an object and returns its id.
func (t *Tx) writeObject(kind plumbing.ObjectType, data []byte) (string, error) {
	return writeObject(t.ctx, t.repo, t.config, kind, data)
}

// writeObject stores an object and returns its id, through git if more is needed than a loose SHA-1 object.
func writeObject(ctx context.Context, r *git.Repo, settings *config.Config, kind plumbing.ObjectType, data []byte) (string, error) {
	unusual := r.ObjectFormat() != "sha1"
	for _, key := range [...]string{"core.sharedRepository", "core.fsync", "core.fsyncObjectFiles"} { // permissions, or a sync
		_, isSet := settings.Get(key)
		unusual = unusual || isSet
	}
	if unusual {
		return r.Git().Run(ctx, data, "hash-object", "-w", "--stdin", "-t", kind.String())
	}
	return writeLoose(r, kind, data)
}

// writeLoose stores an object as git would in a sha1 repository, and returns its id. If it exists, only its time is updated, so
// that a concurrent gc does not remove it.
func writeLoose(r *git.Repo, kind plumbing.ObjectType, data []byte) (string, error) {
	id := plumbing.ComputeHash(kind, data).String()
	path := filepath.Join(r.ObjectDir(), id[:2], id[2:])
	if now := time.Now(); os.Chtimes(path, now, now) == nil {
		return id, nil
	}
	err := storeObject(path, kind, data)
	for try := 0; errors.Is(err, fs.ErrNotExist) && try < maxTries; try++ {
		err = storeObject(path, kind, data) // a gc removed the empty directory meanwhile
	}
	if err != nil {
		return "", fmt.Errorf("write object: %w", err)
	}
	return id, nil
}

// storeObject writes the file of an object under another name, and renames it.
func storeObject(path string, kind plumbing.ObjectType, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	temp := filepath.Join(dir, "tmp_obj_"+strconv.FormatUint(rand.Uint64(), 36)) // gc removes files with such names
	err := writeFile(temp, kind, data)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp) //nolint:errcheck // the first error is the one to report
	}
	return err
}

func writeFile(path string, kind plumbing.ObjectType, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
	if err != nil {
		return err
	}
	defer f.Close()
	raw := append(strconv.AppendInt(append(kind.Bytes(), ' '), int64(len(data)), 10), 0)
	raw = append(raw, data...)
	if len(raw) <= maxStoredSize {
		_, err = f.Write(storedBlock(raw))
	} else {
		err = deflate(f, raw)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// maxStoredSize is the size up to which compression saves no block on the disk, while setting it up costs more than all
// the rest.
const maxStoredSize = 4000

// storedBlock returns raw as a zlib stream of one stored (uncompressed) block.
func storedBlock(raw []byte) []byte {
	n := uint16(len(raw))
	out := append(make([]byte, 0, len(raw)+11), 0x78, 0x01, 0x01)
	out = binary.LittleEndian.AppendUint16(out, n)
	out = binary.LittleEndian.AppendUint16(out, ^n)
	out = append(out, raw...)
	return binary.BigEndian.AppendUint32(out, adler32.Checksum(raw))
}

// deflate compresses as quickly as it can, as git does for loose objects.
func deflate(w io.Writer, raw []byte) error {
	z, err := zlib.NewWriterLevel(w, zlib.BestSpeed)
	if err != nil {
		return err
	}
	if _, err := z.Write(raw); err != nil {
		return err
	}
	return z.Close()
}

// binaryID returns the bytes of an id in hex.
func binaryID(id string) ([]byte, error) { return hex.DecodeString(id) }
