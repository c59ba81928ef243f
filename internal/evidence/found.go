package evidence

import (
	"context"
	"encoding/hex"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
)

// A Found receipt is one that a commit's message has.
type Found struct {
	Receipt
	In string // the commit
}

// A Scope says whose messages are searched for receipts. The zero Scope is HEAD's history.
type Scope struct {
	All    bool   // that of all branches and tags too
	Except string // but for what this commit reaches, by its id
	Since  int64  // but for commits of an earlier date, in seconds since 1970
}

// Find searches the messages of commits for receipts, those of the newest commits first. Each text is reported once. The plan's
// history and its cache take no part: a receipt counts wherever it is written.
func Find(ctx context.Context, repo *git.Repo, s Scope) ([]Found, error) {
	ids, err := walk.Reachable(ctx, repo, s.All, s.Except)
	if err != nil {
		return nil, err
	}
	walker := walk.Open(ctx, repo)
	defer walker.Close() //nolint:errcheck // nothing was written
	receipts := make([][]Receipt, len(ids))
	var mutex sync.Mutex
	err = walker.Messages(ids, 1, func(_, i int, m walk.Message, err error) error {
		mutex.Lock()
		defer mutex.Unlock()
		if err == nil && m.Committer.Time >= s.Since {
			receipts[i] = ReceiptsIn(m.Text)
		}
		return nil
	})
	var all []Found
	known := map[string]bool{}
	for i := range receipts {
		for _, r := range receipts[i] {
			if !known[r.text] {
				known[r.text] = true
				all = append(all, Found{r, hex.EncodeToString(ids[i][:repo.IDSize()])})
			}
		}
	}
	return all, err
}
