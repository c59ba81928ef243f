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

// renewals is the file in which the workers of a clone ask for renewals over a remote, so that one push renews the claims of
// all that asked within the last third of their lease.
type renewals struct {
	dir    string // common git directory
	remote string
}

// renewal is what one holder asked for.
type renewal struct {
	Token   string
	Lease   time.Duration
	Boot    string
	Asked   time.Duration // by the boot clock
	Renewed time.Duration // 0: not yet
}

func (s renewals) name() string { return stateDir + "/renewals.json" }

// update changes the file under a lock, which is held while change pushes.
func (s renewals) update(ctx context.Context, change func(map[string]renewal) error) error {
	path := filepath.Join(s.dir, filepath.FromSlash(s.name()))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	lock, err := safefile.Lock(ctx, path+".lock", "claim renew")
	if err != nil {
		return err
	}
	defer lock.Release() //nolint:errcheck // the kernel releases it at the end
	asked := map[string]map[string]renewal{}
	if data, err := os.ReadFile(path); err == nil {
		json.Unmarshal(data, &asked) //nolint:errcheck // a damaged file is one in which nobody asked for anything
	}
	if asked[s.remote] == nil {
		asked = map[string]map[string]renewal{s.remote: {}}
	}
	failed := change(asked[s.remote])
	data, err := json.Marshal(asked)
	if err == nil {
		err = safefile.WriteCached(s.dir, s.name(), append(data, '\n'), 0o666)
	}
	if failed != nil {
		return failed
	}
	return err
}

// renewTogether renews claims over a remote, with those that other workers of the clone asked for. Claims of ours that another
// worker's push renewed a moment ago need none.
func (c *Claims) renewTogether(ctx context.Context, own Own, leases map[string]time.Duration) (lost map[string]claim.Held, err error) {
	err = c.renewals.update(ctx, func(asked map[string]renewal) error {
		now := c.clock.read()
		due := false
		for id, token := range own {
			old := asked[id]
			next := renewal{Token: token, Lease: leases[id], Boot: now.Boot, Asked: now.Now}
			if old.Token == token && old.Boot == now.Boot {
				next.Renewed = old.Renewed
			}
			due = due || next.Renewed == 0 || now.Now-next.Renewed > next.Lease/6
			asked[id] = next
		}
		if !due {
			return nil
		}
		all := Own{}
		for id, a := range asked {
			if a.Boot == now.Boot && a.Asked <= now.Now && now.Now-a.Asked <= a.Lease/3 {
				all[id] = a.Token
			} else {
				delete(asked, id)
			}
		}
		gone, err := c.each(ctx, all, c.protocol.Renew, c.protocol.Renewals)
		lost = map[string]claim.Held{}
		for id := range all {
			if h, isGone := gone[id]; isGone {
				delete(asked, id)
				if _, ours := own[id]; ours {
					lost[id] = h
				}
			} else if a := asked[id]; err == nil {
				a.Renewed = now.Now
				asked[id] = a
			}
		}
		return err
	})
	return lost, err
}
