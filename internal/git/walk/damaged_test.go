package walk_test

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/test/gittest"
)

// loosePath is the file of a loose object.
func loosePath(r *gittest.Repo, rev string) string {
	id := r.Git("rev-parse", rev)
	return r.Path(".git/objects/" + id[:2] + "/" + id[2:])
}

// Objects that are not there, or damaged, are reported as missing; everything else is reported as it is.
func TestWalkDamaged(t *testing.T) {
	damages := map[string]func(path string){
		"missing":   func(path string) { os.Remove(path) },
		"damaged":   func(path string) { overwrite(path, []byte("x\x9cnot a zlib stream at all")) },
		"empty":     func(path string) { overwrite(path, nil) },
		"truncated": func(path string) { content, _ := os.ReadFile(path); overwrite(path, content[:len(content)/2]) },
	}
	for name, damage := range damages {
		t.Run(name+" commit", func(t *testing.T) {
			r, lost := linear(t), ""
			lost = r.Git("rev-parse", "HEAD~2")
			damage(loosePath(r, lost))
			eachWalker(t, r, func(t *testing.T, w walk.Walker) {
				g, err := w.Walk(walk.Request{Tips: allTips(t, w), Paths: walkPaths})
				if err != nil {
					t.Fatal(err)
				}
				if len(g.Commits) != 2 || len(g.Missing) != 1 || g.Missing[0] != hash(lost) || g.Parents(1)[0] != -1 {
					t.Errorf("%+v", g)
				}
				if _, err := w.Message(hash(lost)); !errors.Is(err, git.ErrMissing) {
					t.Errorf("message: %v", err)
				}
			}, enginesFor(name)...)
		})
		for _, what := range []string{"HEAD~2^{tree}", "HEAD~2:ralph"} {
			t.Run(name+" "+what, func(t *testing.T) {
				r := linear(t)
				damage(loosePath(r, what))
				eachWalker(t, r, func(t *testing.T, w walk.Walker) {
					g, err := w.Walk(walk.Request{Tips: allTips(t, w), Paths: walkPaths})
					if err != nil {
						t.Fatal(err)
					}
					for i, c := range g.Commits {
						_, err := c.PlanID()
						if lost := i == 2; errors.Is(err, git.ErrMissing) != lost || c.Plan.IsZero() != lost {
							t.Errorf("commit %d: %+v", i, c)
						}
					}
				}, enginesFor(name)...)
			})
		}
		t.Run(name+" file", func(t *testing.T) {
			r := linear(t)
			lost := hash(r.Git("rev-parse", "HEAD~2:ralph/plan.jsonl"))
			damage(loosePath(r, "HEAD~2:ralph/plan.jsonl"))
			eachWalker(t, r, func(t *testing.T, w walk.Walker) {
				for id, err := range readBlobs(t, w, planIDs(t, w)) {
					if (id == lost) != errors.Is(err, git.ErrMissing) {
						t.Errorf("%x: %v", id, err)
					}
				}
			})
		})
	}
}

// enginesFor leaves out the engine that gives up over what is damaged.
func enginesFor(damage string) []string {
	if damage == "missing" {
		return nil
	}
	return []string{"program", "either"}
}

func overwrite(path string, content []byte) {
	os.Chmod(path, 0o666)
	os.WriteFile(path, content, 0o666)
}

// linear makes five loose commits, each with a plan of its own.
func linear(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	for i := range 5 {
		r = r.Setenv("GIT_COMMITTER_DATE", fmt.Sprintf("%d +0000", 1700000000+i))
		r.Commit(fmt.Sprintf("commit %d", i), map[string]string{"ralph/plan.jsonl": fmt.Sprintf("plan %d\n", i), fmt.Sprintf("file%d", i): ""})
	}
	return r
}

func planIDs(t *testing.T, w walk.Walker) (ids []git.Hash) {
	t.Helper()
	g, err := w.Walk(walk.Request{Tips: allTips(t, w), Paths: walkPaths})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range g.Commits {
		if !c.Plan.IsZero() {
			ids = append(ids, c.Plan)
		}
	}
	return ids
}

