package git_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/gittest"
)

// conflict leaves a repository in the middle of a merge in which both sides changed
// the plan, and gives the three commits.
func conflict(t *testing.T, args ...string) (r *gittest.Repo, base, ours, theirs string) {
	t.Helper()
	r = gittest.NewRepo(t, args...)
	base = r.Commit("base", map[string]string{plan: "base\n", "other": "1\n"})
	r.Git("checkout", "-q", "-b", "topic")
	theirs = r.Commit("theirs", map[string]string{plan: "theirs\n"})
	r.Git("checkout", "-q", "main")
	ours = r.Commit("ours", map[string]string{plan: "ours\n"})
	r.TryGit("merge", "topic")
	return r, base, ours, theirs
}

// contents reads the blobs of the sides.
func contents(t *testing.T, tx *git.Tx, blobs [3]string) string {
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
		r, _, _, _ := conflict(t, "--object-format="+format)
		tx := begin(t, r)
		index := tx.Index()
		undone, err := tx.Undone()
		if got := contents(t, tx, index.Stages); index.State != git.IndexUnmerged || got != "base,ours,theirs" || err != nil || undone != [3]string{} {
			t.Errorf("%s: %s, %+v, %v, %v", format, got, index, undone, err)
		}
		if unmerged, err := mustOpen(t, r).Unmerged(t.Context(), plan); !unmerged || err != nil {
			t.Errorf("%s: unmerged %v, %v", format, unmerged, err)
		}
		tx.Close()
		r.Git("add", plan)
		tx = begin(t, r)
		undone, err = tx.Undone()
		if got := contents(t, tx, undone); got != "base,ours,theirs" || err != nil || tx.Index().Stages != [3]string{} {
			t.Errorf("%s: afterwards %s, %v", format, got, err)
		}
	}
}

// A side that deleted the file has no version; a blob that is not at hand is an
// error, not an empty file.
func TestStagesMissing(t *testing.T) {
	r, _, _, _ := conflict(t)
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

func TestMergeBases(t *testing.T) {
	r, base, ours, theirs := conflict(t)
	r.WriteFile(plan, "both\n")
	r.Git("commit", "-q", "-a", "-m", "one")
	one := r.Git("rev-parse", "HEAD")
	r.Git("checkout", "-q", "topic")
	r.Git("merge", "-q", "-s", "ours", "-m", "two", ours)
	two := r.Git("rev-parse", "HEAD")
	r.Git("checkout", "-q", "--orphan", "alone")
	r.Git("commit", "-q", "-m", "alone")
	repo := mustOpen(t, r)
	for _, test := range []struct {
		of, want []string
	}{
		{[]string{ours, theirs}, []string{base}},
		{[]string{one, two}, []string{ours, theirs}},
		{[]string{base, ours, theirs}, []string{base}},
		{[]string{one, "alone"}, nil},
	} {
		got, err := repo.MergeBases(t.Context(), test.of[0], test.of[1:]...)
		slices.Sort(got)
		slices.Sort(test.want)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, %v; want %v", test.of, got, err, test.want)
		}
	}
	if _, err := repo.MergeBases(t.Context(), one, "-none"); err == nil {
		t.Error("an unknown commit has merge bases")
	}
}

// The last change is a merge only where the merge itself made the file.
func TestLastChange(t *testing.T) {
	r, base, ours, theirs := conflict(t)
	repo := mustOpen(t, r)
	r.WriteFile(plan, "both\n")
	r.Git("commit", "-q", "-a", "-m", "merged")
	r.Git("commit", "-q", "--allow-empty", "-m", "later")
	for _, test := range []struct {
		commit, path string
		want         []string
	}{
		{"HEAD", plan, []string{ours, theirs}},
		{"HEAD", "other", nil},
		{theirs, plan, []string{base}},
		{"HEAD", "none", nil},
	} {
		got, err := repo.LastChange(t.Context(), test.commit, test.path)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %v; want %v", test.path, got, err, test.want)
		}
	}
}
