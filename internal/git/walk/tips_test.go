package walk_test

import (
	"fmt"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/test/gittest"
)

// References that git packs, or HEAD being moved to a new one, while they are read are reported all the same.
func TestReferencesWhileTheyMove(t *testing.T) {
	const branches, rounds = 40, 4
	r := gittest.NewRepo(t)
	id := r.Commit("one", map[string]string{"a": "b"})
	name := func(i int) string { return fmt.Sprintf("refs/heads/%c/b%d", 'a'+i%7, i) }
	for i := range branches {
		r.Git("update-ref", name(i), id)
	}
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for round := range rounds {
			r.TryGit("pack-refs", "--all")
			for i := range branches {
				r.TryGit("update-ref", "--no-deref", name(i), id)
				if i%8 == 0 {
					fresh := fmt.Sprintf("refs/heads/new/%d-%d", round, i)
					r.TryGit("update-ref", fresh, id)
					r.TryGit("symbolic-ref", "HEAD", fresh)
				}
			}
			if t.Failed() {
				return
			}
		}
	}()
	for {
		select {
		case <-read:
			return
		default:
		}
		w := walk.Open(t.Context(), repo)
		references, err := w.References()
		w.Close()
		if err != nil || len(references) < branches+2 || references[0].Name != "HEAD" {
			t.Errorf("%d references, %v", len(references), err)
			<-read
			return
		}
	}
}

// A tag of a tag of a tag … is followed to its commit, as git does.
func TestTagsOfTags(t *testing.T) {
	r := gittest.NewRepo(t)
	id := r.Commit("one", map[string]string{"a": "b"})
	last := "HEAD"
	for i := range 12 {
		name := fmt.Sprintf("t%d", i)
		r.Git("tag", "-a", "-m", "x", name, last)
		last = name
	}
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	w := walk.Open(t.Context(), repo)
	defer w.Close()
	tips, err := walk.Tips(w)
	if err != nil || len(tips) != 14 {
		t.Fatalf("%d tips, %v", len(tips), err)
	}
	for _, tip := range tips {
		if got := fmt.Sprintf("%x", tip.ID[:20]); got != id {
			t.Errorf("%s: %s, want %s", tip.Name, got, id)
		}
	}
}
