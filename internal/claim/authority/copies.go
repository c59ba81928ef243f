package authority

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/git"
	"git-ralph/internal/safefile"
)

// copyCache is one file with all claims of a repository, so that a query among a thousand claims does not open two thousand files.
// It is valid as long as neither the directory of the references nor the packed references have changed: git replaces both by
// renaming. It is for display only.
type copyCache struct {
	repo   *git.Repo
	prefix string
}

const (
	cachedClaims = 32          // fewer claims are read as they are
	cachedAge    = time.Second // what changed later than this before may change again without a new time
	smallCopy    = 150         // bytes: few claims take less in the cache
)

// Copies returns the claims as they were last read, without contacting a remote. They are for display only.
func (c *Claims) Copies(ctx context.Context) (map[string]claim.Held, error) {
	cache := copyCache{c.repo, c.copyPrefix()}
	key, fresh := cache.key()
	if held, ok := cache.load(key); ok {
		return held, nil
	}
	held, err := readClaims(ctx, c.repo, cache.prefix, nil)
	if again, _ := cache.key(); err == nil && fresh && again == key && len(held) >= cachedClaims {
		cache.store(key, held)
	}
	return held, err
}

// maxProbes is how many locks Abandoned looks at: so many take no more than a twentieth of a query's time.
const maxProbes = 64

// Abandoned returns which of the claims that Copies returned are stale by proof; over a remote none, and none where more than maxProbes
// workers may hold locks.
func (c *Claims) Abandoned(held map[string]claim.Held) map[string]bool {
	var locked []claim.Held
	for _, h := range held {
		if h.Claim.Lock != "" {
			locked = append(locked, h)
		}
	}
	if c.remote != "" || len(locked) == 0 || len(locked) > maxProbes {
		return nil
	}
	abandoned, now := map[string]bool{}, c.clock.read()
	for _, h := range locked {
		if c.protocol.Stale(claim.Seen{Held: h, Evidence: c.evidence(h, claim.Sighting{}, now)}) == claim.ByProof {
			abandoned[h.ID] = true
		}
	}
	return abandoned
}

func (s copyCache) name() string { return stateDir + "/copies" }

// key names the state of the references, "" where they are not in files; fresh reports whether a later change shows in it.
func (s copyCache) key() (key string, fresh bool) {
	if s.repo.HasReftable() || runtime.GOOS == "windows" {
		return "", false
	}
	key, fresh = "claims 3 "+s.prefix, true
	for _, path := range []string{s.repo.ReferencePath(s.prefix), filepath.Join(s.repo.CommonDir(), "packed-refs")} {
		info, err := os.Stat(path)
		switch {
		case err == nil:
			key += fmt.Sprintf(" %d %d", info.ModTime().UnixNano(), info.Size())
			fresh = fresh && time.Since(info.ModTime()) > cachedAge
		case errors.Is(err, fs.ErrNotExist):
			key += " none"
		default:
			return "", false
		}
	}
	return key, fresh
}

// store writes the file: the key, then each claim with the id of its object.
func (s copyCache) store(key string, held map[string]claim.Held) {
	data := []byte(key + "\n")
	for _, h := range held {
		if h.Bad != "" {
			return
		}
		data = append(data, h.Object...)
		data = h.Claim.AppendCompact(append(data, '\n'))
	}
	safefile.WriteCached(s.repo.CommonDir(), s.name(), data, 0o666) //nolint:errcheck // the next query reads what is there
}

// load reads the file; not ok where it is of another state, or damaged.
func (s copyCache) load(key string) (map[string]claim.Held, bool) {
	if key == "" {
		return nil, false
	}
	text, err := readText(filepath.Join(s.repo.CommonDir(), filepath.FromSlash(s.name())))
	rest, ok := strings.CutPrefix(text, key+"\n")
	if err != nil || !ok {
		return nil, false
	}
	held := make(map[string]claim.Held, len(rest)/smallCopy)
	var h claim.Held
	for rest != "" {
		h.Object, rest, _ = strings.Cut(rest, "\n")
		if rest, ok = h.Claim.CutCompact(rest); !ok {
			return nil, false
		}
		h.ID = h.Claim.ID
		held[h.ID] = h
	}
	return held, true
}

// readText reads a file without a copy of its content.
func readText(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b strings.Builder
	if info, err := f.Stat(); err == nil {
		b.Grow(int(info.Size()))
	}
	_, err = io.Copy(&b, f)
	return b.String(), err
}
