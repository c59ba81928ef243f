package walk_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/test/gittest"
)

// walkers are all implementations of Open. Each passes the whole contract.
var walkers = map[string]func(*git.Repo) walk.Walker{
	"store":   func(r *git.Repo) walk.Walker { return walk.StoreWalker(context.Background(), r) },
	"program": func(r *git.Repo) walk.Walker { return walk.ProgramWalker(context.Background(), r) },
	"either":  func(r *git.Repo) walk.Walker { return walk.Open(context.Background(), r) },
}

// eachWalker runs a check with every engine, or with those named.
func eachWalker(t *testing.T, r *gittest.Repo, check func(t *testing.T, w walk.Walker), names ...string) {
	t.Helper()
	if len(names) == 0 {
		names = []string{"store", "program", "either"}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			w := walkers[name](mustOpen(t, r))
			defer func() {
				if err := w.Close(); err != nil {
					t.Error(err)
				}
			}()
			check(t, w)
		})
	}
}

// sameGraph walks from all tips and compares with what git says.
func sameGraph(t *testing.T, w walk.Walker, want *walk.Graph) {
	t.Helper()
	got, err := w.Walk(walk.Request{Tips: allTips(t, w), Paths: walkPaths})
	if err != nil {
		t.Fatal(err)
	}
	sameGraphs(t, got, want)
}

func sameGraphs(t *testing.T, got, want *walk.Graph) {
	t.Helper()
	if diff := cmp.Diff(inLine(want), inLine(got), cmp.AllowUnexported(walk.Commit{})); diff != "" {
		t.Errorf("graph (-want +got):\n%.3000s", diff)
	}
}

// inLine puts the links of a graph in the order of its commits.
func inLine(g *walk.Graph) *walk.Graph {
	lined := &walk.Graph{IDSize: g.IDSize, Missing: g.Missing}
	for at, c := range g.Commits {
		c.From = int32(len(lined.Links))
		lined.Links = append(lined.Links, g.Parents(at)...)
		c.To = int32(len(lined.Links))
		lined.Commits = append(lined.Commits, c)
	}
	return lined
}

// stores are the ways in which the same objects may lie on the disk.
var stores = []struct {
	name  string
	store func(r *gittest.Repo)
}{
	{"one pack", func(*gittest.Repo) {}},
	{"loose", func(r *gittest.Repo) { unpack(r) }},
	{"delta pack", func(r *gittest.Repo) { r.Git("repack", "-adfq", "--depth=50", "--window=50") }},
	{"index version 1", func(r *gittest.Repo) { r.Git("-c", "pack.indexVersion=1", "repack", "-adfq") }},
	{"bases by id", func(r *gittest.Repo) { r.Git("-c", "repack.usedeltabaseoffset=false", "repack", "-adfq") }},
	{"several packs", func(r *gittest.Repo) { severalPacks(r) }},
	{"multi-pack-index", func(r *gittest.Repo) { severalPacks(r); r.Git("multi-pack-index", "write") }},
	{"multi-pack-index, and later ones", func(r *gittest.Repo) {
		r.Git("multi-pack-index", "write")
		r.Git("pack-refs", "--all")
		severalPacks(r)
	}},
	{"commit-graph", func(r *gittest.Repo) { r.Git("commit-graph", "write", "--reachable") }},
	{"bloom filters", func(r *gittest.Repo) { r.Git("commit-graph", "write", "--reachable", "--changed-paths") }},
	{"bloom filters in layers", func(r *gittest.Repo) { layers(r, "--changed-paths") }},
	{"layers, one with bloom filters", func(r *gittest.Repo) { layers(r) }},
	{"half a commit-graph", func(r *gittest.Repo) {
		r.GitIn(r.Git("rev-list", "--max-count=1", "--skip=9", "main"), "commit-graph", "write", "--stdin-commits", "--changed-paths")
	}},
	{"packed references", func(r *gittest.Repo) { r.Git("pack-refs", "--all"); r.Git("update-ref", "refs/heads/main", "main") }},
}

