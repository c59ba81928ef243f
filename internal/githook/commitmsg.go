package githook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// ErrCannotClose: a message names a task or issue that is not there or cannot
// be closed.
var ErrCannotClose = errors.New("the message closes what cannot be closed")

// commitMessage refuses a message that closes what cannot be closed. In the
// middle of a rebase or the like messages are old ones, and pass.
func (r run) commitMessage(ctx context.Context, file string) error {
	if r.closeSetting(false) == "off" || r.isReplaying() {
		return nil
	}
	text, err := os.ReadFile(r.path(file))
	if err != nil {
		return r.unsure("the message was not checked", err)
	}
	named := r.closingOf(string(text))
	if named.empty() {
		return nil
	}
	failures, err := r.try(ctx, named)
	if err != nil {
		return r.unsure("the message was not checked", err)
	}
	failures = without(failures, r.closedByHead(ctx))
	if failures = r.notIn(ctx, failures, named); len(failures) == 0 {
		return nil
	}
	for _, f := range failures {
		r.Report("error", f.Error())
		r.Report("hint", hintFor(f))
	}
	return fmt.Errorf("%w; `git commit --no-verify` commits it all the same", ErrCannotClose)
}

// isReplaying reports whether git is going through commits that were made before.
func (r run) isReplaying() bool {
	operation := r.repo.Operations().Unfinished()
	return operation != "" && operation != "merge" && operation != "bisect"
}

func (r run) path(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(r.Dir, file)
}

// closeSetting reads where tasks that a message names are marked done.
func (r run) closeSetting(report bool) string {
	return r.setting(report, "ralph.hooks.close")
}

// closingOf reads a message; words in the text count where a setting says so.
func (r run) closingOf(message string) closing {
	return closingOf(message, r.closeWords(false))
}

func (r run) closeWords(report bool) bool {
	return r.setting(report, "ralph.hooks.closeWords") == "true"
}

// try closes in memory what a message names, and returns what cannot be closed.
func (r run) try(ctx context.Context, named closing) ([]error, error) {
	snap, err := r.Store.View(ctx)
	if err != nil {
		return nil, err
	}
	return tryIn(snap, named)
}

func tryIn(snap store.Snapshot, named closing) ([]error, error) {
	p, err := snap.Valid()
	if err != nil {
		return nil, err
	}
	in := store.Inputs{Stamp: plan.Stamp{Random: func(int) int { return 0 }}, Head: "0000000000000000"}
	_, failures := named.apply(p, in)
	return failures, nil
}

// notIn drops the failures of what could be closed in HEAD's plan: it is the
// new commit that closes it, with a plan that is staged or in the worktree, as
// after `git reset --soft HEAD^`.
func (r run) notIn(ctx context.Context, failures []error, named closing) []error {
	if len(failures) == 0 {
		return nil
	}
	snap, err := r.Store.At(ctx, "HEAD")
	if err != nil {
		return failures
	}
	before, err := tryIn(snap, named)
	if err != nil {
		return failures
	}
	return slices.DeleteFunc(failures, func(f error) bool {
		return !slices.ContainsFunc(before, func(b error) bool { return idOf(b) == idOf(f) })
	})
}

// closedByHead returns what the message of the commit at HEAD names: a commit
// that amends it may name that again, although it is closed.
func (r run) closedByHead(ctx context.Context) []string {
	head, err := r.repo.HeadCommit(ctx)
	if err != nil {
		return nil
	}
	closed := r.closingOf(head.Message)
	return slices.Concat(closed.tasks, closed.issues)
}

func without(failures []error, ids []string) []error {
	return slices.DeleteFunc(failures, func(f error) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(idOf(f), id) })
	})
}

// offerNext puts a comment into a new message that closes the next task once
// its comment sign is taken away.
func (r run) offerNext(ctx context.Context, args []string) error {
	if len(args) > 1 && args[1] != "" && args[1] != "template" || r.keepsComments() {
		return nil
	}
	snap, err := r.Store.View(ctx)
	if err != nil || len(snap.Problems) > 0 {
		return nil //nolint:nilerr // there is nothing to offer
	}
	next := schedule.Of(snap.Plan).Next()
	if next.Action != schedule.Build || next.Item == nil {
		return nil
	}
	file := r.path(args[0])
	text, err := os.ReadFile(file)
	if err != nil {
		return r.unsure("the next task was not offered", err)
	}
	sign := r.commentSign()
	offer := fmt.Sprintf("%s Ralph-Done: %s\n%s ^ closes the next task: %s\n", sign, next.Item.ID(), sign, oneLine(next.Item.Name()))
	if err := os.WriteFile(file, withOffer(text, offer, sign), 0o666); err != nil {
		return r.unsure("the next task was not offered", err)
	}
	return nil
}

// keepsComments reports whether git leaves comments in messages.
func (r run) keepsComments() bool {
	cleanup, _ := r.config.Get("commit.cleanup")
	return cleanup == "whitespace" || cleanup == "verbatim" || cleanup == "scissors"
}

// commentSign returns what begins a comment in a message.
func (r run) commentSign() string {
	sign, found := r.config.Get("core.commentString") // from git 2.45 on
	if !found {
		sign, _ = r.config.Get("core.commentChar")
	}
	if sign == "" || sign == "auto" {
		return "#"
	}
	return sign
}

// withOffer puts the offer before the first comment, at the end where there is
// none.
func withOffer(text []byte, offer, sign string) []byte {
	at := len(text)
	if bytes.HasPrefix(text, []byte(sign)) {
		at = 0
	} else if i := bytes.Index(text, []byte("\n"+sign)); i >= 0 {
		at = i + 1
	}
	return slices.Concat(text[:at], []byte(offer), text[at:])
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
