package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/proc"
)

// liveClaims is how many claims a query must take without being slowed down much.
const liveClaims = 1000

// measureClaimedQuery: a query among a thousand claims beside the same query without any.
func (l *lab) measureClaimedQuery(ctx context.Context) ([]row, error) {
	var rows []row
	for _, tasks := range []int{2000, 10000} {
		free, err := l.repo(ctx, 10, tasks)
		if err != nil {
			return nil, err
		}
		claimed := filepath.Join(l.dir, fmt.Sprint("claimed-", tasks))
		if err := l.claimedCopy(ctx, free, claimed, tasks); err != nil {
			return nil, err
		}
		query := func(dir string) contender {
			return contender{cmd: proc.Cmd{Name: l.bin, Args: []string{"query"}, Dir: dir}}
		}
		what := fmt.Sprintf("query of %d tasks, %d claimed : none claimed", tasks, liveClaims)
		r, err := l.compare(ctx, what, slowClaim, 3*l.runs, query(claimed), query(free))
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// claimedCopy makes a copy of a repository in which pending tasks are claimed.
func (l *lab) claimedCopy(ctx context.Context, origin, dir string, tasks int) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(origin)); err != nil {
		return err
	}
	repo, err := git.Open(ctx, dir, l.env)
	if err != nil {
		return err
	}
	batch := claim.Batch{Atomic: true}
	for i := range liveClaims {
		mine := claim.Claim{
			ID: taskID(tasks/10 + i), Token: authority.NewToken(), State: claim.Working, Worker: fmt.Sprint("worker-", i%64), Role: "builder",
			By: "bench@example.com", Host: "bench", Into: "refs/heads/main", At: time.Now().UTC().Format(time.RFC3339), Lease: 900,
		}
		batch.Changes = append(batch.Changes, claim.Change{ID: mine.ID, Do: claim.Put, New: mine, Fresh: true})
	}
	if _, err := authority.NewLocal(repo).Swap(ctx, batch); err != nil {
		return err
	}
	time.Sleep(1100 * time.Millisecond) // what changed just now is not cached
	return nil
}
