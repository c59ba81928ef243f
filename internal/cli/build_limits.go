package cli

import (
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/loop"
)

// readLimits checks the limits that are numbers, and reads the one that is a time. What is below 0 is a slip of the
// fingers, and must not mean that there is no limit.
func (o *buildOptions) readLimits(c *cli.Context) error {
	if c.IsSet("task") && o.goals.Task == "" { // a variable that is not set must not mean any task
		return usage(c, "flag --task needs a value")
	}
	for _, name := range [...]string{"max-iterations", "max-tokens"} {
		if n := c.Int(name); n < 0 {
			return usage(c, "invalid number %d for --%s: want 0 or more", n, name)
		}
	}
	if given := c.String("max-cost"); c.IsSet("max-cost") {
		cost, err := strconv.ParseFloat(strings.TrimPrefix(given, "$"), 64)
		if err != nil || !(cost >= 0) || math.IsInf(cost, 1) { // NaN is neither
			return usage(c, "invalid amount %q: want a number of dollars, such as 2.50", given)
		}
		o.goals.Cost = cost
	}
	given := c.String("max-time")
	if given == "" {
		return nil
	}
	limit, err := loop.ParseDuration(given)
	if err != nil {
		return usage(c, "invalid duration %q: want one such as 90m or 8h", given)
	}
	o.goals.Time = limit
	return nil
}
