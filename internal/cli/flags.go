package cli

import "github.com/urfave/cli/v2"

// jsonFlag asks for JSON on a terminal.
func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print JSON, as where standard output is no terminal"}
}

// atMost refuses more arguments than n.
func atMost(c *cli.Context, n int) error {
	if c.NArg() > n {
		return usage(c, "%s does not take the argument %q", c.Command.HelpName, c.Args().Get(n))
	}
	return nil
}
