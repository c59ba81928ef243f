package commit

import (
	"strings"

	"git-ralph/internal/git"
)

// withEntry returns the tree with the entry e in place of the one of its name, or added in git's order.
func withEntry(tree []byte, e git.TreeEntry) []byte {
	out := make([]byte, 0, len(tree)+len(e.Mode)+len(e.Name)+2+len(e.ID))
	placed := false
	for rest := tree; len(rest) > 0; {
		old, next, ok := git.NextEntry(rest, len(e.ID))
		if !ok {
			break
		}
		if !placed && !before(old, e) {
			out, placed = appendEntry(out, e), true
		}
		if old.Name != e.Name {
			out = append(out, rest[:len(rest)-len(next)]...)
		}
		rest = next
	}
	if !placed {
		out = appendEntry(out, e)
	}
	return out
}

// before reports whether a stands before b: by name, a directory's as if it ended in a slash.
func before(a, b git.TreeEntry) bool {
	return a.Name != b.Name && strings.Compare(sortName(a), sortName(b)) < 0
}

func sortName(e git.TreeEntry) string {
	if e.IsTree() {
		return e.Name + "/"
	}
	return e.Name
}

func appendEntry(out []byte, e git.TreeEntry) []byte {
	out = append(append(out, e.Mode...), ' ')
	out = append(append(out, e.Name...), 0)
	return append(out, e.ID...)
}
