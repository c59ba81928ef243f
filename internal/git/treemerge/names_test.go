package treemerge

import (
	"strings"
	"testing"

	"git-ralph/internal/git/odb"
	"git-ralph/internal/test/gittest"
)

// A name is refused where git refuses to put it into an index, and only there.
func TestNamesAreRefusedAsByGit(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile("content", "x")
	blob := r.Git("hash-object", "-w", "content")
	both := Names{HFS: true, NTFS: true}
	names := []string{
		".", "..", "...", ".git", ".Git", ".gitx", "git", "git~1", "GIT~1", "git~2", ".git ", ".git. .", ".git::$INDEX_ALLOCATION", ".git:x", ".git x",
		`a\.git`, `a\b`, `.git\a`, ".g\u200cit", ".gi\u206dt", "\ufeff.git", ".gıt", ".gitmodules", ".gitattributes", "gitmod~1", "GI7EBA~1", ".gitmodules ", "a b",
	}
	for _, mode := range []string{"100644", "120000"} {
		for _, name := range names {
			_, err := r.TryGit("-c", "core.protectHFS=true", "-c", "core.protectNTFS=true", "update-index", "--add", "--cacheinfo", mode+","+blob+",d/"+name)
			if got := both.allow(odb.TreeEntry{Mode: []byte(mode), Name: []byte(name)}); got != (err == nil) {
				t.Errorf("%s %q is allowed: %v; git: %v", mode, name, got, err)
			}
		}
	}
	if (Names{}).allow(odb.TreeEntry{Mode: []byte("100644"), Name: []byte(".git")}) || !(Names{}).allow(odb.TreeEntry{Mode: []byte("100644"), Name: []byte("git~1")}) {
		t.Error("without protection: .git alone is refused")
	}
}

// What is refused is found wherever a tree has it and its base has not, and so are two entries of one name.
func TestRefusedPaths(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile("content", "x")
	blob := r.Git("hash-object", "-w", "content")
	tree := func(entries ...string) string {
		return r.GitIn(strings.ReplaceAll(strings.Join(entries, "\n")+"\n", "BLOB", blob), "mktree")
	}
	file := func(name string) string { return "100644 blob BLOB\t" + name }
	dir := func(name, id string) string { return "040000 tree " + id + "\t" + name }
	evil := tree(file("config"))
	base := tree(file("a"), dir("d", tree(file("x"))))
	trees := open(t, r)
	for want, id := range map[string]string{
		"":        tree(file("a"), file("b"), dir("d", tree(file("x"), file("y")))),
		".git":    tree(file("a"), dir(".git", evil), dir("d", tree(file("x")))),
		"d/..":    tree(file("a"), dir("d", tree(dir("..", evil), file("x")))),
		"n/m/.":   tree(file("a"), dir("n", tree(dir("m", tree(file(".")))))),
		"a":       tree(file("a"), dir("a", evil)),
		"d/x":     tree(file("a"), dir("d", tree(file("x"), file("x.y"), dir("x", evil)))),
		"f/.git ": tree(file("a"), dir("f", tree(file(".git ")))),
	} {
		if got, err := trees.Refused(base, id, Names{NTFS: true}); got != want || err != nil {
			t.Errorf("%q, %v: want %q", got, err, want)
		}
		if got, err := trees.Refused(id, id, Names{}); got != "" || err != nil {
			t.Errorf("%q, %v: the base has it too", got, err)
		}
	}
}