func unpack(r *gittest.Repo) {
	dir := r.Path(".git/objects/pack")
	packs, _ := filepath.Glob(filepath.Join(dir, "*.pack"))
	for _, pack := range packs {
		moved := r.Path("moved.pack")
		os.Rename(pack, moved)
		os.Remove(strings.TrimSuffix(pack, ".pack") + ".idx")
		content, _ := os.ReadFile(moved)
		r.GitIn(string(content), "unpack-objects", "-q")
		os.Remove(moved)
	}
}

// severalPacks puts some loose objects and several packs side by side.
func severalPacks(r *gittest.Repo) {
	unpack(r)
	all := strings.Split(r.Git("rev-list", "--objects", "--no-object-names", "--all"), "\n")
	for i := range 3 {
		r.GitIn(strings.Join(all[i*len(all)/4:(i+1)*len(all)/4], "\n"), "pack-objects", "-q", r.Path(".git/objects/pack/pack"))
	}
	r.Git("prune-packed", "-q")
}

// layers writes a commit-graph in three files, the last one with Bloom filters.
func layers(r *gittest.Repo, args ...string) {
	all := strings.Split(r.Git("rev-list", "--topo-order", "main"), "\n")
	for i, rev := range []string{all[len(all)/2], all[len(all)/4], "main"} {
		write := append([]string{"commit-graph", "write", "--stdin-commits", "--split=no-merge"}, args...)
		if i == 2 && len(args) == 0 {
			write = append(write, "--changed-paths")
		}
		r.GitIn(r.Git("rev-parse", rev), write...)
	}
}

func TestWalkContract(t *testing.T) {
	formats := []string{"sha1", "sha256", "sha1"}
	if testing.Short() {
		formats = formats[:1]
	}
	for seed, format := range formats {
		r := gittest.NewRepo(t, "--object-format="+format)
		r.Git("config", "fastimport.unpackLimit", "0")
		stream := randomHistory(uint64(seed), 60)
		if format == "sha256" {
			stream = strings.ReplaceAll(stream, strings.Repeat("0", 40)+"\n", strings.Repeat("0", 64)+"\n")
			stream = strings.ReplaceAll(stream, fmt.Sprintf("%040d ", 7), fmt.Sprintf("%064d ", 7))
		}
		r.GitIn(stream, "fast-import", "--quiet")
		want := wantGraph(t, r, walkPaths)
		for _, s := range stores {
			t.Run(fmt.Sprintf("%d %s %s", seed, format, s.name), func(t *testing.T) {
				copied := copyOf(t, r)
				s.store(copied)
				eachWalker(t, copied, func(t *testing.T, w walk.Walker) { sameGraph(t, w, want) })
			})
		}
	}
}

// Commits that lie in a pack among those that a walk comes to, and that no reference leads to any more, are no part of it;
// nor does it matter that one of them is damaged.
func TestWalkUnmet(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		r := gittest.NewRepo(t, "--object-format="+format)
		for i := range 30 {
			then := r.Setenv("GIT_COMMITTER_DATE", fmt.Sprintf("%d +0000", 1700000000+i)) // git packs commits by date
			then.Commit(fmt.Sprint(i), map[string]string{walkPaths[0]: fmt.Sprint(i)})
			if i%3 == 1 {
				r.Git("checkout", "-q", "-b", fmt.Sprint("left", i))
				then.Commit("left", map[string]string{"left": fmt.Sprint(i)})
				r.Git("checkout", "-q", "main")
			}
		}
		left := r.Git("rev-parse", "left13")
		r.Git("repack", "-q", "-a", "-d")
		r.GitIn(r.Git("for-each-ref", "--format=delete %(refname) %(objectname)", "refs/heads/left*")+"\n", "update-ref", "--stdin")
		want := wantGraph(t, r, walkPaths)
		if len(want.Commits) != 30 {
			t.Fatalf("%d commits", len(want.Commits))
		}
		check := func(t *testing.T, w walk.Walker) { sameGraph(t, w, want) }
		t.Run(format, func(t *testing.T) { eachWalker(t, r, check) })
		damageInPack(r, left)
		t.Run(format+", damaged", func(t *testing.T) { eachWalker(t, r, check) })
	}
}

