package authority

import (
	"os"
	"strings"
	"time"

	"git-ralph/internal/claim"

	"golang.org/x/sys/unix"
)

// bootClock reads the clock that counts the time in which the machine sleeps.
func bootClock() (claim.Clock, bool) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	var now unix.Timespec
	if err != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return claim.Clock{}, false
	}
	return claim.Clock{Boot: strings.TrimSpace(string(id)), Now: time.Duration(now.Nano())}, true
}
