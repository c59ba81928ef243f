package authority_test

import (
	"fmt"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
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

// BenchmarkTake claims one task after the other, with all that a worker reads and writes besides the reference, and compares it
// with git's own creation of one.
func BenchmarkTake(b *testing.B) {
	p := localPlace(b)
	c := claims(b, p.repos[0])
	blob := p.repos[0].GitIn("x", "hash-object", "-w", "--stdin")
	var ours, theirs time.Duration
	n := 0
	for b.Loop() {
		n++
		id := fmt.Sprint("t-", n)
		start := time.Now()
		got, err := c.Take(b.Context(), pending(id), authority.Holder{Worker: "w", Lease: time.Hour}, authority.TakeOptions{}, id)
		if err != nil || got[0].Refusal != "" {
			b.Fatal(got, err)
		}
		ours += time.Since(start)
		start = time.Now()
		p.repos[0].Git("update-ref", "refs/bench/"+id, blob, "")
		theirs += time.Since(start)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
}
