package authority

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/proc"
)

// push is one batch on its way to a remote.
type push struct {
	remote   *Remote
	batch    claim.Batch
	objects  []string // that the changes put, "" for those that delete
	outcomes []claim.Outcome
	moved    bool // the moves were made
	record   *openIntents
}

// pushTries is how often a batch is pushed that the remote neither made nor refused for a reason.
const pushTries = 4

// try pushes until it is known what became of each change, or gives up: then outcomes stay claim.Unknown, and tokens of new
// claims have ended.
func (p *push) try(ctx context.Context) error {
	var refused error
	printed, began := "", time.Now()
	for n := 0; n < pushTries || isLocked(refused, printed) && time.Since(began) < p.remote.wait; n++ {
		if n > 0 {
			wait := firstBackoff << min(n, pushTries) / 4
			if Pause(ctx, wait, wait) != nil || p.isLate() {
				break
			}
			p.rewrite(ctx)
		}
		result, err := p.remote.git(ctx, p.args()...)
		if err == nil {
			p.remote.forgetDeclined()
			p.succeed()
			return nil
		}
		refused, printed = err, string(result.Stdout)
		if n == 0 && isUnreachable(err) {
			p.settleAs(claim.Skipped)
			return fmt.Errorf("%w: %w", ErrRemote, err)
		}
		if containsAny(said(err), "does not support --atomic") {
			p.settleAs(claim.Skipped)
			return ErrAtomic
		}
		if known := p.read(string(result.Stdout)); known {
			return nil
		}
		if again, err := p.compare(ctx); err == nil && !again {
			return nil
		} else if err == nil && isDeclined(refused, printed) {
			p.settleAs(claim.Skipped)
			if ref := p.declinedMove(printed); ref != "" {
				return &refusedMoveError{p.remote.name, ref, refused}
			}
			p.remote.noteDeclined()
			return &DeclinedError{p.remote.name, refused}
		}
	}
	if isLocked(refused, printed) { // the remote said so: nothing is on its way
		p.settleAs(claim.Skipped)
		return p.remote.lockedError(refused, printed)
	}
	p.record.giveUp()
	if hook, failed := asHookError(printed, refused); failed && len(p.batch.Moves) > 0 { // else no hook was run
		return hook
	}
	return fmt.Errorf("%w: %w", ErrUnknown, refused)
}

// rewrite stores the claims again: git gc may have deleted objects that nothing referred to yet.
func (p *push) rewrite(ctx context.Context) {
	for _, c := range p.batch.Changes {
		if c.Do == claim.Put {
			commit.WriteBlob(ctx, p.remote.repo, []byte(c.New.Text())) //nolint:errcheck // git says what is missing
		}
	}
}

// isLate reports whether an intent that is open is older than its lease: whoever saw the same object before would count it as
// stale at once.
func (p *push) isLate() bool {
	now := p.remote.clock.read()
	for i, intent := range p.record.intents {
		if p.outcomes[i] == claim.Unknown && !intent.InTime(now) {
			return true
		}
	}
	return false
}

// args returns the command. With a refspec for the copies git updates these too. Claims alone concern no hook of the user's; a branch does.
func (p *push) args() []string {
	args := []string{
		"-c", "remote." + p.remote.name + ".mirror=false", "-c", "remote." + p.remote.name + ".fetch=" + p.remote.copied(""), "push", "--porcelain", "--no-follow-tags", "--no-signed", "--no-force-if-includes",
	}
	if len(p.batch.Moves) == 0 {
		args = append(args, "--no-verify", "--recurse-submodules=no")
	} else {
		args = append(args, "--recurse-submodules=check")
	}
	if p.batch.All() && len(p.batch.Changes)+len(p.batch.Moves) > 1 {
		args = append(args, "--atomic")
	}
	var specs []string
	for i, c := range p.batch.Changes {
		if p.outcomes[i] == claim.Unknown {
			args = append(args, "--force-with-lease="+Prefix+c.ID+":"+c.Old)
			specs = append(specs, p.objects[i]+":"+Prefix+c.ID)
		}
	}
	for _, m := range p.batch.Moves {
		if m.Old != "" {
			args = append(args, "--force-with-lease="+m.Ref+":"+m.Old)
		}
		specs = append(specs, m.New+":"+m.Ref)
	}
	return slices.Concat(args, []string{"--", p.remote.name}, specs)
}

// succeed notes that all went well.
func (p *push) succeed() {
	for i, outcome := range p.outcomes {
		if outcome == claim.Unknown {
			p.outcomes[i] = claim.Done
		}
	}
	p.moved = true
}

// settleAs gives all changes that are not known to be done one outcome.
func (p *push) settleAs(outcome claim.Outcome) {
	for i := range p.outcomes {
		if p.outcomes[i] == claim.Unknown {
			p.outcomes[i] = outcome
		}
	}
}

