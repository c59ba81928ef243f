// Package githook implements `git ralph hook`: what each git hook does for the plan.
//
// The scripts of package githooks call it only where the plan is concerned. A
// hook that can refuse (pre-commit, pre-merge-commit, commit-msg, pre-push)
// returns an error in order to do so; whatever keeps one from checking is
// reported as a warning and refuses nothing. The others always succeed.
package githook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"git-ralph/githooks"
	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// Errors of Run, beside *plan.InvalidError.
var (
	// ErrUnknown: the hook is not one of ours.
	ErrUnknown = errors.New("there is no such hook")
	// ErrArguments: the hook got too few arguments.
	ErrArguments = errors.New("wrong number of arguments")
)

// Env is what a hook needs from outside.
type Env struct {
	Store   *store.Store
	Dir     string    // that names of files in arguments are relative to
	Environ []string  // as os.Environ returns it
	In      io.Reader // what git writes to the hook's standard input
	// Items returns how tasks of items are finished.
	Items func(context.Context) (pipeline.Finishing, error)
	// Report prints a message to the user: its kind, such as "warning", "hint" or
	// "note", and a line.
	Report func(kind, text string)
}

// run is one running hook.
type run struct {
	Env
	repo   *git.Repo
	config *config.Config
}

// Run runs the hook of that name with the arguments from git.
func Run(ctx context.Context, env Env, name string, args []string) error {
	r := run{Env: env, repo: env.Store.Repo()}
	var err error
	if r.config, err = r.repo.Config(ctx); err != nil {
		return env.WarnUnable(ctx, name, args, err)
	}
	switch name {
	case "pre-commit":
		if !r.concernsPlan(ctx, args) {
			return nil
		}
		err := r.preCommit(ctx, name, args)
		if err == nil {
			r.markStaged(r.amends(ctx, args))
		}
		return err
	case "pre-merge-commit":
		return r.preCommit(ctx, name, args)
	case "commit-msg", "prepare-commit-msg":
		if len(args) == 0 {
			return fmt.Errorf("%s: %w", name, ErrArguments)
		}
		if name == "commit-msg" {
			err := r.commitMsg(ctx, args[0])
			if err == nil {
				r.addTrailers(ctx, args[0])
			}
			return err
		}
		return r.prepareCommitMsg(ctx, args)
	case "post-commit":
		return r.postCommit(ctx)
	case "post-merge", "post-checkout", "post-rewrite":
		return r.reportArrived(ctx, name)
	case "pre-push":
		return r.prePush(ctx)
	}
	return fmt.Errorf("%q: %w", name, ErrUnknown)
}

// WarnUnable is called instead of Run if there is no Store, for the reason given.
// It reports what the hook does not do, once for each commit, and refuses nothing.
func (e Env) WarnUnable(ctx context.Context, name string, args []string, reason error) error {
	switch name {
	case "pre-commit":
		return e.warnUnchecked("the plan was not checked, and nothing is closed", reason)
	case "pre-merge-commit", "pre-push":
		return e.warnUnchecked("the plan was not checked", reason)
	case "post-commit":
		if len(args) > 0 && e.reportedBefore(ctx, args[0]) {
			return nil
		}
		return e.warnUnchecked("nothing was closed", reason)
	case "commit-msg", "prepare-commit-msg", "post-merge", "post-checkout", "post-rewrite":
		return nil // the hooks above, or the next command, report it
	}
	return fmt.Errorf("%q: %w", name, ErrUnknown)
}

// reportedBefore reports whether pre-commit was started for the commit that was just
// made: that changed the plan at path, where the script looks for it, over what
// HEAD was before, or over its parent where it was amended. After --no-verify it was not: then the user wants no checks.
func (e Env) reportedBefore(ctx context.Context, path string) bool {
	repo, err := git.Open(ctx, e.Dir, e.Environ)
	if err != nil {
		return false
	}
	reader := repo.Reader(ctx)
	defer reader.Close()
	parent := "HEAD@{1}"
	if strings.HasPrefix(repo.LastHeadMove(), "commit (amend)") {
		parent = "HEAD^"
	}
	var plans [2]string // ids of blobs, "" for none
	for i, rev := range [...]string{parent, "HEAD"} {
		commit, err := reader.Resolve(rev)
		if err != nil {
			return false
		}
		if blob, err := reader.File(commit, path); err == nil {
			plans[i] = blob.ID
		}
	}
	return plans[0] != plans[1]
}

// setting reads one of githooks.Settings; what it cannot have counts as its
// default. That is reported once per commit, by the hook that the setting is about.
func (r run) setting(report bool, key string) string {
	values := githooks.Values(key)
	value, found := r.config.Get(key)
	if on, err := r.config.Bool(key, values[0] == "true"); err == nil && slices.Contains(values, "true") {
		return strconv.FormatBool(on)
	}
	if !found || slices.Contains(values, value) {
		return cmp.Or(value, values[0])
	}
	if report {
		r.Report("warning", fmt.Sprintf("invalid setting %s %q: want %s; it counts as %s", key, value, githooks.Listed(values), values[0]))
	}
	return values[0]
}

// warn reports problems that refuse nothing.
func (r run) warn(file string, problems plan.Problems) {
	hinted := map[string]bool{"": true}
	for _, p := range problems {
		r.Report("warning", p.In(file))
		if !hinted[p.Hint] {
			r.Report("hint", p.Hint)
		}
		hinted[p.Hint] = true
	}
}

// warnUnchecked reports why a hook could not check.
func (e Env) warnUnchecked(what string, err error) error {
	e.Report("warning", fmt.Sprintf("%s: %v", what, err))
	return nil
}
