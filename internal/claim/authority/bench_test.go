package authority_test

import (
	"fmt"
	"testing"
	"time"

	"git-ralph/internal/claim"
)

// BenchmarkCopies reads a thousand claims, as a query does, each in a file and packed.
func BenchmarkCopies(b *testing.B) {
	p := localPlace(b)
	c := claims(b, p.repos[0])
	var batch claim.Batch
	for i := range 1000 {
		mine := claim.Claim{ID: fmt.Sprint("t-", i), Token: fmt.Sprintf("token%05d", i), State: claim.Working, Worker: "w", Lease: 900}
		batch.Changes = append(batch.Changes, claim.Change{ID: mine.ID, Do: claim.Put, New: mine})
	}
	if _, err := c.Change(b.Context(), batch); err != nil {
		b.Fatal(err)
	}
	time.Sleep(1100 * time.Millisecond) // what changed just now is not cached
	read := func(b *testing.B) {
		for b.Loop() {
			if got, err := c.Copies(b.Context()); err != nil || len(got) != 1000 {
				b.Fatal(len(got), err)
			}
		}
	}
	b.Run("files", read)
	p.repos[0].Git("pack-refs", "--all")
	b.Run("packed references", read)
	p.repos[0].Git("gc", "-q")
	time.Sleep(1100 * time.Millisecond)
	b.Run("packed", read)
}
