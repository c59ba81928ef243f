package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// checkLine refuses what is wrong with any command: formats that do not go
// together, and empty ids. It runs before every command.
func checkLine(c *cli.Context) error {
	if err := checkFormat(c); err != nil {
		return err
	}
	return checkIDs(c)
}

// checkIDs refuses an empty argument where ArgsUsage says that an id stands.
func checkIDs(c *cli.Context) error {
	usageText := strings.TrimPrefix(c.Command.ArgsUsage, "[")
	ids := c.Args().Slice()
	switch {
	case !strings.HasPrefix(usageText, "ID"):
		return nil
	case strings.HasPrefix(usageText, "ID…"):
	case strings.Contains(usageText, "REASON") && len(ids) < 2:
		return nil // the reason alone
	default:
		ids = ids[:min(1, len(ids))]
	}
	if slices.ContainsFunc(ids, func(id string) bool { return strings.TrimSpace(id) == "" }) {
		return usage(c, "the id is empty: want one such as t-1a2b")
	}
	return nil
}

// atMost refuses more arguments than n.
func atMost(c *cli.Context, n int) error {
	if c.NArg() > n {
		return usage(c, "%s does not take the argument %q", c.Command.HelpName, c.Args().Get(n))
	}
	return nil
}
