package githook

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"git-ralph/internal/schedule"
)

// prepareCommitMsg puts a commented-out trailer into a new message. Uncommented,
// it closes the next task.
func (r run) prepareCommitMsg(ctx context.Context, args []string) error {
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
		return r.warnUnchecked("the next task was not offered", err)
	}
	sign := r.commentSign()
	offer := fmt.Sprintf("%s Ralph-Done: %s\n%s ^ closes the next task: %s\n", sign, next.Item.ID(), sign, oneLine(next.Item.Name()))
	if err := os.WriteFile(file, withOffer(text, offer, sign), 0o666); err != nil {
		return r.warnUnchecked("the next task was not offered", err)
	}
	return nil
}

// keepsComments reports whether git leaves comments in messages.
func (r run) keepsComments() bool {
	cleanup, _ := r.config.Get("commit.cleanup")
	return cleanup == "whitespace" || cleanup == "verbatim" || cleanup == "scissors"
}

// commentSign returns the string that begins a comment in a message.
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

// withOffer puts the offer before the first comment, or at the end.
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
