package commit

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

// A gc or repack beside us removes directories of objects that have become empty: they are made again, as git does.
func TestObjectsAreWrittenBesideGC(t *testing.T) {
	r := gittest.NewRepo(t)
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	over, ended := make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		for {
			select {
			case <-over:
				return
			default:
				for n := range 256 {
					os.Remove(filepath.Join(r.Dir, ".git", "objects", fmt.Sprintf("%02x", n)))
				}
			}
		}
	}()
	for n := range 500 {
		if _, err := writeLoose(repo, plumbing.BlobObject, []byte(fmt.Sprint(n))); err != nil {
			t.Fatalf("object %d: %v", n, err)
		}
	}
	close(over)
	<-ended
}
