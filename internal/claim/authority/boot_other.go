//go:build !linux && !darwin

package authority

import "git-ralph/internal/claim"

// bootClock: no clock of this system is known to count sleep.
func bootClock() (claim.Clock, bool) { return claim.Clock{}, false }
