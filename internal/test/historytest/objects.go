package historytest

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

func objectID(kind, content string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "%s %d\x00%s", kind, len(content), content))
	return hex.EncodeToString(sum[:])
}

// treeID computes the id of a tree of files: slash-separated paths to contents.
func treeID(files map[string]string) string {
	direct, directories := map[string]string{}, map[string]map[string]string{}
	for path, content := range files {
		dir, rest, nested := strings.Cut(path, "/")
		if !nested {
			direct[path] = content
			continue
		}
		if directories[dir] == nil {
			directories[dir] = map[string]string{}
		}
		directories[dir][rest] = content
	}
	var entries []string // sorted as git does: a directory as if it ended with a slash
	lines := map[string]string{}
	add := func(key, mode, name, id string) {
		raw, _ := hex.DecodeString(id)
		entries = append(entries, key)
		lines[key] = mode + " " + name + "\x00" + string(raw)
	}
	for name, content := range direct {
		add(name, "100644", name, objectID("blob", content))
	}
	for name, below := range directories {
		add(name+"/", "40000", name, treeID(below))
	}
	slices.Sort(entries)
	var content strings.Builder
	for _, key := range entries {
		content.WriteString(lines[key])
	}
	return objectID("tree", content.String())
}

// a commit of a drawn repository.
type commit struct {
	id      string
	parents []*commit
	plan    *sheet // nil: there is none
	path    string
	other   string // content of another file
	message string
	author  string
	written int64 // author's date
	applied int64 // committer's date
	zone    string
	mark    int
}

func (c *commit) files() map[string]string {
	files := map[string]string{"file": c.other}
	if c.plan != nil {
		files[c.path] = c.plan.text()
	}
	return files
}

// identities are the lines that say who made the commit, and when.
func (c *commit) identities() string {
	return fmt.Sprintf("author %s <%s@example.org> %d %s\ncommitter C <c@example.org> %d %s\n", c.author, c.author, c.written, c.zone, c.applied, c.zone)
}

func (c *commit) computeID() {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", treeID(c.files()))
	for _, p := range c.parents {
		fmt.Fprintf(&b, "parent %s\n", p.id)
	}
	b.WriteString(c.identities() + "\n" + c.message)
	c.id = objectID("commit", b.String())
}

// stream writes the commit for git fast-import.
func (c *commit) stream(b *strings.Builder) {
	fmt.Fprintf(b, "commit refs/ralph-test/%d\nmark :%d\n%sdata %d\n%s\n", c.mark, c.mark, c.identities(), len(c.message), c.message)
	for i, p := range c.parents {
		verb := "merge"
		if i == 0 {
			verb = "from"
		}
		fmt.Fprintf(b, "%s :%d\n", verb, p.mark)
	}
	b.WriteString("deleteall\n")
	files := c.files()
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		fmt.Fprintf(b, "M 100644 inline %s\ndata %d\n%s\n", path, len(files[path]), files[path])
	}
	b.WriteString("\n")
}
