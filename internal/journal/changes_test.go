package journal_test

import (
	"os"
	"path/filepath"
	"testing"

	"git-ralph/internal/journal"
)

// TestChangesBefore guards: a run reads what the last one before it that came to it noted of the worktree, however few runs are
// kept and however many were killed as they began; nothing where the note is not whole.
func TestChangesBefore(t *testing.T) {
	dir := t.TempDir()
	j := journal.Of(dir)
	next := func(name, want string) *journal.Run {
		t.Helper()
		r := begin(t, j, name, 1)
		if what := r.ChangesBefore(); journal.Text(what, "t") != want {
			t.Errorf("%s: %v, want %q", name, what, want)
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
	next("20260101T000000.000-0003", "ended").Close() // killed before it noted anything
	next("20260101T000000.000-0004", "ended").Close()
	if err := os.Mkdir(filepath.Join(dir, "ralph", "runs", "20260101T000000.000-0005"), 0o777); err != nil { // killed even before
		t.Fatal(err)
	}
	r = next("20260101T000000.000-0006", "ended")
	r.WriteChanges(event("torn"))
	r.Close()
	if err := os.WriteFile(filepath.Join(dir, "ralph", "runs", r.Name, "changes.json"), []byte(`{"t": "to`), 0o600); err != nil {
		t.Fatal(err)
	}
	next("20260101T000000.000-0007", "")
}
