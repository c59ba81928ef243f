package cli

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/githook"
)

// newHook is what the scripts of package githooks call: `git-ralph hook NAME`
// and the arguments that git gave to the hook.
func newHook(env *Env) *cli.Command {
	return &cli.Command{
		Name: "hook", Hidden: true, SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usage(c, "hook takes the name of a git hook")
			}
			if slices.Contains(env.Environ, "RALPH_HOOKS=0") {
				return nil // our scripts leave before; those of other tools do not
			}
			hook := githook.Env{Dir: env.Dir, Environ: env.Environ, In: env.In, Tell: env.say}
			st, err := env.open(c.Context)
			if err != nil {
				err = hook.Unable(c.Context, c.Args().First(), c.Args().Tail(), err)
			} else {
				hook.Store = st
				err = githook.Run(c.Context, hook, c.Args().First(), c.Args().Tail())
			}
			if errors.Is(err, githook.ErrUnknown) || errors.Is(err, githook.ErrArguments) {
				return usage(c, "%v", err) // not the status by which a hook refuses
			}
			return err
		},
	}
}
