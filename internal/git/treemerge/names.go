package treemerge

import (
	"strings"

	"git-ralph/internal/git/odb"
)

// Names say which names no index takes, besides those that are none: spellings of .git that some systems read as that.
type Names struct {
	HFS  bool // with characters that macOS ignores
	NTFS bool // with short names, streams, and ends that Windows ignores
}

// Refused returns a path that a tree has and its base has not, and that git does not check out: "" for none. Who makes trees by
// other means than an index can give them such names, and whoever clones a branch with one gets nothing.
func (t *Trees) Refused(base, tree string, names Names) (string, error) {
	return t.refused("", base, tree, names)
}

func (t *Trees) refused(dir, base, tree string, names Names) (found string, err error) {
	if base == tree {
		return "", nil
	}
	before, err := t.Data(base)
	if err != nil {
		return "", err
	}
	whole, err := t.Data(tree)
	if err != nil {
		return "", err
	}
	before, after := withoutCommonStart(before, whole, t.repo.IDSize())
	start, was, known := whole[:len(whole)-len(after)], map[string]odb.TreeEntry{}, map[string]bool{}
	each(before, t.repo.IDSize(), func(e odb.TreeEntry) { was[string(e.Name)] = e })
	each(after, t.repo.IDSize(), func(e odb.TreeEntry) {
		name := string(e.Name)
		old, twice := was[name], known[name]
		known[name] = true
		if found != "" || err != nil || same(old, e) && !twice {
			return
		}
		if _, there, _ := odb.FindEntry(start, name, t.repo.IDSize()); there || twice || !names.allow(e) {
			found = join(dir, name)
		} else if e.IsTree() {
			found, err = t.refused(join(dir, name), treeOf(old), idOf(e), names)
		}
	})
	return found, err
}

// treeOf returns the id of a directory, that of an empty one for anything else.
func treeOf(e odb.TreeEntry) string {
	if !e.IsTree() {
		return ""
	}
	return idOf(e)
}

// allow reports whether git takes an entry into an index.
func (n Names) allow(e odb.TreeEntry) bool {
	name := string(e.Name)
	if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
		return false
	}
	for _, spelling := range n.readAs(name) {
		if spelling == ".git" || spelling == ".gitmodules" && e.IsLink() {
			return false
		}
	}
	return true
}

// readAs returns what systems read a name as, in small letters.
func (n Names) readAs(name string) []string {
	all := []string{strings.ToLower(name)}
	if n.HFS {
		all = append(all, strings.ToLower(strings.Map(withoutIgnored, name)))
	}
	if !n.NTFS {
		return all
	}
	for part := range strings.SplitSeq(strings.ToLower(name), `\`) {
		part, _, _ = strings.Cut(part, ":")
		part = strings.TrimRight(part, " .")
		switch {
		case part == "git~1":
			part = ".git"
		case strings.HasPrefix(part, "gitmod~") || strings.HasPrefix(part, "gi7eba~"):
			part = ".gitmodules"
		}
		all = append(all, part)
	}
	return all
}

// withoutIgnored drops the characters that macOS ignores in names.
func withoutIgnored(r rune) rune {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}
