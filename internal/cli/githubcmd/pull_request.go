package githubcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/github/pull"
	"git-ralph/internal/land"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/pullrequest"
	"git-ralph/internal/safefile"
)

// A pullWork is the work of one command on a pull request.
type pullWork struct {
	*connection
	options uicmd.PullRequestOptions
	service pullrequest.Service
	branch  pullrequest.Branch
	base    string // the branch to merge into
	claims  *planio.Claims
	request *pipeline.PullRequest
}

// openPull finds the task, which must be ready, and what its pull request is.
func openPull(ctx context.Context, env *term.Env, o uicmd.PullRequestOptions, step pipeline.Step) (*pullWork, error) {
	w, err := newPullWork(ctx, env)
	if err != nil {
		return nil, err
	}
	if err := w.findBase(ctx); err != nil {
		return nil, err
	}
	return w, w.choose(ctx, o, step)
}

// choose chooses the task to work on.
func (w *pullWork) choose(ctx context.Context, o uicmd.PullRequestOptions, step pipeline.Step) error {
	w.options = o
	p, err := w.claims.TargetPlan(ctx)
	if err != nil {
		return err
	}
	if w.request, err = pipeline.FindPullRequest(p, o.Name, step); err != nil {
		return err
	}
	w.branch.Name = w.request.Branch
	id := w.request.Task.ID()
	if waits := p.BlockedBy(w.request.Task.Record); len(waits) > 0 && !o.Force {
		return &plan.BlockedError{ID: id, WaitsFor: waits}
	}
	if planio.ClaimedTasks(ctx, w.env, w.store)[id] && w.claims.Tokens.Of(id) == "" && !o.Force {
		return &cmdline.HintedError{Err: fmt.Errorf("%s is claimed by somebody else", id), Hint: "`git ralph claim list` shows who has what; --force does it all the same"}
	}
	return nil
}

// newPullWork reads the settings. The base is that of the settings, "" where they name none; nothing is sent yet.
func newPullWork(ctx context.Context, env *term.Env) (*pullWork, error) {
	c, err := connect(ctx, env)
	if err != nil {
		return nil, err
	}
	w := &pullWork{connection: c, branch: pullrequest.Branch{Repo: c.store.Repo(), Remote: "origin"}, service: pullrequest.Service{Client: c.client}}
	settings, err := c.store.Repo().Config(ctx)
	if err != nil {
		return nil, err
	}
	if remote, _ := settings.Get("ralph.github.remote"); remote != "" {
		w.branch.Remote = remote
	}
	switch method, _ := settings.Get("ralph.github.mergeMethod"); method {
	case "", "merge", "squash", "rebase":
		w.service.Method = method
	default:
		return nil, fmt.Errorf("invalid ralph.github.mergeMethod %q: want merge, squash or rebase", method)
	}
	if w.claims, err = planio.OpenClaims(ctx, env, c.store, ""); err != nil {
		return nil, err
	}
	w.base, _ = settings.Get(baseKey)
	return w, nil
}

// findBase asks GitHub for the base where no setting names it.
func (w *pullWork) findBase(ctx context.Context) (err error) {
	w.base, err = w.askBase(ctx)
	return err
}

// lockPulls admits one process at a time that does what is due for pull requests. The error is a *safefile.HeldError where there is another one.
func (c *connection) lockPulls() (*safefile.Held, error) {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, err
	}
	return safefile.TryLock(filepath.Join(c.dir, "pulls.lock"), "git ralph github pr advance")
}

// landing are the options of landings in the target.
func (w *pullWork) landing(ctx context.Context) (land.Options, error) {
	o := land.Options{Into: w.claims.Target, Warn: w.env.Warn, Integration: pipeline.ByPullRequests}
	return o, o.Configure(ctx, w.store)
}