// read takes what git reports of each reference: a line with a flag, the references, and why. It reports whether that says
// what became of all. What the remote itself refused is not known: it may be a lock, or a claim that changed on the way.
func (p *push) read(report string) (known bool) {
	known = true
	why := map[string]claim.Outcome{}
	for _, status := range statuses(report) {
		why[status.ref] = outcomeOf(status.flag, status.reason)
	}
	for _, m := range p.batch.Moves {
		if why[m.Ref] == claim.Lost {
			p.settleAs(claim.Skipped)
		}
	}
	for i, c := range p.batch.Changes {
		if outcome, ok := why[Prefix+c.ID]; ok && p.outcomes[i] != claim.Done {
			p.outcomes[i] = outcome
		}
		known = known && p.outcomes[i] != claim.Unknown
	}
	return known && len(p.batch.Changes) > 0 || slices.ContainsFunc(p.batch.Moves, func(m claim.Move) bool { return why[m.Ref] == claim.Lost })
}

// declinedMove returns the branch that the remote refused to change, "" where it was a claim, or where it is not known.
func (p *push) declinedMove(report string) string {
	for _, status := range statuses(report) {
		isMove := slices.ContainsFunc(p.batch.Moves, func(m claim.Move) bool { return m.Ref == status.ref })
		if isMove && containsAny(withoutNames(status.reason), declined()...) {
			return status.ref
		}
	}
	return ""
}

// outcomeOf reads the flag and the reason that git reports of one reference.
func outcomeOf(flag, reason string) claim.Outcome {
	switch {
	case flag != "!":
		return claim.Done
	case strings.Contains(reason, "atomic push failed"):
		return claim.Skipped
	case strings.Contains(reason, "[remote rejected]"), strings.Contains(reason, "[remote failure]"):
		return claim.Unknown
	}
	return claim.Lost // stale info, non-fast-forward and the like: git compared before it sent anything
}

// compare reads the references of the remote, and decides what became of the changes that are not known. It reports whether to
// push again what has not arrived.
func (p *push) compare(ctx context.Context) (again bool, err error) {
	current, err := p.remote.Read(ctx)
	if err != nil {
		return true, err
	}
	if p.batch.All() {
		return p.compareAll(ctx, current)
	}
	clock := p.remote.clock.read()
	for i, c := range p.batch.Changes {
		if p.outcomes[i] != claim.Unknown {
			continue
		}
		switch (claim.Protocol{}).Settle(p.record.intents[i], heldOf(current, c.ID), false, clock) {
		case claim.Succeeded:
			p.outcomes[i] = claim.Done
		case claim.PushAgain:
			again = true
		default:
			p.outcomes[i] = claim.Lost
		}
	}
	return again, nil
}

// compareAll is compare for a batch of which all or nothing was done: a landing succeeded if the target holds our commit.
func (p *push) compareAll(ctx context.Context, current map[string]claim.Held) (again bool, err error) {
	for i := range p.outcomes {
		p.outcomes[i] = claim.Unknown
	}
	for _, m := range p.batch.Moves {
		if strings.HasPrefix(m.Ref, turns) || m.New == "" {
			continue // what became of the branch that lands says it
		}
		there, holds, err := p.remote.holds(ctx, m)
		switch {
		case err != nil:
			return true, err
		case holds && m.Work: // perhaps since an earlier push: its claim says whether this one was made
		case holds:
			p.succeed()
			return false, nil
		case m.Old != "" && there != m.Old:
			p.settleAs(claim.Skipped)
			return false, nil
		}
	}
	done := !slices.ContainsFunc(p.batch.Moves, func(m claim.Move) bool { return !m.Work })
	for i, c := range p.batch.Changes {
		object := heldOf(current, c.ID).Object
		done = done && object == p.objects[i]
		if object != c.Old {
			p.outcomes[i] = claim.Lost
		}
	}
	if done {
		p.settleAs(claim.Done)
		for i := range p.outcomes {
			p.outcomes[i] = claim.Done
		}
		return false, nil
	}
	if slices.Contains(p.outcomes, claim.Lost) {
		p.settleAs(claim.Skipped)
		return false, nil
	}
	return true, nil
}

// heldOf returns the claim of a task, also where there is none.
func heldOf(current map[string]claim.Held, id string) claim.Held {
	if h, ok := current[id]; ok {
		return h
	}
	return claim.Held{ID: id}
}

// holds fetches a branch of the remote, and reports where it is, and whether it holds the commit of a move.
func (r *Remote) holds(ctx context.Context, m claim.Move) (there string, holds bool, err error) {
	if there, err = r.tip(ctx, m.Ref); err != nil || there == "" || there == m.New {
		return there, there != "" && err == nil, err
	}
	if err := r.fetch(ctx, "", m.Ref); err != nil {
		return there, false, err
	}
	_, err = r.repo.Git().Run(ctx, nil, "merge-base", "--is-ancestor", m.New, there)
	if proc.ExitCode(err) == 1 {
		err, holds = nil, false
	} else {
		holds = err == nil
	}
	return there, holds, err
}

// tip returns the commit that a branch of the remote points to, "" where there is none.
func (r *Remote) tip(ctx context.Context, ref string) (string, error) {
	result, err := r.git(ctx, "ls-remote", "--", r.url, ref)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrRemote, err)
	}
	for line := range strings.Lines(string(result.Stdout)) {
		if id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); name == ref {
			return id, nil
		}
	}
	return "", nil
}

// Pauses between attempts.
const (
	firstBackoff = 250 * time.Millisecond
	lastBackoff  = 30 * time.Second
)

// Pause waits for a time, and by chance for up to more: those who failed together do not try together again.
func Pause(ctx context.Context, d, more time.Duration) error {
	timer := time.NewTimer(d + rand.N(more+1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
