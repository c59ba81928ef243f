package journal_test

import (
	"os"
	"path/filepath"
	"testing"

	"git-ralph/internal/journal"
)

// TestChangesBefore guards: a run is told what the one before it noted of the worktree, however few runs are kept, and nothing
// where that noted nothing, or is not whole.
func TestChangesBefore(t *testing.T) {
	dir := t.TempDir()
	j := journal.Of(dir)
	next := func(name, want string) *journal.Run {
		t.Helper()
		r := begin(t, j, name, 1)
		if what, found := r.ChangesBefore(); found != (want != "") || journal.Text(what, "t") != want {
			t.Errorf("%s: %v %v, want %q", name, what, found, want)
		}
		return r
	}
	r := next("20260101T000000.000-0001", "")
	r.WriteChanges(event("begun"))
	r.Close()
	r = next("20260101T000000.000-0002", "begun")
	r.WriteChanges(event("begun"))
	r.WriteChanges(event("ended"))
	r.Close()
	next("20260101T000000.000-0003", "ended").Close()
	r = next("20260101T000000.000-0004", "")
	r.WriteChanges(event("torn"))
	r.Close()
	if err := os.WriteFile(filepath.Join(dir, "ralph", "runs", r.Name, "changes.json"), []byte(`{"t": "to`), 0o600); err != nil {
		t.Fatal(err)
	}
	next("20260101T000000.000-0005", "")
}
