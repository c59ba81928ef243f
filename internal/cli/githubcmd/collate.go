package githubcmd

import (
	"context"
	"fmt"
	"time"

	"git-ralph/internal/cli/debugcmd"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/debugissue"
	"git-ralph/internal/github/failure"
)

// Collate is `git ralph debug collate --github`.
func Collate(ctx context.Context, env *term.Env, o uicmd.CollateOptions) error {
	return run(ctx, env, uicmd.GitHubOptions{DryRun: o.DryRun, Format: o.Format}, func(ctx context.Context, s *session) error {
		return s.collate(ctx, o.Since)
	})
}

// collate makes the issues agree with what the debug log has counted. What is counted is kept before anything is sent: whoever is killed
// on the way loses nothing, and the next time looks for the issues that are there.
func (s *session) collate(ctx context.Context, since string) error {
	collected, err := debugcmd.Collect(ctx, s.env, s.store, since, s.options.DryRun)
	if err != nil {
		return err
	}
	issues, err := s.remote.Issues(ctx, []string{debugissue.Label}, "")
	if err != nil {
		return err
	}
	if first, ok := failure.Lacking(collected, issues); ok { // somebody may have taken the label away
		more, err := s.remote.Issues(ctx, nil, first.UTC().Format(time.RFC3339))
		if err != nil {
			return err
		}
		issues = append(issues, more...)
	}
	for _, step := range failure.Steps(collected, issues) {
		label := step.ID
		if !step.Create {
			label = fmt.Sprintf("#%d", step.Number)
		}
		s.sent = append(s.sent, sent{label, []string{step.What + ": " + debugissue.Describe(collected.Failures[step.ID].Signature)}})
		if s.options.DryRun {
			continue
		}
		if err := s.stop(ctx, label, s.take(ctx, step)); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) take(ctx context.Context, step failure.Step) error {
	if !step.Create {
		return s.remote.Send(ctx, step.Sending, func(string) int { return 0 })
	}
	_, err := s.remote.Create(ctx, step.Sending)
	return err
}
