package authority

import (
	"time"

	"git-ralph/internal/claim"
)

// SetWait sets how long an authority waits for locks of git.
func (c *Claims) SetWait(d time.Duration) {
	if local, is := c.authority.(*Local); is {
		local.wait = d
	} else {
		c.authority.(*Remote).wait = d
	}
}

// SetSkew sets what is added to leases.
func (c *Claims) SetSkew(d time.Duration) { c.skew = d }

// Clock returns our boot clock.
func (c *Claims) Clock() claim.Clock { return c.clock.read() }
