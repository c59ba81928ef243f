package agentcmd

import (
	"context"
	"errors"
	"fmt"

	"git-ralph/internal/agenthook"
	"git-ralph/internal/agentsession"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/workplanview"
	"git-ralph/internal/git"
	"git-ralph/internal/workplanloop"
)

// loop returns what the workplan loop of the session answers to a stop; nil where it has none. It is looked for where the agent is
// now, which may be in another repository, or in one that cannot be opened, and then where it was started.
func (h *hook) loop(ctx context.Context) (*agenthook.Loop, error) {
	if h.input.Session == "" {
		return nil, nil
	}
	var repo *git.Repo
	var failed error
	for _, dir := range h.directories() {
		if repo != nil && git.IsWithin(repo, dir) || git.SurelyOutside(dir, h.env.Environ) {
			continue
		}
		found, err := git.Open(ctx, dir, h.env.Environ)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		repo = found
		sessions := agentsession.Of(repo.CommonDir())
		text, active, err := sessions.Loop(h.input.Session)
		if err != nil {
			return h.endLoop(ctx, sessions, err)
		}
		if active {
			return h.loopOf(ctx, dir, repo, sessions, text)
		}
	}
	return nil, failed
}

// loopOf answers for a loop that was found by a directory.
func (h *hook) loopOf(ctx context.Context, dir string, repo *git.Repo, sessions agentsession.Directory, text string) (_ *agenthook.Loop, err error) {
	env := *h.env
	env.Dir = dir
	if h.store, err = planio.OpenIn(ctx, &env, repo); err != nil {
		return nil, err
	}
	h.env = &env
	return h.continueLoop(ctx, sessions, text)
}

// continueLoop asks the file whether the loop goes on.
func (h *hook) continueLoop(ctx context.Context, sessions agentsession.Directory, text string) (*agenthook.Loop, error) {
	l, err := h.parseLoop(text)
	if err != nil {
		return h.endLoop(ctx, sessions, err)
	}
	seen, err := h.look(ctx, h.env, h.store.Repo(), l.File)
	if errors.Is(err, workplanview.ErrUnreadable) {
		return h.endLoop(ctx, sessions, err) // as for one that is gone
	}
	if err != nil {
		return h.postpone(ctx, err)
	}
	seen.Message = h.input.Message
	return h.countStop(ctx, sessions, l.File, seen)
}

// countStop counts one more stop of the loop whose file was looked at. Stops of a session that come at once are counted one after the other;
// nil where one of them ended the loop.
func (h *hook) countStop(ctx context.Context, sessions agentsession.Directory, file string, seen workplanloop.Seen) (*agenthook.Loop, error) {
	held, err := sessions.Lock(ctx)
	if err != nil {
		return h.postpone(ctx, err)
	}
	defer held.Release() //nolint:errcheck // it ends with the process at the latest
	text, active, err := sessions.Loop(h.input.Session)
	if !active && err == nil {
		return nil, nil
	}
	var l workplanloop.Loop
	if err == nil {
		l, err = h.parseLoop(text)
	}
	if err != nil {
		return h.endLoop(ctx, sessions, err)
	}
	if l.File != file {
		return h.postpone(ctx, errors.New("another one was started"))
	}
	l.Stopped = l.Stopped || sessions.IsStopped(l.Session)
	l, answer := l.Stop(seen)
	if answer.Prompt == "" {
		err = sessions.EndLoop(l.Session)
	} else if err = sessions.KeepLoop(l.Session, l.Text()); err != nil {
		return h.endLoop(ctx, sessions, err) // without its count, the loop would not end
	}
	h.note(ctx, "loop", fmt.Sprintf("%s, iteration %d of %d: %s", l.File, l.Iteration, l.Max, answer.Message))
	return &agenthook.Loop{Prompt: term.PrintableLines(answer.Prompt), Message: term.PrintableLines(answer.Message)}, err
}

// parseLoop reads the loop of this session.
func (h *hook) parseLoop(text string) (workplanloop.Loop, error) {
	l, err := workplanloop.Parse(text)
	if err == nil && l.Session != h.input.Session {
		err = workplanloop.ErrDamaged
	}
	return l, err
}

// postpone allows a stop that a loop did not count, for a reason that the next stop may not meet.
func (h *hook) postpone(ctx context.Context, why error) (*agenthook.Loop, error) {
	h.note(ctx, "error", why.Error())
	return &agenthook.Loop{Message: term.PrintableLines("The workplan loop did not answer this stop, and is still active: " + why.Error())}, nil
}

// endLoop ends a loop whose state cannot be used. Where the state cannot be deleted either, it is reported all the same; in the journal
// too, since some agents have no line for the user.
func (h *hook) endLoop(ctx context.Context, sessions agentsession.Directory, why error) (*agenthook.Loop, error) {
	sessions.EndLoop(h.input.Session) //nolint:errcheck // the next stop tries again
	message := "The workplan loop ended: " + why.Error()
	h.note(ctx, "loop", message)
	return &agenthook.Loop{Message: term.PrintableLines(message)}, nil
}
