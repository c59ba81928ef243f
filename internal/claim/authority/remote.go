package authority

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/proc"
)

// Errors of a remote authority.
var (
	// ErrRemote: the remote could not be read.
	ErrRemote = errors.New("cannot reach the remote that holds the claims")
	// ErrDeclined: the remote refuses references of ours, as some forges and hooks do.
	ErrDeclined = errors.New("the remote refuses our references")
	// ErrAtomic: the remote cannot change several references in one transaction.
	ErrAtomic = errors.New("the remote does not support atomic pushes")
	// ErrPushURL: the remote is not one place.
	ErrPushURL = errors.New("invalid ralph.claims.remote")
)

// DeclinedError says that a remote refuses references of ours. It is an ErrDeclined.
type DeclinedError struct {
	Remote string
	Err    error // git's words
}

func (e *DeclinedError) Error() string {
	return fmt.Sprintf("the remote %s refuses references below refs/ralph: %v", e.Remote, e.Err)
}

// Hint says what can be done.
func (e *DeclinedError) Hint() string {
	return "`git config ralph.claims.remote NAME` names another remote; without it, claims count in this clone alone"
}

// Is reports whether the target is ErrDeclined.
func (e *DeclinedError) Is(target error) bool { return target == ErrDeclined }

func (e *DeclinedError) Unwrap() error { return e.Err }

// errVerify: an unchanged reference is not sent, and one that does not exist cannot be verified.
var errVerify = errors.New("a remote cannot verify a claim without changing it")

// Remote is the authority of clones that share one remote: the place that it is pushed to.
type Remote struct {
	repo    *git.Repo
	name    string
	url     string // from which claims are read: the remote's name or, where that is another place, its push URL
	prefix  string // of the copies in this repository
	clock   clock
	intents intents
	wait    time.Duration // for locks there

	directory string // where it is on this machine, "" for elsewhere
	hubOnce   sync.Once
	hub       *git.Repo // nil before it was opened, and where it cannot be
}

// NewRemote returns the authority of a remote. The error is ErrPushURL where it has not exactly one push URL.
func NewRemote(ctx context.Context, r *git.Repo, name string) (*Remote, error) {
	settings, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	remote := &Remote{repo: r, name: name, url: name, prefix: copiesOf(name), clock: newClock(), wait: contention}
	remote.intents = intents{dir: r.CommonDir(), remote: name}
	urls, pushed := settings.GetAll("remote."+name+".url"), settings.GetAll("remote."+name+".pushurl")
	rewritten := false
	for key := range settings.Keys() {
		rewritten = rewritten || strings.HasPrefix(key, "url.") && strings.HasSuffix(key, ".pushinsteadof")
	}
	switch {
	case len(urls)+len(pushed) == 0:
		return nil, fmt.Errorf("%w %q: want the name of a remote", ErrPushURL, name)
	case len(pushed) > 1 || len(pushed) == 0 && len(urls) > 1:
		return nil, fmt.Errorf("%w %q: it has several push URLs: want a remote with one", ErrPushURL, name)
	case len(pushed) == 1 || rewritten:
		remote.url, err = r.Git().Run(ctx, nil, "remote", "get-url", "--push", "--", name)
	}
	remote.directory = directoryOf(settings, name, remote.url)
	return remote, err
}

// copiesOf returns where the copies of a remote's claims are.
func copiesOf(remote string) string { return "refs/ralph/remote/" + remote + "/claims/" }

// Read fetches claims of the remote: those of ids, or all.
func (r *Remote) Read(ctx context.Context, ids ...string) (map[string]claim.Held, error) {
	return r.readWith(ctx, "", "", ids)
}

// readWith is Read with a branch in the same fetch, unless that is "". Here it is written to a copy, which is followed.
func (r *Remote) readWith(ctx context.Context, branch, here string, ids []string) (map[string]claim.Held, error) {
	args := append([]string{"--prune"}, r.copies(ids)...)
	if branch != "" {
		args = append(args, "+"+branch+":"+here)
	}
	if err := r.fetch(ctx, "", args...); err != nil {
		return nil, err
	}
	return readClaims(ctx, r.repo, r.prefix, ids)
}

