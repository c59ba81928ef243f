package planio

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
)

// ProtectedKey is the setting of a clone that names the branch which GitHub protected when it was last asked; "": it did not.
const ProtectedKey = "ralph.github.protected"

// WritableTarget returns the full name of a target that GitHub, as far as this clone knows, lets us push to. Where pull requests merge code, and
// the given one is protected, it offers an integration branch. Without a terminal the error has the exit code of a wrong command line.
func WritableTarget(ctx context.Context, env *term.Env, st *store.Store, target string) (string, error) {
	by, err := Integration(ctx, st)
	if err != nil || by != pipeline.ByPullRequests {
		return target, err
	}
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return "", err
	}
	protected, _ := settings.Get(ProtectedKey)
	if protected == "" || target != "refs/heads/"+protected {
		return target, nil
	}
	if !env.Interactive {
		return "", &cmdline.HintedError{
			Err:  &cmdline.CodedError{Err: fmt.Errorf("the target %s is protected at GitHub: the plan cannot be pushed there", protected), Code: cmdline.ExitUsage},
			Hint: "`git ralph github integrate` makes a branch for it",
		}
	}
	if !env.Confirm(fmt.Sprintf("The target %s is protected at GitHub: the plan cannot be pushed there.\nMake an integration branch, push it, and have the plan there?", protected)) {
		return "", term.ErrAborted
	}
	if err := integrate(ctx, env); err != nil {
		return "", err
	}
	return RequireTarget(ctx, st, "")
}

// integrate runs `git ralph github integrate`, which asks GitHub.
func integrate(ctx context.Context, env *term.Env) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	result, err := proc.Run(ctx, proc.Cmd{Name: self, Args: []string{"github", "integrate"}, Dir: env.Dir, Env: env.Environ})
	for _, line := range strings.Split(strings.TrimSpace(string(result.Stdout)), "\n") {
		if line != "" {
			env.OnErr().Print(line)
		}
	}
	switch text := strings.TrimSpace(string(result.Stderr)); {
	case proc.ExitCode(err) == cmdline.ExitNothing: // the branch is not protected any more, or another process was faster
		return nil
	case err != nil && text != "":
		return errors.New(text)
	}
	return err
}
