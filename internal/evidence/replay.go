package evidence

import (
	"context"
	"errors"
	"fmt"

	"git-ralph/internal/git"
)

// A Verdict is what replaying a receipt shows.
type Verdict string

// The verdicts, as --json names them.
const (
	Same        Verdict = "same"         // the check ended as the receipt says
	Different   Verdict = "different"    // it did not
	NotRunnable Verdict = "not runnable" // it cannot be run here
	Altered     Verdict = "altered"      // receipt, commit or tree are not what they were
	Runnable    Verdict = "runnable"     // only asked for, not done
)

// A Replay is what became of a receipt.
type Replay struct {
	Found
	Verdict Verdict
	Why     string // it is not the same
	Again   Result // of the check that was run again; State is "" where it was not
}

// Replay examines receipts and runs their checks again on the commits that they name, as far as they are allowed.
func (r *Runner) Replay(ctx context.Context, found []Found) (all []Replay, err error) {
	all = r.Examine(ctx, found)
	s := &session{Runner: r}
	defer func() { err = errors.Join(err, s.close()) }()
	for i := range all {
		if all[i].Verdict != Runnable {
			continue
		}
		at := Commit{all[i].Commit, all[i].Tree}
		results, err := s.run(ctx, at, checksOn(at, all[i:]))
		if err != nil {
			return nil, err
		}
		for n := range all {
			all[n].judge(at, results)
		}
	}
	return all, nil
}

// checksOn returns the checks of receipts that are to be run on a commit.
func checksOn(at Commit, replays []Replay) []Check {
	var checks []Check
	for _, p := range replays {
		if p.Verdict == Runnable && p.Commit == at.ID {
			checks = append(checks, p.Check)
		}
	}
	return checks
}

// Examine compares receipts with the commits that they name, and runs nothing. What can be run has the verdict Runnable.
func (r *Runner) Examine(ctx context.Context, found []Found) []Replay {
	reader := r.Repo.Reader(ctx)
	defer reader.Close() //nolint:errcheck // nothing was written
	intact := git.NewIntact(r.Repo, reader)
	all := make([]Replay, len(found))
	for i, f := range found {
		all[i] = Replay{Found: f, Verdict: Runnable}
		if f.Altered {
			all[i].Verdict, all[i].Why = Altered, f.why
			continue
		}
		err := examineCommit(reader, intact, f.Receipt)
		if judged := r.Judge([]Check{f.Check})[0]; err == nil && judged.State == NotAllowed {
			all[i].Verdict, all[i].Why, all[i].Again = NotRunnable, judged.Why, judged
			continue
		}
		if err != nil {
			all[i].Verdict, all[i].Why = NotRunnable, err.Error()
			if errors.Is(err, git.ErrAltered) {
				all[i].Verdict = Altered
			}
		}
	}
	return all
}

// examineCommit checks that the commit of a receipt has the tree that it names, and that all of it is as it was.
func examineCommit(reader *git.Reader, intact *git.Intact, receipt Receipt) error {
	if !reader.IsID(receipt.Commit) || !reader.IsID(receipt.Tree) {
		return fmt.Errorf("commit %q of the tree %q %w", receipt.Commit, receipt.Tree, git.ErrAltered)
	}
	tree, err := intact.Commit(receipt.Commit)
	if err != nil {
		return err
	}
	if tree != receipt.Tree {
		return fmt.Errorf("the commit has the tree %.12s: the receipt %w", tree, git.ErrAltered)
	}
	return intact.Tree(tree)
}

// judge takes over the result of a receipt's check.
func (p *Replay) judge(at Commit, results []Result) {
	if p.Verdict != Runnable || p.Commit != at.ID {
		return
	}
	for _, again := range results {
		if again.Check != p.Check {
			continue
		}
		p.Again = again
		switch {
		case again.State == NotStarted:
			p.Verdict, p.Why = NotRunnable, again.Why
		case again.State != TimedOut && again.Exit == p.Exit:
			p.Verdict = Same
		default:
			p.Verdict, p.Why = Different, again.Reason()
		}
	}
}