// damageInPack overwrites an object of the only pack with zeros.
func damageInPack(r *gittest.Repo, id string) {
	indexes, _ := filepath.Glob(r.Path(".git/objects/pack/*.idx"))
	for line := range strings.Lines(r.Git("verify-pack", "-v", indexes[0])) {
		words := strings.Fields(line)
		if words[0] != id {
			continue
		}
		length, _ := strconv.Atoi(words[3])
		at, _ := strconv.Atoi(words[4])
		pack := strings.TrimSuffix(indexes[0], ".idx") + ".pack"
		os.Chmod(pack, 0o666)
		data, _ := os.ReadFile(pack)
		clear(data[at+2 : at+length])
		os.WriteFile(pack, data, 0o666)
	}
}

// copyOf returns a copy of a repository without worktree files.
func copyOf(t *testing.T, r *gittest.Repo) *gittest.Repo {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(filepath.Join(dir, ".git"), os.DirFS(r.Path(".git"))); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r.With(t).At(dir)
}

func newHistory(t *testing.T, seed uint64) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	r.GitIn(randomHistory(seed, 40), "fast-import", "--quiet")
	return r
}

// Objects that another repository lends, by absolute and by relative path, over two steps.
func TestWalkAlternates(t *testing.T) {
	r := newHistory(t, 3)
	r.Git("commit-graph", "write", "--reachable", "--changed-paths")
	r.Git("clone", "-q", "--shared", "--bare", r.Dir, r.Path("../second"))
	r.Git("clone", "-q", "--shared", "--bare", r.Path("../second"), r.Path("../third"))
	third := r.At("../third")
	third.WriteFile("objects/info/alternates", "# a comment\n\"../../sec\\157nd/objects\"\n")
	want := wantGraph(t, third, walkPaths)
	eachWalker(t, third, func(t *testing.T, w walk.Walker) { sameGraph(t, w, want) })
	shared := gittest.NewRepo(t).Setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", r.Path(".git/objects"))
	shared.Git("update-ref", "refs/heads/main", r.Git("rev-parse", "main"))
	want = wantGraph(t, shared, walkPaths)
	eachWalker(t, shared, func(t *testing.T, w walk.Walker) { sameGraph(t, w, want) })
}

// What replaces, grafts or cuts off commits is read as git shows it.
func TestWalkAltered(t *testing.T) {
	for name, alter := range map[string]func(r *gittest.Repo) *gittest.Repo{
		"replaced commit": func(r *gittest.Repo) *gittest.Repo { r.Git("replace", "main~3", "main~6"); return r },
		"replaced commit, packed": func(r *gittest.Repo) *gittest.Repo {
			r.Git("replace", "main~2", "main~5")
			r.Git("pack-refs", "--all")
			os.RemoveAll(r.Path(".git/refs/replace"))
			return r
		},
		"replaced directory": func(r *gittest.Repo) *gittest.Repo { r.Git("replace", "main^{tree}", "main~6^{tree}"); return r },
		"grafts": func(r *gittest.Repo) *gittest.Repo {
			r.WriteFile(".git/info/grafts", r.Git("rev-parse", "main~2")+" "+r.Git("rev-parse", "main~5")+"\n")
			return r
		},
		"shallow": func(r *gittest.Repo) *gittest.Repo {
			r.Git("clone", "-q", "--bare", "--depth=4", "--no-single-branch", "file://"+r.Dir, r.Path("../shallow"))
			return r.At("../shallow")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := alter(newHistory(t, 4).With(t))
			want := wantGraph(t, r, walkPaths)
			eachWalker(t, r, func(t *testing.T, w walk.Walker) { sameGraph(t, w, want) }, "program", "either")
		})
	}
}

