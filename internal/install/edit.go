package install

import (
	"errors"
	"os"
	"slices"
	"strings"

	"git-ralph/internal/safefile"
)

// file is a file as it is, or as it is to be.
type file struct {
	text   string
	exists bool
	dirs   int // made for it; or, of one that is to go, to be removed if they are empty
}

// edit changes the files of items as change says. All are locked and prepared before the first is replaced, so that one
// that cannot be written stops all. A file that would stay as it is, is not touched.
func edit(items []Item, dryRun bool, change func(Item, file) file) ([]Change, error) {
	var changes []Change
	var edits []*safefile.Edit
	defer func() {
		for _, e := range slices.Backward(edits) {
			e.Close()
		}
	}()
	for _, i := range items {
		text, err := read(i.File)
		if err != nil {
			return nil, err
		}
		if change(i, file{text: text, exists: true}).text == text {
			if !dryRun && i.checkPath() == nil {
				safefile.RemoveLeftovers(i.File, 0)
			}
			continue
		}
		if err := i.checkPath(); err != nil {
			return nil, err
		}
		e, err := safefile.BeginEdit(i.File)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
		old, exists := e.Old()
		next := change(i, file{text: string(old), exists: exists, dirs: e.NewDirs()})
		if err := prepare(e, next, i.Executable && !exists); err != nil {
			return nil, err
		}
		made := difference(i, string(old), next.text)
		made.Deleted = !next.exists
		changes = append(changes, made)
	}
	if dryRun {
		return changes, nil
	}
	return changes, commit(edits)
}

func prepare(e *safefile.Edit, next file, program bool) error {
	if !next.exists {
		e.PrepareRemoval(next.dirs)
		return nil
	}
	err := e.Prepare([]byte(next.text))
	if err == nil && program {
		err = e.MakeExecutable()
	}
	return err
}

// commit replaces the files. Nothing but a failing disk stops it half way; running the command again goes on.
func commit(edits []*safefile.Edit) error {
	var all error
	for _, e := range edits {
		all = errors.Join(all, e.Commit())
	}
	return all
}

// read returns the text of a file, "" where there is none.
func read(path string) (string, error) {
	data, _, err := safefile.ReadIfAny(path)
	return string(data), err
}

// difference returns the lines that are removed and added. Blocks are contiguous, so what is between the first and the last line
// that differ is all.
func difference(i Item, old, text string) Change {
	a, b := lines(old), lines(text)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return Change{Item: i.Name, File: i.File, Added: b, Removed: a}
}

func lines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, strings.TrimRight(line, "\r\n"))
	}
	return all
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// isFile reports whether something else than a directory is there, such as /dev/null.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}
