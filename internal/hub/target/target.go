package target

import (
	"context"

	"git-ralph/internal/git"
	"git-ralph/internal/hub"
	"git-ralph/internal/hub/outbox"
	"git-ralph/internal/workplan"
)

// A Target is the hub of a repository.
type Target struct {
	hub.Settings
	outbox.Outbox
	Root string // of the worktree
}

// Of returns the hub of a repository; ok is false where it has none.
func Of(ctx context.Context, repo *git.Repo) (t Target, ok bool, err error) {
	config, err := repo.Config(ctx)
	if err != nil {
		return Target{}, false, err
	}
	settings := hub.SettingsFrom(config.Get)
	if !settings.IsSet() {
		return Target{}, false, nil
	}
	return Target{settings, outbox.Of(repo.CommonDir(), settings.Target()), repo.Root()}, true, nil
}

// Queue queues what a workplan says and the hub was not sent yet, and sends nothing.
func (t Target) Queue(f *workplan.File) error {
	if f.Workstream == "" {
		return nil
	}
	state, err := t.View()
	if err != nil || !state.Reconcile(f, false) {
		return err
	}
	return t.Change(func(s *hub.State) { s.Reconcile(f, false) })
}
