package githook

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/history/record"
	"git-ralph/internal/plan"
	"git-ralph/internal/undo"
)

// stagedMark is a file of ours in the git directory. pre-commit leaves it where a commit is about to change the plan, so
// that commit-msg need not ask git for that in every other commit.
const stagedMark = "ralph/plan-staged"

// maxTrailers is how many event trailers a message gets. If there are more events, it gets one line for all of them.
const maxTrailers = 100

func (r run) markFile() string {
	return filepath.Join(r.repo.GitDir(), filepath.FromSlash(stagedMark))
}

// markStaged notes that the commit changes the plan, and whether it amends HEAD's. Without the mark the message goes without
// trailers.
func (r run) markStaged(amends bool) {
	if !r.wantsTrailers(false) {
		return
	}
	mark := notAmending
	if amends {
		mark = amendingHead
	}
	if err := os.MkdirAll(filepath.Dir(r.markFile()), 0o777); err == nil {
		os.WriteFile(r.markFile(), []byte(mark), 0o666) //nolint:errcheck // see above
	}
}

func (r run) wantsTrailers(report bool) bool {
	return r.setting(report, "ralph.hooks.trailers") == "true"
}

// addTrailers adds the trailers of a plan commit to the message of a commit made by hand: the events, and the branch. The
// messages of merges, squashes and replayed commits are not changed.
func (r run) addTrailers(ctx context.Context, file string) {
	mark, err := os.ReadFile(r.markFile())
	if err != nil || os.Remove(r.markFile()) != nil || !r.wantsTrailers(true) || r.repo.Operations().Unfinished() != "" || r.repo.Operations().Squashes() {
		return
	}
	data, err := os.ReadFile(r.path(file))
	if err != nil {
		return
	}
	text := r.message(string(data))
	base, ok := r.base(ctx, text.trailers(), string(mark) == amendingHead)
	if !ok {
		return
	}
	lines, ok := r.trailersSince(ctx, base)
	if !ok || len(lines)+len(text.trailers()) == 0 {
		return
	}
	if changed := text.withTrailers(lines); changed != string(data) {
		if err := os.WriteFile(r.path(file), []byte(changed), 0o666); err != nil {
			r.warnUnchecked("the message has no trailers", err) //nolint:errcheck // it returns nothing
		}
	}
}

// base returns the commit that the plan is compared with: HEAD, or its parent if the commit amends HEAD's, which is also assumed
// if the message has trailers of HEAD's. It is not ok if the message has other trailers of ours, or HEAD is a merge.
func (r run) base(ctx context.Context, trailers []string, amends bool) (rev string, ok bool) {
	former := r.headTrailers(ctx)
	for _, line := range trailers {
		if !slices.Contains(former, line) {
			return "", false
		}
	}
	if !amends && len(trailers) == 0 {
		return "HEAD", true
	}
	_, err := r.Store.Resolve(ctx, "HEAD^2")
	return "HEAD^", err != nil
}

// headTrailers returns the trailers of ours in the message of HEAD's commit.
func (r run) headTrailers(ctx context.Context) []string {
	head, err := r.repo.HeadCommit(ctx)
	if err != nil {
		return nil
	}
	return r.message(head.Message).trailers()
}

// trailersSince returns the trailers for the changes of the staged plan since base. When a commit is amended, its trailers that
// still apply are kept: all of them if its plan does not change. It is not ok if the staged plan is not valid.
func (r run) trailersSince(ctx context.Context, base string) ([]string, bool) {
	snap, _, err := r.Store.Staged(ctx)
	if err != nil || !snap.Exists || len(snap.Errors()) > 0 {
		return nil, false
	}
	after, _, err := commit.StagedFile(ctx, r.repo, r.Store.PlanPath())
	if err != nil {
		return nil, false
	}
	if base == "HEAD^" && bytes.Equal(r.planBytesAt(ctx, "HEAD"), after) {
		if former := r.headTrailers(ctx); len(former) > 0 {
			return former, true
		}
	}
	if own := r.Store.StagedTrailers(ctx); base == "HEAD" && undo.IsPure(strings.Join(own, "\n")) { // the user commits what undo staged
		return append(own, r.Store.Trailers(ctx, nil, time.Now())...), true
	}
	events := record.PlanEvents(record.Between(r.planBytesAt(ctx, base), after))
	if len(events) == 0 {
		return nil, true
	}
	if len(events) > maxTrailers {
		events = []plan.Event{{Name: plan.EventUpdated}}
	}
	lines := r.Store.Trailers(ctx, events, time.Now())
	if base == "HEAD^" {
		lines = r.keepFormer(ctx, lines)
	}
	if encoding, _ := r.config.Get("i18n.commitEncoding"); encoding != "" && !strings.EqualFold(encoding, "utf-8") && !strings.EqualFold(encoding, "utf8") {
		for i := range lines {
			lines[i] = inASCII(lines[i])
		}
		lines = slices.DeleteFunc(lines, func(line string) bool { return !isASCII(line) })
	}
	return lines, true
}

// planBytesAt returns the bytes of a commit's plan, nil where it has none, or there is no such commit.
func (r run) planBytesAt(ctx context.Context, rev string) []byte {
	reader := r.repo.Reader(ctx)
	defer reader.Close()
	commit, err := reader.Resolve(rev)
	if err != nil {
		return nil
	}
	blob, err := reader.File(commit, r.Store.PlanPath())
	if err != nil {
		return nil
	}
	return blob.Data
}

// keepFormer replaces lines by those in HEAD's message for the same events of the same records, and adds what that undid.
func (r run) keepFormer(ctx context.Context, lines []string) []string {
	for _, former := range r.headTrailers(ctx) {
		if isUndo(former) {
			lines = append(lines, former)
		}
		for i, line := range lines {
			if strings.HasPrefix(former, plan.EventTrailer) && subjectOf(line) == subjectOf(former) {
				lines[i] = former
			}
		}
	}
	return lines
}

// subjectOf returns the part of a trailer that identifies the event and its record.
func subjectOf(line string) string {
	words := strings.SplitN(line, " ", 4)
	return strings.Join(words[:min(3, len(words))], " ")
}

// inASCII returns a line with the characters of its JSON that are not ASCII as escapes.
func inASCII(text string) string {
	json := strings.IndexByte(text, '{')
	if json < 0 {
		return text
	}
	var b strings.Builder
	b.WriteString(text[:json])
	for _, letter := range text[json:] {
		if letter < 0x80 {
			b.WriteRune(letter)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, letter) {
			const digits = "0123456789abcdef"
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(digits[unit>>shift&15])
			}
		}
	}
	return b.String()
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) < 0
}
