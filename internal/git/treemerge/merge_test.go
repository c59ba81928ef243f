package treemerge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

func open(t *testing.T, r *gittest.Repo) *Trees {
	t.Helper()
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	reader := repo.Reader(t.Context())
	t.Cleanup(func() { reader.Close() })
	return Open(repo, reader)
}

// drawEdits changes, adds, removes and renames files at random.
func drawEdits(random *rand.Rand, files map[string]string) map[string]string {
	next := map[string]string{}
	for path, content := range files {
		switch random.IntN(16) {
		case 0:
			next[path] = content + fmt.Sprintln(random.IntN(3))
		case 1:
		case 2:
			next[path+"x"] = content
		default:
			next[path] = content
		}
	}
	if random.IntN(2) == 0 {
		next[fmt.Sprintf("d%d/n%d", random.IntN(3), random.IntN(3))] = "new\n"
	}
	return next
}

func commitOf(r *gittest.Repo, files map[string]string, parents ...string) string {
	r.Git("read-tree", "--empty")
	for path, content := range files {
		r.WriteFile("content", content)
		r.Git("update-index", "--add", "--cacheinfo", "100644,"+r.Git("hash-object", "-w", "content")+","+path)
	}
	args := []string{"commit-tree", "-m", "x", r.Git("write-tree")}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	return r.Git(args...)
}

// Where there are no overlaps, the tree is the one that git's own merge makes; and git does merge it without a conflict.
func TestAgreesWithGit(t *testing.T) {
	for format, merges := range map[string]int{"sha1": 20, "sha256": 8} {
		r := gittest.NewRepo(t, "--object-format="+format)
		random, agreed := rand.New(rand.NewPCG(1, 2)), 0
		for range merges {
			files := map[string]string{}
			for i := range 4 + random.IntN(5) {
				files[fmt.Sprintf("d%d/f%d", i%3, i)] = fmt.Sprintf("content %d\n", i)
			}
			files["top"] = "top\n"
			base := commitOf(r, files)
			ours, theirs := commitOf(r, drawEdits(random, files), base), commitOf(r, drawEdits(random, files), base)
			trees := open(t, r)
			var ids []string
			for _, c := range []string{base, ours, theirs} {
				id, err := trees.TreeOf(c)
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, id)
			}
			got, err := trees.Merge(ids[0], ids[1], ids[2])
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Overlaps) > 0 {
				continue
			}
			written, err := trees.Write(t.Context(), got.Tree)
			want, _ := r.TryGit("merge-tree", "--write-tree", ours, theirs)
			if agreed++; err != nil || written != strings.TrimSpace(want) {
				t.Errorf("%s: tree %s, %v\nwant %s\nours %s\ntheirs %s", format, written, err, want, r.Git("diff", "--stat", base, ours), r.Git("diff", "--stat", base, theirs))
			}
		}
		if agreed < 2 {
			t.Errorf("%s: only %d merges without an overlap", format, agreed)
		}
	}
}

// Both sides changed one file: that is for git. The rest is merged.
func TestOverlap(t *testing.T) {
	r := gittest.NewRepo(t)
	base := commitOf(r, map[string]string{"a/b": "1\n", "a/c": "1\n"})
	ours, theirs := commitOf(r, map[string]string{"a/b": "2\n", "a/c": "1\n"}), commitOf(r, map[string]string{"a/b": "3\n", "a/c": "3\n"})
	trees := open(t, r)
	var ids []string
	for _, c := range []string{base, ours, theirs} {
		id, _ := trees.TreeOf(c)
		ids = append(ids, id)
	}
	got, err := trees.Merge(ids[0], ids[1], ids[2])
	if err != nil || !slices.Equal(got.Overlaps, []string{"a/b"}) {
		t.Fatalf("%+v, %v", got, err)
	}
	with, err := trees.With(got.Tree, "a/b", "100644", r.Git("rev-parse", base+":a/b"))
	if err != nil {
		t.Fatal(err)
	}
	if with, err = trees.With(with, "new/dir/file", "100644", r.Git("rev-parse", base+":a/b")); err != nil {
		t.Fatal(err)
	}
	if with, err = trees.Write(t.Context(), with); err != nil {
		t.Fatal(err)
	}
	if r.Git("show", with+":a/b") != "1" || r.Git("show", with+":a/c") != "3" || r.Git("show", with+":new/dir/file") != "1" {
		t.Errorf("tree %s", r.Git("ls-tree", "-r", with))
	}
}

// A file whose name ends like that of another one, after a blank, is a file of its own.
func TestNamesWithBlanks(t *testing.T) {
	r := gittest.NewRepo(t)
	base := commitOf(r, map[string]string{"read me": "1\n", "me": "1\n"})
	theirs := commitOf(r, map[string]string{"read me": "1\n", "me": "2\n"})
	ours := commitOf(r, map[string]string{"read me": "1\n", "me": "1\n", "more": "1\n"})
	trees := open(t, r)
	var ids []string
	for _, c := range []string{base, ours, theirs} {
		id, _ := trees.TreeOf(c)
		ids = append(ids, id)
	}
	got, err := trees.Merge(ids[0], ids[1], ids[2])
	if err != nil || len(got.Overlaps) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
