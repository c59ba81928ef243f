package authority

import (
	"time"

	"git-ralph/internal/claim"
)

// clock reads our boot clock.
type clock struct {
	began   time.Time
	process string // a name that no other process has
}

func newClock() clock { return clock{began: time.Now(), process: "process " + NewToken()} }

// read returns the boot clock or, where the system has none that counts sleep, that of this process alone: sightings of earlier
// processes then start again, and nothing proves that a worker is gone. It may stand still while the machine sleeps, so that
// leases last longer, never shorter.
func (c clock) read() claim.Clock {
	if boot, ok := bootClock(); ok {
		return boot
	}
	return claim.Clock{Boot: c.process, Now: time.Since(c.began)}
}
