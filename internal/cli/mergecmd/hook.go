package mergecmd

import (
	"context"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/githook"
	"git-ralph/internal/pipeline"
)

// NewHook is the command that the scripts of package githooks call: `git-ralph hook NAME`
// and the arguments that git gave to the hook.
func NewHook(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "hook", Hidden: true, SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return cmdline.Usage(c, "hook takes the name of a git hook")
			}
			if slices.Contains(env.Environ, "RALPH_HOOKS=0") {
				return nil // our own scripts exit before this; those of other tools do not
			}
			hook := githook.Env{Dir: env.Dir, Environ: env.Environ, In: env.In, Report: env.Say}
			st, err := planio.Open(c.Context, env)
			if err != nil {
				err = hook.WarnUnable(c.Context, c.Args().First(), c.Args().Tail(), err)
			} else {
				hook.Store = st
				hook.Items = func(ctx context.Context) (pipeline.Finishing, error) { return planio.ItemRules(ctx, env, st) }
				err = githook.Run(c.Context, hook, c.Args().First(), c.Args().Tail())
			}
			if errors.Is(err, githook.ErrUnknown) || errors.Is(err, githook.ErrArguments) {
				return cmdline.Usage(c, "%v", err) // not the status by which a hook refuses
			}
			return err
		},
	}
}
