package commit_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/test/gittest"
)

// contents reads the blobs of the sides.
func contents(t *testing.T, tx *commit.Tx, blobs [3]string) string {
	t.Helper()
	var all []string
	for _, blob := range blobs {
		data, ok, err := tx.Content(blob)
		if err != nil || ok != (blob != "") {
			t.Errorf("%s: %v, %v", blob, ok, err)
		}
		all = append(all, strings.TrimSpace(string(data)))
	}
	return strings.Join(all, ",")
}

// The three versions of a file in conflict, before and after somebody added it.
func TestStages(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		r, _, _, _ := gittest.Conflict(t, plan, "--object-format="+format)
		tx := begin(t, r)
		index := tx.Index()
		undone, err := tx.ResolveUndo()
		if got := contents(t, tx, index.Stages); index.State != commit.IndexUnmerged || got != "base,ours,theirs" || err != nil || undone != [3]string{} {
			t.Errorf("%s: %s, %+v, %v, %v", format, got, index, undone, err)
		}
		if unmerged, err := commit.Unmerged(t.Context(), mustOpen(t, r), plan); !unmerged || err != nil {
			t.Errorf("%s: unmerged %v, %v", format, unmerged, err)
		}
		tx.Close()
		r.Git("add", plan)
		tx = begin(t, r)
		undone, err = tx.ResolveUndo()
		if got := contents(t, tx, undone); got != "base,ours,theirs" || err != nil || tx.Index().Stages != [3]string{} {
			t.Errorf("%s: afterwards %s, %v", format, got, err)
		}
	}
}

// A side that deleted the file has no version; a blob that is missing is an
// error, not an empty file.
func TestStagesMissing(t *testing.T) {
	r, _, _, _ := gittest.Conflict(t, plan)
	r.Git("reset", "-q", "--hard")
	r.Git("rm", "-q", plan)
	r.Git("commit", "-q", "-m", "gone")
	r.TryGit("merge", "topic")
	tx := begin(t, r)
	stages := tx.Index().Stages
	if got := contents(t, tx, stages); got != "base,,theirs" {
		t.Errorf("got %s", got)
	}
	if _, ok, err := tx.Content("HEAD:" + plan); ok || err != nil {
		t.Errorf("not in HEAD: %v, %v", ok, err)
	}
	tx.Close()
	if err := os.Remove(r.Path(".git/objects/" + stages[2][:2] + "/" + stages[2][2:])); err != nil {
		t.Fatal(err)
	}
	if _, _, err := begin(t, r).Content(stages[2]); !errors.Is(err, git.ErrMissing) {
		t.Errorf("error %v", err)
	}
}
