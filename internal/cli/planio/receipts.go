package planio

import (
	"context"

	"git-ralph/internal/evidence"
	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/fold"
)

// Receipts are those of acceptances, by the event.
type Receipts map[*fold.Event][]evidence.Receipt

// ReadReceipts reads the receipts of events from the messages of their commits. Of a message that cannot be read there are none.
func ReadReceipts(ctx context.Context, repo *git.Repo, events []*fold.Event) Receipts {
	all := Receipts{}
	walker := walk.Open(ctx, repo)
	defer walker.Close() //nolint:errcheck // nothing was written
	for _, e := range events {
		if e == nil || !e.Evidence || all[e] != nil {
			continue
		}
		m, err := walker.Message(e.Commit)
		if err != nil {
			continue
		}
		for _, r := range evidence.ReceiptsIn(m.Text) {
			if r.Task == e.ID {
				all[e] = append(all[e], r)
			}
		}
	}
	return all
}
