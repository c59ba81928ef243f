package authority_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/test/gittest"
)

// moveClock makes a repository look as if somebody had set the clock since: what it keeps of claims is of another time.
func moveClock(t *testing.T, r *gittest.Repo, by time.Duration) {
	t.Helper()
	err := filepath.WalkDir(r.Git("rev-parse", "--path-format=absolute", "--git-common-dir"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.Contains(path, "ralph") && entry.Name() != "packed-refs" {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			err = os.Chtimes(path, time.Time{}, info.ModTime().Add(by))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Neither the holder's clock, which may be hours away, nor our own, which somebody sets meanwhile, makes a claim stale or keeps it
// fresh: leases are measured by what counts the time since the start of the machine.
func TestMovedClock(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		holder, other := claims(t, p.repos[0]), claims(t, p.repos[1])
		other.SetSkew(0)
		hours := map[string]time.Duration{"t-1": -12 * time.Hour, "t-2": 12 * time.Hour}
		for id, by := range hours {
			mine := claim.Claim{ID: id, Token: authority.NewToken(), State: claim.Working, Lease: 2, At: time.Now().Add(by).UTC().Format(time.RFC3339)}
			outcomes, err := holder.Change(t.Context(), claim.Batch{Changes: []claim.Change{{ID: id, Do: claim.Put, New: mine, Fresh: true}}})
			if err != nil || outcomes[0] != claim.Done {
				t.Fatal(outcomes, err)
			}
		}
		stale := func(id string) claim.Staleness {
			seen, err := other.See(t.Context(), nil, id)
			if err != nil {
				t.Fatal(err)
			}
			moveClock(t, p.repos[1], hours[id])
			return other.Protocol().Stale(seen[id])
		}
		first := time.Now()
		for id := range hours {
			for range 2 {
				if got := stale(id); got != claim.Fresh && time.Since(first) < 2*time.Second {
					t.Errorf("%s: stale by %s at first", id, got)
				}
			}
		}
		time.Sleep(2100 * time.Millisecond)
		for id := range hours {
			if got := stale(id); got != claim.ByLease {
				t.Errorf("%s: %q after its lease", id, got)
			}
		}
	})
}

// A claim that was given up is deleted when it arrives late, whatever the clock shows by then.
func TestLatePushAfterMovedClock(t *testing.T) {
	for _, by := range []time.Duration{-12 * time.Hour, 12 * time.Hour} {
		p := remotePlace(t)
		r := faulty(t, p.repos[0])
		r.WriteFile("../fault", "drop")
		_, err := claims(t, r).Take(t.Context(), pending("t-1"), authority.Holder{Worker: "w"}, authority.TakeOptions{}, "t-1")
		if !errors.Is(err, authority.ErrUnknown) {
			t.Fatalf("got %v", err)
		}
		late := lastClaim(r)
		r.Remove("../fault")
		now := time.Now().UTC()
		ended := r.ReadFile(".git/ralph/claims/ended.json")
		r.WriteFile(".git/ralph/claims/ended.json", strings.ReplaceAll(ended, now.Format("2006-01-02T15:"), now.Add(by).Format("2006-01-02T15:")))
		moveClock(t, r, by)
		r.Git("push", "-q", "team/hub", late+":refs/ralph/claims/t-1")
		got := take(t, claims(t, r), authority.Holder{Worker: "next"}, authority.TakeOptions{}, "t-1")
		if got.Refusal != "" || got.Held.Claim.Worker != "next" {
			t.Errorf("the late claim counts: %+v", got)
		}
	}
}

// lastClaim returns the object of the only claim that a repository has.
func lastClaim(r *gittest.Repo) (id string) {
	for line := range strings.Lines(r.Git("cat-file", "--batch-all-objects", "--batch-check")) {
		if object, rest, _ := strings.Cut(line, " "); strings.HasPrefix(rest, "blob") && strings.Contains(r.Git("cat-file", "blob", object), `"token"`) {
			id = object
		}
	}
	return id
}