// A replaced commit says what its replacement says, whatever was read before.
func TestWalkReplacedMessage(t *testing.T) {
	r := linear(t)
	id := hash(r.Git("rev-parse", "HEAD"))
	r.Git("replace", "HEAD", "HEAD~2")
	eachWalker(t, r, func(t *testing.T, w walk.Walker) {
		if m, err := w.Message(id); err != nil || m.Text != "commit 2\n" {
			t.Errorf("%+v, %v", m, err)
		}
	}, "program", "either")
}

// Replacement can make a commit its own ancestor. Each is reported once.
func TestWalkLoop(t *testing.T) {
	r := linear(t)
	ids := strings.Fields(r.Git("rev-list", "HEAD"))
	r.Git("replace", "HEAD~3", "HEAD~1")
	eachWalker(t, r, func(t *testing.T, w walk.Walker) {
		g, err := w.Walk(walk.Request{Tips: allTips(t, w), Paths: walkPaths})
		if err != nil || len(g.Commits) != 4 || g.Commits[0].ID != hash(ids[0]) {
			t.Errorf("%+v, %v", g, err)
		}
	}, "program", "either")
}

// What is known is not reported again, and stands at the boundary.
func TestWalkKnown(t *testing.T) {
	r := newHistory(t, 5)
	full, known := wantGraph(t, r, walkPaths), map[git.Hash]bool{}
	tip := hash(r.Git("rev-parse", "main~4"))
	for id := range strings.Lines(r.Git("rev-list", "main~4")) {
		known[hash(strings.TrimSpace(id))] = true
	}
	for _, graph := range []string{"without", "with"} {
		if graph == "with" {
			r.Git("commit-graph", "write", "--reachable", "--changed-paths")
		}
		t.Run(graph+" commit-graph", func(t *testing.T) {
			eachWalker(t, r, func(t *testing.T, w walk.Walker) {
				gone := git.Hash{1, 2, 3}
				g, err := w.Walk(walk.Request{Tips: allTips(t, w), Paths: walkPaths, Known: walk.Known{
					Tips: []git.Hash{tip, gone}, Has: func(id git.Hash) bool { return known[id] },
				}})
				if err != nil {
					t.Fatal(err)
				}
				checkKnown(t, g, full, known)
			})
		})
	}
}

func checkKnown(t *testing.T, g, full *walk.Graph, known map[git.Hash]bool) {
	t.Helper()
	place := 0
	for at, want := range full.Commits {
		if known[want.ID] {
			continue
		}
		got, parents := g.Commits[place], g.Parents(place)
		place++
		if got.ID != want.ID || got.Plan != want.Plan || got.Time != want.Time || len(parents) != len(full.Parents(at)) {
			t.Fatalf("commit %d: %+v, want %+v", place-1, got, want)
		}
		for i, parent := range full.Parents(at) {
			id := full.Commits[parent].ID
			if p := parents[i]; p >= 0 && g.Commits[p].ID != id || p < 0 && (g.Missing[-1-p] != id || !known[id]) {
				t.Errorf("parent %d of commit %d is not %x", i, place-1, id)
			}
		}
	}
	if place != len(g.Commits) {
		t.Errorf("%d commits, want %d", len(g.Commits), place)
	}
}

// A walk begins where the worktree stands, not where others do.
func TestWalkWorktrees(t *testing.T) {
	r := newHistory(t, 7)
	r.Git("worktree", "add", "-q", "--detach", r.Path("../linked"), "main~3")
	want := wantGraph(t, r, walkPaths)
	for _, at := range []*gittest.Repo{r, r.At("../linked")} {
		head := hash(at.Git("rev-parse", "HEAD"))
		eachWalker(t, at, func(t *testing.T, w walk.Walker) {
			tips, err := walk.Tips(w)
			if err != nil || tips[0].Name != "HEAD" || tips[0].ID != head || (tips[0].Target == "") == (at == r) {
				t.Errorf("%v, %v", tips[0], err)
			}
			sameGraph(t, w, want)
		})
	}
}

