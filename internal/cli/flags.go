package cli

import "github.com/urfave/cli/v2"

// atMost refuses more arguments than n.
func atMost(c *cli.Context, n int) error {
	if c.NArg() > n {
		return usage(c, "%s does not take the argument %q", c.Command.HelpName, c.Args().Get(n))
	}
	return nil
}