// copied says where the claims whose ids begin like this are here. A pattern also says so of a claim that is not there.
func (r *Remote) copied(id string) string { return "+" + Prefix + id + "*:" + r.prefix + id + "*" }

// maxCopied is how many claims are fetched by name. Each costs a pass over the references here, and all of them a pass for each that
// others have changed since.
const maxCopied = 16

// copies says where the claims of ids are here, or all claims. Who wants one is not to fetch what everybody else has claimed since.
func (r *Remote) copies(ids []string) []string {
	if len(ids) == 0 || len(ids) > maxCopied || slices.ContainsFunc(ids, func(id string) bool { return claim.CheckID(id) != nil }) {
		return []string{r.copied("")}
	}
	var specs []string
	for _, id := range ids {
		specs = append(specs, r.copied(id))
	}
	return specs
}

// follows reports whether the copy of a branch has a reflog already, which git then goes on with. The setting that begins one would
// begin one for each copy of a claim too.
func (r *Remote) follows(here string) bool {
	_, err := os.Stat(filepath.Join(r.repo.CommonDir(), "logs", filepath.FromSlash(here)))
	return err == nil && !r.repo.HasReftable()
}

// fetch fetches what refspecs name, and nothing else. Where another fetch of this clone changes the same references it tries again.
// The setting, if any, is passed to git.
func (r *Remote) fetch(ctx context.Context, setting string, args ...string) error {
	args = slices.Concat([]string{
		"fetch", "-q", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-gc", "--refmap=", "--no-prune-tags",
	}, withEnd(args, r.url))
	if setting != "" {
		args = append([]string{"-c", setting}, args...)
	}
	for began := time.Now(); ; {
		_, err := r.git(ctx, args...)
		if err == nil {
			return nil
		}
		if !containsAny(said(err), "cannot lock ref") || time.Since(began) > contention {
			return r.fetchError(err)
		}
		if err := Pause(ctx, firstBackoff/10, firstBackoff/10); err != nil {
			return err
		}
	}
}

// withEnd puts the remote between options and refspecs.
func withEnd(args []string, remote string) []string {
	n := 0
	for n < len(args) && strings.HasPrefix(args[n], "-") {
		n++
	}
	return slices.Concat(args[:n], []string{"--", remote}, args[n:])
}

// git runs a command that uses the network, again and again, with longer pauses, while the remote says that we ask too often.
func (r *Remote) git(ctx context.Context, args ...string) (proc.Result, error) {
	for wait := firstBackoff; ; wait *= 2 {
		c := r.repo.Git().RemoteCmd(args...)
		c.Env = append(c.Env, "LC_ALL=C") // its words are read
		result, err := r.repo.Git().Exec(ctx, c)
		if err == nil || !isThrottled(err) || wait > lastBackoff {
			return result, err
		}
		if err := Pause(ctx, wait, wait); err != nil {
			return result, err
		}
	}
}

// Swap makes the changes by one push. It writes down what it is about to do, and settles it before it returns where it can.
func (r *Remote) Swap(ctx context.Context, b claim.Batch) ([]claim.Outcome, error) {
	if err := checkBatch(b); err != nil {
		return nil, err
	}
	p, err := r.newPush(ctx, b)
	if err != nil {
		return nil, err
	}
	defer p.record.close()
	err = p.try(ctx)
	if err == nil && len(b.Changes) == 0 && !p.moved {
		err = ErrMoved
	}
	return p.outcomes, err
}

// newPush stores the claims that a batch puts, and writes the intent.
func (r *Remote) newPush(ctx context.Context, b claim.Batch) (*push, error) {
	p := &push{remote: r, batch: b, objects: make([]string, len(b.Changes)), outcomes: make([]claim.Outcome, len(b.Changes))}
	var open []claim.Intent
	now := r.clock.read()
	for i, c := range b.Changes {
		p.outcomes[i] = claim.Unknown
		switch c.Do {
		case claim.Verify:
			return nil, errVerify
		case claim.Put:
			object, err := commit.WriteBlob(ctx, r.repo, []byte(c.New.Text()))
			if err != nil {
				return nil, err
			}
			p.objects[i] = object
		}
		open = append(open, claim.NewIntent(c, p.objects[i], now))
	}
	var err error
	p.record, err = r.intents.write(open)
	return p, err
}
