package authority

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/safefile"
)

// stateDir is where a repository keeps what it knows of claims beside the references, below its common git directory.
const stateDir = "ralph/claims"

// sightings is the file that says when each claim was first seen as it is. Losing it costs time, never a claim.
type sightings struct {
	common    string // git directory
	authority string // "" for the local one, else the remote
}

type sightingsFile struct {
	Authority string          `json:"authority"`
	Claims    claim.Sightings `json:"claims"`
}

func (s sightings) name() string { return stateDir + "/sightings.json" }

// observe records a fresh read, and returns since when each claim is known to be as it is.
func (s sightings) observe(ctx context.Context, read map[string]claim.Held, ids []string, now claim.Clock) claim.Sightings {
	if ids != nil && !hasLease(read) {
		return nil // what the file has of them is of claims that are gone, or do not become stale
	}
	var next claim.Sightings
	s.update(ctx, func(old claim.Sightings) claim.Sightings {
		next = old.Observe(read, ids, now)
		return next
	})
	if next == nil { // the file cannot be changed now: what we see counts from now on
		next = claim.Sightings{}.Observe(read, ids, now)
	}
	return next
}

// hasLease reports whether any of the claims can become stale.
func hasLease(read map[string]claim.Held) bool {
	for _, h := range read {
		if h.Claim.State == claim.Working && h.Claim.Lease > 0 {
			return true
		}
	}
	return false
}

// forget drops all sightings after a failed read: holders could not renew their claims either.
func (s sightings) forget(ctx context.Context) {
	s.update(ctx, func(claim.Sightings) claim.Sightings { return nil })
}

// update changes the file under a lock. What cannot be read counts as nothing seen.
func (s sightings) update(ctx context.Context, change func(claim.Sightings) claim.Sightings) {
	path := filepath.Join(s.common, filepath.FromSlash(s.name()))
	if os.MkdirAll(filepath.Dir(path), 0o777) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	lock, err := safefile.Lock(ctx, path+".lock", "claim")
	if err != nil {
		return
	}
	defer lock.Release() //nolint:errcheck // the kernel releases it at the end
	old := s.load(path)
	next := change(old)
	if sameSightings(old, next) {
		return
	}
	if data, err := json.Marshal(sightingsFile{s.authority, next}); err == nil {
		safefile.WriteCached(s.common, s.name(), append(data, '\n'), 0o666) //nolint:errcheck // see above
	}
}

func (s sightings) load(path string) claim.Sightings {
	var file sightingsFile
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &file) != nil || file.Authority != s.authority {
		return nil
	}
	return file.Claims
}

func sameSightings(a, b claim.Sightings) bool {
	if len(a) != len(b) {
		return false
	}
	for id, s := range a {
		if b[id] != s {
			return false
		}
	}
	return true
}
