package runcmd

import (
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/git/config"
)

// readLimits checks the limits that are numbers, and reads the one that is a time. What is below 0 is a slip of the
// fingers, and must not mean that there is no limit.
func (o *buildOptions) readLimits(c *cli.Context) error {
	for _, name := range [...]string{"max-iterations", "max-tokens"} {
		if n := c.Int(name); n < 0 {
			return cmdline.Usage(c, "invalid number %d for --%s: want 0 or more", n, name)
		}
	}
	if text := c.String("max-cost"); c.IsSet("max-cost") {
		cost, err := strconv.ParseFloat(strings.TrimPrefix(text, "$"), 64)
		if err != nil || !(cost >= 0) || math.IsInf(cost, 1) { // NaN is neither
			return cmdline.Usage(c, "invalid amount %q: want a number of dollars, such as 2.50", text)
		}
		o.goals.Cost = cost
	}
	text := c.String("max-time")
	if text == "" {
		return nil
	}
	limit, err := config.ParseDuration(text)
	if err != nil {
		return cmdline.Usage(c, "invalid duration %q: want one such as 90m or 8h", text)
	}
	o.goals.Time = limit
	return nil
}