// An end of the context ends a walk.
func TestWalkCancelled(t *testing.T) {
	r := linear(t)
	for name, open := range map[string]func(context.Context, *git.Repo) walk.Walker{
		"store": walk.StoreWalker, "program": walk.ProgramWalker, "either": walk.Open,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			w := open(ctx, mustOpen(t, r))
			defer w.Close() //nolint:errcheck // it was cancelled
			tips, ids := allTips(t, w), planIDs(t, w)
			cancel()
			if _, err := w.Walk(walk.Request{Tips: tips, Paths: walkPaths}); !errors.Is(err, context.Canceled) {
				t.Errorf("walk: %v", err)
			}
			if err := w.Blobs(ids, 2, func(int, int, []byte, error) error { return nil }); !errors.Is(err, context.Canceled) {
				t.Errorf("files: %v", err)
			}
		})
	}
}

// Objects that git packs anew while they are being read are found where they went.
func TestWalkDuringRepack(t *testing.T) {
	for name, repack := range map[string]func(r *gittest.Repo){
		"loose":       func(r *gittest.Repo) { r.Git("repack", "-adq"); r.Git("prune-packed") },
		"packed":      func(r *gittest.Repo) { r.Git("repack", "-adfq", "--depth=3") },
		"to be loose": func(r *gittest.Repo) { unpack(r) },
	} {
		t.Run(name, func(t *testing.T) {
			r := linear(t)
			if name != "loose" {
				r.Git("repack", "-adq")
			}
			want := wantGraph(t, r, walkPaths)
			eachWalker(t, r, func(t *testing.T, w walk.Walker) {
				tips := allTips(t, w)
				repack(r)
				g, err := w.Walk(walk.Request{Tips: tips, Paths: walkPaths})
				if err != nil {
					t.Fatal(err)
				}
				sameGraphs(t, g, want)
			}, "store")
		})
	}
}

// A partial clone fetches nothing.
func TestWalkPartial(t *testing.T) {
	r := newHistory(t, 8)
	r.Git("config", "uploadpack.allowFilter", "true")
	want := wantGraph(t, r, walkPaths)
	r.Git("clone", "-q", "--bare", "--no-local", "--filter=blob:none", "file://"+r.Dir, r.Path("../partial"))
	partial := r.At("../partial")
	eachWalker(t, partial, func(t *testing.T, w walk.Walker) {
		sameGraph(t, w, want)
		for id, err := range readBlobs(t, w, planIDs(t, w)) {
			if !errors.Is(err, git.ErrMissing) {
				t.Errorf("%x: %v", id, err)
			}
		}
	})
}

// References that are kept in git's newer format are read by git.
func TestWalkReftable(t *testing.T) {
	r := gittest.NewDirectory(t)
	r.NeedVersion(2, 45)
	r.Git("init", "-q", "-b", "main", "--ref-format=reftable")
	r.GitIn(randomHistory(9, 40), "fast-import", "--quiet")
	want := wantGraph(t, r, walkPaths)
	eachWalker(t, r, func(t *testing.T, w walk.Walker) { sameGraph(t, w, want) }, "program", "either")
}

// The quick engine starts no process.
func TestWalkStartsNothing(t *testing.T) {
	r, counter := newHistory(t, 10).CountProcesses()
	w := walk.Open(context.Background(), mustOpen(t, r))
	defer w.Close()
	readBlobs(t, w, planIDs(t, w))
	if started := counter.Started(); len(started) > 0 {
		t.Errorf("started %q", started)
	}
}

func mustOpen(t testing.TB, r *gittest.Repo) *git.Repo {
	t.Helper()
	repo, err := git.Open(context.Background(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}
