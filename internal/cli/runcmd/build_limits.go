package runcmd

import (
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/git/config"
	"git-ralph/internal/loop"
)

// limitFlags are the flags that readLimits reads.
func limitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "max-iterations", Value: defaultIterations, Usage: "start at most `N` agents; 0 for no limit"},
		&cli.StringFlag{Name: "max-time", Usage: "start no agent after `TIME`, such as 8h"},
		&cli.StringFlag{Name: "max-cost", Usage: "start no agent once `DOLLARS` are spent"},
		&cli.IntFlag{Name: "max-tokens", Usage: "start no agent once `N` tokens are used"},
	}
}

func dryRunFlag() cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Usage: "print the next prompt and command, and start nothing"}
}

// readLimits reads the limits of a run. A number below 0 is a typing error, and must not mean that there is no limit.
func readLimits(c *cli.Context) (loop.Goals, error) {
	goals := loop.Goals{Iterations: c.Int("max-iterations"), Tokens: c.Int("max-tokens")}
	for _, name := range [...]string{"max-iterations", "max-tokens"} {
		if n := c.Int(name); n < 0 {
			return goals, cmdline.Usage(c, "invalid number %d for --%s: want 0 or more", n, name)
		}
	}
	if text := c.String("max-cost"); c.IsSet("max-cost") {
		cost, err := strconv.ParseFloat(strings.TrimPrefix(text, "$"), 64)
		if err != nil || !(cost >= 0) || math.IsInf(cost, 1) { // NaN is neither
			return goals, cmdline.Usage(c, "invalid amount %q: want a number of dollars, such as 2.50", text)
		}
		goals.Cost = cost
	}
	text := c.String("max-time")
	if text == "" {
		return goals, nil
	}
	limit, err := config.ParseDuration(text)
	if err != nil {
		return goals, cmdline.Usage(c, "invalid duration %q: want one such as 90m or 8h", text)
	}
	goals.Time = limit
	return goals, nil
}
