package githubcmd

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/pullrequest"
)

// defaultIntegration is the name of the branch that `git ralph github integrate` makes where none is named.
const defaultIntegration = "ralph-integration"

// Integrate is `git ralph github integrate`. The target is set last, so that a command that was interrupted is done again.
func Integrate(ctx context.Context, env *term.Env, o uicmd.IntegrateOptions) error {
	w, err := newPullWork(ctx, env)
	if err != nil {
		return err
	}
	held, err := w.lockPulls()
	if err != nil {
		return err
	}
	defer held.Release() //nolint:errcheck // the process's end releases it too
	if err := w.findBase(ctx); err != nil {
		return err
	}
	protected, err := w.noteProtection(ctx, w.base)
	if err != nil {
		return err
	}
	settings, err := w.store.Repo().Config(ctx)
	if err != nil {
		return err
	}
	target, _ := settings.Get("ralph.target")
	target = strings.TrimPrefix(target, "refs/heads/")
	switch {
	case o.Branch == "" && !protected:
		env.Print(w.base + " is not protected at GitHub: nothing to do")
		return cmdline.StatusError(cmdline.ExitNothing)
	case o.Branch == "" && target != "" && target != w.base:
		env.Print(fmt.Sprintf("%s is protected at GitHub, and ralph.target is %s already: nothing to do", w.base, target))
		return cmdline.StatusError(cmdline.ExitNothing)
	}
	branch := w.branch
	if branch.Name = cmp.Or(o.Branch, defaultIntegration); branch.Name == w.base {
		return &cmdline.CodedError{Err: fmt.Errorf("invalid branch %q: pull requests are merged into it; want another one", branch.Name), Code: cmdline.ExitUsage}
	}
	changed, err := w.makeIntegration(ctx, branch)
	if err != nil {
		return err
	}
	if target != branch.Name {
		if err := w.configure(ctx, "ralph.target", branch.Name); err != nil {
			return err
		}
		env.Print("set ralph.target to " + branch.Name + " in this clone's configuration")
		changed = true
	}
	if head, err := w.store.Repo().HeadRef(ctx); err == nil && head != "refs/heads/"+branch.Name {
		env.Hint("the plan is on that branch now: `git switch " + branch.Name + "`")
	}
	if !changed {
		env.Print(branch.Name + " is there, and is the target: nothing to do")
		return cmdline.StatusError(cmdline.ExitNothing)
	}
	return nil
}

// makeIntegration makes a branch from the base, here and at the remote, where it is not there. It reports whether it changed any.
func (w *pullWork) makeIntegration(ctx context.Context, branch pullrequest.Branch) (changed bool, err error) {
	git, ref := branch.Repo.Git(), "refs/heads/"+branch.Name
	if _, err := git.Run(ctx, nil, "check-ref-format", ref); err != nil || strings.HasPrefix(branch.Name, "-") {
		return false, &cmdline.CodedError{Err: fmt.Errorf("invalid branch %q: want a name that git accepts", branch.Name), Code: cmdline.ExitUsage}
	}
	there, err := branch.At(ctx)
	if err != nil {
		return false, err
	}
	here, err := branch.Repo.IDAt(ctx, ref)
	if err != nil {
		return false, err
	}
	if here == "" {
		from := branch.Remote + "/" + branch.Name
		if here = there; there != "" {
			err = branch.Fetch(ctx, branch.Name)
		} else {
			here, from, err = w.startOfIntegration(ctx)
		}
		if err == nil {
			_, err = git.Run(ctx, nil, "update-ref", ref, here, "") // which fails where somebody else made it
		}
		if err != nil {
			return false, err
		}
		w.env.Print("made " + branch.Name + " from " + from)
		changed = true
	}
	if err := branch.Push(ctx, here); err != nil {
		return changed, err
	}
	if now, err := branch.At(ctx); err != nil || now == there {
		return changed, err
	}
	w.env.Print("pushed " + branch.Name + " to " + branch.Remote)
	return true, nil
}

// startOfIntegration returns the commit that an integration branch begins at, and its name: the base of this clone where that has all of the
// remote's, for it may have the plan, which could not be pushed; else the remote's.
func (w *pullWork) startOfIntegration(ctx context.Context) (commit, name string, err error) {
	repo := w.store.Repo()
	if err := w.branch.Fetch(ctx, w.base); err != nil {
		return "", "", err
	}
	there, err := repo.IDAt(ctx, w.copyOfBase())
	if err != nil {
		return "", "", err
	}
	here, err := repo.IDAt(ctx, "refs/heads/"+w.base)
	if err != nil || here == "" {
		return there, w.branch.Remote + "/" + w.base, err
	}
	reader := repo.Reader(ctx)
	defer reader.Close()
	if has, err := reader.IsAncestor(there, here); has || err != nil {
		return here, w.base, err
	}
	if old, err := reader.IsAncestor(here, there); err == nil && !old {
		w.env.Warn(fmt.Sprintf("%s here and %s/%s have both moved: what only this clone has is not in the branch; merge it by hand", w.base, w.branch.Remote, w.base))
	}
	return there, w.branch.Remote + "/" + w.base, nil
}

// noteProtection asks GitHub whether a branch is protected, and keeps that in the clone's configuration: git-ralph reads it there, since it
// asks nobody.
func (c *connection) noteProtection(ctx context.Context, branch string) (protected bool, err error) {
	if protected, err = (pullrequest.Service{Client: c.client}).Protected(ctx, branch); err != nil {
		return false, err
	}
	settings, err := c.store.Repo().Config(ctx)
	if err != nil {
		return false, err
	}
	seen := ""
	if protected {
		seen = branch
	}
	if was, _ := settings.Get(planio.ProtectedKey); was != seen {
		err = c.configure(ctx, planio.ProtectedKey, seen)
	}
	return protected, err
}

// configure changes a setting of the clone.
func (c *connection) configure(ctx context.Context, key, value string) error {
	_, err := c.store.Repo().Git().Run(ctx, nil, "config", "--local", "--replace-all", key, value)
	return err
}

// lookAtBase notes whether the base is protected, where pull requests merge code.
func (c *connection) lookAtBase(ctx context.Context) error {
	if by, err := planio.Integration(ctx, c.store); err != nil || by != pipeline.ByPullRequests {
		return err
	}
	base, err := c.askBase(ctx)
	if err != nil {
		return err
	}
	_, err = c.noteProtection(ctx, base)
	return err
}

// askBase returns the branch that pull requests are merged into, and asks GitHub where no setting names it.
func (c *connection) askBase(ctx context.Context) (string, error) {
	settings, err := c.store.Repo().Config(ctx)
	if err != nil {
		return "", err
	}
	if base, _ := settings.Get(baseKey); base != "" {
		return base, nil
	}
	return (pullrequest.Service{Client: c.client}).DefaultBranch(ctx)
}

// baseKey is the setting that names that branch.
const baseKey = "ralph.github.base"
