package commit

import (
	"compress/zlib"
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
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// maxTries is how often writing an object is tried.
const maxTries = 100

// writeLoose stores an object as git would in a sha1 repository, and returns its id. One that exists only gets a new
// modification time, so that a concurrent gc does not take it for garbage.
func writeLoose(r *git.Repo, config *config.Config, kind plumbing.ObjectType, data []byte) (string, error) {
	id := plumbing.ComputeHash(kind, data).String()
	path := filepath.Join(r.ObjectDir(), id[:2], id[2:])
	if now := time.Now(); os.Chtimes(path, now, now) == nil {
		return id, nil
	}
	share, sync := sharing(config), wantsSync(config)
	err := storeObject(path, kind, data, share, sync)
	for try := 0; errors.Is(err, fs.ErrNotExist) && try < maxTries; try++ {
		err = storeObject(path, kind, data, share, sync) // a gc removed the empty directory meanwhile
	}
	if err != nil {
		return "", fmt.Errorf("write object: %w", err)
	}
	return id, nil
}

// storeObject writes the file of an object under another name, and renames it.
func storeObject(path string, kind plumbing.ObjectType, data []byte, share share, sync bool) error {
	dir := filepath.Dir(path)
	if err := os.Mkdir(dir, 0o777); err == nil {
		share.adjust(dir, true)
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	temp := filepath.Join(dir, "tmp_obj_"+strconv.FormatUint(rand.Uint64(), 36)) // gc clears such names away
	err := writeObject(temp, kind, data, sync)
	if err == nil {
		share.adjust(temp, false)
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp) //nolint:errcheck // the first error is the one to report
	}
	return err
}

func writeObject(path string, kind plumbing.ObjectType, data []byte, sync bool) error {
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
	if sync {
		if err := f.Sync(); err != nil {
			return err
		}
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

// wantsSync reports whether git would sync a loose object to the disk: not by default.
func wantsSync(config *config.Config) bool {
	if on, err := config.Bool("core.fsyncObjectFiles", false); err == nil && on {
		return true
	}
	list, _ := config.Get("core.fsync")
	sync := false
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		name, off := strings.CutPrefix(part, "-")
		switch name {
		case "loose-object", "objects", "committed", "added", "all":
			sync = !off
		case "none":
			sync = false
		}
	}
	return sync
}

// share is what core.sharedRepository adds to the permissions of what is written: bits for reading and writing.
type share fs.FileMode

func sharing(config *config.Config) share {
	value, _ := config.Get("core.sharedRepository")
	switch strings.ToLower(value) {
	case "group", "true", "yes", "on", "1":
		return 0o660
	case "all", "world", "everybody", "2", "3":
		return 0o664
	}
	if mode, err := strconv.ParseUint(value, 8, 16); err == nil && mode > 7 {
		return share(mode & 0o666)
	}
	return 0
}

// adjust opens a file or directory to those whom the repository is shared with. Failure shows itself to them, as in
// git.
func (s share) adjust(path string, dir bool) {
	if s == 0 {
		return
	}
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	mode := info.Mode().Perm() | fs.FileMode(s)
	if dir {
		mode |= fs.FileMode(s) >> 2 & 0o111
		mode |= fs.ModeSetgid
	} else {
		mode &^= 0o222
	}
	os.Chmod(path, mode) //nolint:errcheck // see above
}

// binaryID returns the bytes of an id in hex.
func binaryID(id string) ([]byte, error) { return hex.DecodeString(id) }
