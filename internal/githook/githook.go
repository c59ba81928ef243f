// Package githook is what each of git's hooks does for the plan.
//
// The scripts of package githooks call it only where the plan is concerned. A
// hook that can refuse (pre-commit, pre-merge-commit, commit-msg, pre-push)
// returns an error in order to do so; whatever keeps one from finding out is
// told as a warning and refuses nothing. The others always succeed.
package githook

import (
	"context"
	"errors"
	"fmt"
	"io"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// Errors of Run, beside *plan.InvalidError.
var (
	// ErrUnknown: git has such a hook, perhaps, but nothing is done in it.
	ErrUnknown = errors.New("there is no such hook")
	// ErrArguments: git did not call the hook like this.
	ErrArguments = errors.New("wrong number of arguments")
	// ErrSetting: a setting has a value that it cannot have.
	ErrSetting = errors.New("bad setting")
)

// Env is what a hook needs from outside.
type Env struct {
	Store *store.Store
	Dir   string    // that names of files in arguments are relative to
	In    io.Reader // what git says on standard input
	// Tell says something to the user: a sort, such as "warning", "hint" or
	// "note", and a line.
	Tell func(sort, text string)
}

// run is one hook that is being run.
type run struct {
	Env
	repo   *git.Repo
	config *git.Config
}

// Run does what is to be done in the hook of that name, with the arguments
// that git gave to it.
func Run(ctx context.Context, env Env, name string, args []string) error {
	r := run{Env: env, repo: env.Store.Repo()}
	var err error
	if r.config, err = r.repo.Config(ctx); err != nil {
		return err
	}
	switch name {
	case "pre-commit", "pre-merge-commit":
		return r.staged(ctx, name)
	case "commit-msg", "prepare-commit-msg":
		if len(args) == 0 {
			return fmt.Errorf("%s: %w", name, ErrArguments)
		}
		if name == "commit-msg" {
			return r.commitMessage(ctx, args[0])
		}
		return r.offerNext(ctx, args)
	case "post-commit":
		return r.committed(ctx)
	case "post-merge", "post-checkout", "post-rewrite":
		return r.arrived(ctx, name)
	case "pre-push":
		return r.push(ctx)
	}
	return fmt.Errorf("%q: %w", name, ErrUnknown)
}

// setting reads a setting that has one of a few values; the first is that of a
// user who set none.
func (r run) setting(key string, values ...string) (string, error) {
	given, found := r.config.Get(key)
	if !found {
		return values[0], nil
	}
	for _, v := range values {
		if given == v {
			return v, nil
		}
	}
	return "", fmt.Errorf("%w: %s = %q, expected one of %q", ErrSetting, key, given, values)
}

// warn tells problems that refuse nothing.
func (r run) warn(file string, problems plan.Problems) {
	hinted := map[string]bool{"": true}
	for _, p := range problems {
		r.Tell("warning", p.In(file))
		if !hinted[p.Hint] {
			r.Tell("hint", p.Hint)
		}
		hinted[p.Hint] = true
	}
}

// unsure tells why a hook could not find out what it should.
func (r run) unsure(what string, err error) error {
	r.Tell("warning", fmt.Sprintf("%s: %v", what, err))
	return nil
}
