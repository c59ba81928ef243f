package authority

import (
	"os"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/claim"
)

// TestNewIntentIsAlive guards: a push that begins is at no moment taken for one whose process died, whoever looks: its claim would
// be deleted.
func TestNewIntentIsAlive(t *testing.T) {
	s, now := intents{dir: t.TempDir(), remote: "origin"}, newClock().read()
	if err := os.MkdirAll(s.root(), 0o777); err != nil {
		t.Fatal(err)
	}
	var look sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		look.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				left, err := s.left(now)
				for path, open := range left {
					t.Errorf("%s counts as left: %v", path, open)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		o, err := s.write([]claim.Intent{{ID: "t-a", New: "x", Token: NewToken(), First: now, Within: time.Hour, Fresh: true}})
		if err != nil {
			t.Fatal(err)
		}
		o.close()
	}
	close(done)
	look.Wait()
	if left, err := os.ReadDir(s.root()); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
