package authority

import (
	"time"

	"git-ralph/internal/claim"

	"golang.org/x/sys/unix"
)

// bootClock reads the clock that counts the time in which the machine sleeps: here CLOCK_MONOTONIC does.
func bootClock() (claim.Clock, bool) {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	var now unix.Timespec
	if err != nil || id == "" || unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return claim.Clock{}, false
	}
	return claim.Clock{Boot: id, Now: time.Duration(now.Nano())}, true
}