// readBlobs reads files on two goroutines and returns the error of each.
func readBlobs(t *testing.T, w walk.Walker, ids []git.Hash) map[git.Hash]error {
	t.Helper()
	var mu sync.Mutex
	got := map[git.Hash]error{}
	err := w.Blobs(ids, 2, func(_, i int, data []byte, err error) error {
		mu.Lock()
		defer mu.Unlock()
		got[ids[i]] = err
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A file that is damaged in a pack, and whole elsewhere, is read.
func TestWalkSecondCopy(t *testing.T) {
	r := linear(t)
	lost := r.Git("rev-parse", "HEAD~2:ralph/plan.jsonl")
	r.Git("repack", "-q", "-a", "-d", "--depth=0")
	damageInPack(r, lost)
	other := gittest.NewRepo(t)
	other.GitIn("plan 2\n", "hash-object", "-w", "--stdin")
	loose, err := os.ReadFile(other.Path(".git/objects/" + lost[:2] + "/" + lost[2:]))
	if err != nil {
		t.Fatal(err)
	}
	r.WriteFile(".git/objects/"+lost[:2]+"/"+lost[2:], string(loose))
	eachWalker(t, r, func(t *testing.T, w walk.Walker) {
		for id, err := range readBlobs(t, w, planIDs(t, w)) {
			if err != nil {
				t.Errorf("%x: %v", id, err)
			}
		}
	}, "program", "either")
}

// A committer's date that cannot be read changes nothing about the parents.
func TestWalkUnreadableDate(t *testing.T) {
	for _, date := range []string{"-5 +0000", "", "+1700000000 +0000"} {
		r := linear(t)
		tree, parent := r.Git("rev-parse", "HEAD^{tree}"), r.Git("rev-parse", "HEAD")
		odd := r.GitIn("tree "+tree+"\nparent "+parent+"\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> "+date+"\n\nodd\n",
			"hash-object", "-t", "commit", "-w", "--stdin", "--literally")
		r.Git("update-ref", "HEAD", odd)
		r.Commit("after", map[string]string{"after": ""})
		eachWalker(t, r, func(t *testing.T, w walk.Walker) {
			g, err := w.Walk(walk.Request{Tips: allTips(t, w), Paths: walkPaths})
			if err != nil || len(g.Commits) != 7 || g.Commits[1].ID != hash(odd) || g.Commits[2].ID != hash(parent) {
				t.Fatalf("%q: %v, %+v", date, err, g)
			}
			if parents := g.Parents(1); len(parents) != 1 || parents[0] != 2 {
				t.Errorf("%q: parents %v", date, parents)
			}
		})
	}
}

// A reference whose file says nothing is reported, and where HEAD stands on it nothing is read: what it led to is not known.
func TestWalkBrokenReference(t *testing.T) {
	for _, content := range []string{"", "what\n", "1234\n"} {
		r := linear(t)
		r.Git("branch", "side")
		r.Git("branch", "other", "HEAD~1")
		overwrite(r.Path(".git/refs/heads/side"), []byte(content))
		eachWalker(t, r, func(t *testing.T, w walk.Walker) {
			references, err := w.References()
			if err != nil || len(references) != 3 || len(w.Broken()) != 1 || w.Broken()[0] != "refs/heads/side" {
				t.Errorf("%q: %v, %v, %v", content, references, w.Broken(), err)
			}
		}, "program", "either")
		overwrite(r.Path(".git/refs/heads/main"), []byte(content))
		eachWalker(t, r, func(t *testing.T, w walk.Walker) {
			if references, err := w.References(); !errors.Is(err, git.ErrBrokenReference) {
				t.Errorf("%q: %v, %v", content, references, err)
			}
		}, "program", "either")
	}
}

// References to what is missing are reported, and stand at the boundary.
func TestWalkLostTips(t *testing.T) {
	r := linear(t)
	r.Git("branch", "old", "HEAD~3")
	r.Git("tag", "-am", "annotated", "v1")
	lost := hash(r.Git("rev-parse", "HEAD"))
	os.Remove(loosePath(r, "HEAD"))
	eachWalker(t, r, func(t *testing.T, w walk.Walker) {
		tips, err := walk.Tips(w)
		if err != nil || len(tips) != 4 || tips[0].ID != lost || tips[1].ID != lost || tips[3].Name != "refs/tags/v1" {
			t.Fatalf("%+v, %v", tips, err)
		}
		g, err := w.Walk(walk.Request{Tips: allTips(t, w), Paths: walkPaths})
		if err != nil || len(g.Commits) != 2 || len(g.Missing) == 0 {
			t.Errorf("%+v, %v", g, err)
		}
	})
}