// update changes the target's plan.
func (w *pullWork) update(ctx context.Context, c land.PlanChange) error {
	o, err := w.landing(ctx)
	if err == nil {
		err = land.ChangePlan(ctx, w.store, w.claims.Claims, o, &c)
	}
	for _, e := range c.Done.Events {
		if err == nil {
			w.env.Print(planio.EventText(e))
		}
	}
	return err
}

// escalate leaves it to a person what to do next.
func (w *pullWork) escalate(ctx context.Context, why string) error {
	w.env.Warn(why)
	err := w.update(ctx, land.PlanChange{Do: func(p *plan.Plan, _ land.PlanInputs) (plan.Change, error) {
		return w.request.Escalate(p, why, w.store.Stamp())
	}})
	if err == nil {
		err = cmdline.StatusError(cmdline.ExitGate)
	}
	return err
}

// subject is what the pull request says.
func (w *pullWork) subject(p *plan.Plan) pull.Subject {
	s := pull.Subject{Title: w.request.Primary.Title}
	for _, it := range w.request.Members {
		if it.Number > 0 {
			s.Issues = append(s.Issues, it.Number)
		} else {
			s.Items = append(s.Items, it.ID)
		}
	}
	if n := len(w.request.Members); n > 1 {
		s.Title += fmt.Sprintf(" (and %d more)", n-1)
	}
	seen := map[string]bool{}
	for _, it := range w.request.Members {
		item, _ := p.Item(it.ID)
		artifacts, _ := item.Get("artifacts")
		for _, m := range artifacts.Object().Members() {
			if path, isText := m.Value.Str(); isText && !seen[path] {
				seen[path] = true
				s.Documents = append(s.Documents, pull.Document{Phase: m.Name, Path: path})
			}
		}
	}
	return s
}

// files is the URL below which the documents of the target are.
func (w *pullWork) files() string {
	return w.target.Web() + "/blob/" + strings.TrimPrefix(w.claims.Target, "refs/heads/")
}

// errNoCode: there is nothing to open a pull request for.
func (w *pullWork) errNoCode() error {
	return &cmdline.HintedError{
		Err:  fmt.Errorf("there is no branch %s, neither here nor at %s", w.branch.Name, w.branch.Remote),
		Hint: "the code of `Implement` is to be on that branch",
	}
}

// findCode finds the commit of the code, and fetches it where this clone does not have it.
func (w *pullWork) findCode(ctx context.Context) error {
	repo := w.store.Repo()
	for _, from := range []func() (string, error){
		func() (string, error) { return w.request.Commit, nil },
		func() (string, error) { return repo.IDAt(ctx, "refs/heads/"+w.branch.Name) },
		func() (string, error) { return w.branch.At(ctx) },
	} {
		commit, err := from()
		if err != nil {
			return err
		}
		if w.request.Commit = commit; commit != "" {
			break
		}
	}
	if w.request.Commit == "" {
		return w.errNoCode()
	}
	if _, err := repo.Git().Run(ctx, nil, "cat-file", "-e", w.request.Commit+"^{commit}"); err == nil {
		return nil
	}
	if claims := w.claims.Remote(); w.request.Implement != nil && claims != "" { // another clone landed it
		there := w.branch
		there.Remote = claims
		if there.FetchReference(ctx, land.CodeReference(w.request.Implement.ID(), w.request.Commit)) == nil {
			return nil
		}
	}
	if err := w.branch.Fetch(ctx, w.branch.Name); err != nil {
		return err
	}
	if _, err := repo.Git().Run(ctx, nil, "cat-file", "-e", w.request.Commit+"^{commit}"); err != nil {
		return fmt.Errorf("commit %.9s, the code of %s, is neither here nor on %s at %s", w.request.Commit, w.request.Primary.Ref(), w.branch.Name, w.branch.Remote)
	}
	return nil
}

// isOccupied reports whether the branch has other work at the remote.
func isOccupied(err error) bool {
	_, is := errors.AsType[*pullrequest.OccupiedError](err)
	return is
}
