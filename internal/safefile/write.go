package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Errors of Write.
var (
	// ErrSymlink: the file or a directory on the way to it is a symbolic link, which Write never follows.
	ErrSymlink = errors.New("is a symbolic link")
	// ErrNotFile: there is something other than a regular file at the path.
	ErrNotFile = errors.New("is not a regular file")
	// ErrNotDirectory: there is a file where a directory is needed.
	ErrNotDirectory = errors.New("is not a directory")
)

// Write replaces the file name (slash-separated, below root) by data: a temporary file in the same directory, synced,
// then renamed. A reader sees the old content or the new one; after an error the old file is untouched and the
// temporary one is removed. Missing directories are made. An existing file keeps its permissions, a new one gets perm minus
// the umask. The path of root may contain symbolic links; nothing below root may be one.
func Write(root, name string, data []byte, perm fs.FileMode) error {
	return write(root, name, data, perm, true)
}

// WriteCached is Write without the sync: what it wrote survives the death of the process, but not a power failure.
func WriteCached(root, name string, data []byte, perm fs.FileMode) error {
	return write(root, name, data, perm, false)
}

func write(root, name string, data []byte, perm fs.FileMode, sync bool) error {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := makeParents(dir, name); err != nil {
		return err
	}
	keep, err := existingMode(dir, name)
	if err != nil {
		return err
	}
	temp, err := writeTemp(dir, name, data, perm, keep, sync)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := dir.Rename(temp, name); err != nil {
		dir.Remove(temp) //nolint:errcheck // the first error is the one to return
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// Check returns the error of Write if name or a directory on the way to it is a link, or is not a file or directory as it should
// be. What is missing is no error.
func Check(root, name string) error {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	for _, p := range parents(name) {
		if err := checkDirectory(dir, p); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
	}
	_, err = existingMode(dir, name)
	return err
}

// CheckWritable is Check, and returns ErrReadOnly for a file whose permissions allow nobody to write it. Write replaces such a file too:
// whoever made it read-only has to be asked, which is the caller's part.
func CheckWritable(root, name string) error {
	if err := Check(root, name); err != nil {
		return err
	}
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
	if err == nil && info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%s %w", name, ErrReadOnly)
	}
	return nil // what is missing is no error
}

// parents lists the directories above name, outermost first: "a/b/c" gives "a", "a/b".
func parents(name string) []string {
	var all []string
	for i, c := range name {
		if c == '/' {
			all = append(all, name[:i])
		}
	}
	return all
}

func makeParents(dir *os.Root, name string) error {
	for _, p := range parents(name) {
		err := checkDirectory(dir, p)
		if errors.Is(err, fs.ErrNotExist) {
			err = dir.Mkdir(p, 0o777)
			if errors.Is(err, fs.ErrExist) {
				err = checkDirectory(dir, p) // someone else made it meanwhile
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func checkDirectory(dir *os.Root, name string) error {
	info, err := dir.Lstat(name)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s %w", name, ErrSymlink)
	case !info.IsDir():
		return fmt.Errorf("%s %w", name, ErrNotDirectory)
	}
	return nil
}

// existingMode returns the permissions of the file that is to be replaced, nil where there is none.
func existingMode(dir *os.Root, name string) (*fs.FileMode, error) {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%s %w", name, ErrSymlink)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s %w", name, ErrNotFile)
	}
	mode := info.Mode().Perm()
	return &mode, nil
}

// writeTemp writes data to a temporary file beside name and returns its name.
func writeTemp(dir *os.Root, name string, data []byte, perm fs.FileMode, keep *fs.FileMode, sync bool) (string, error) {
	f, temp, err := createTemp(dir, name, perm)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil && keep != nil {
		err = f.Chmod(*keep)
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		dir.Remove(temp) //nolint:errcheck // the first error is the one to return
		return "", err
	}
	return temp, nil
}

// createTemp makes a hidden file with a unique, recognisable name: .<name>.git-ralph-<random>.tmp.
func createTemp(dir *os.Root, name string, perm fs.FileMode) (*os.File, string, error) {
	for try := 0; ; try++ {
		temp := TempPrefix(name) + strconv.FormatUint(rand.Uint64(), 36) + TempSuffix
		f, err := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if err == nil || !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, temp, err
		}
	}
}

// TempSuffix ends the name of a temporary file.
const TempSuffix = ".tmp"

// TempPrefix returns the beginning of the names of the temporary files of name. No other program uses such names.
func TempPrefix(name string) string {
	dir, base := path.Split(name)
	return dir + "." + base + ".git-ralph-"
}

// RemoveTemps removes the temporary files that interrupted Writes of name left below root. No process may be writing the file.
// Like Write, it follows no links.
func RemoveTemps(root, name string) {
	if Check(root, name) != nil {
		return
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return
	}
	defer dir.Close()
	parent, prefix := path.Split(TempPrefix(name))
	listing, err := dir.Open(path.Clean(parent))
	if err != nil {
		return
	}
	defer listing.Close()
	names, _ := listing.Readdirnames(-1)
	for _, base := range names {
		if strings.HasPrefix(base, prefix) && strings.HasSuffix(base, TempSuffix) {
			dir.Remove(parent + base) //nolint:errcheck // rubbish that stays is harmless
		}
	}
}
