package githook

import (
	"bufio"
	"context"
	"errors"
	"strings"

	"git-ralph/internal/plan"
)

// prePush refuses to push a plan that is not valid. Git writes one line for each
// reference to standard input: local reference, its commit, remote reference, the
// commit that the remote has there.
func (r run) prePush(ctx context.Context) error {
	lines := bufio.NewScanner(r.In)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 4 || isZero(fields[1]) {
			continue
		}
		err := r.checkPushed(ctx, fields[1])
		if err != nil {
			return err
		}
	}
	return nil
}

// checkPushed checks the plan of a commit.
func (r run) checkPushed(ctx context.Context, commit string) error {
	snap, err := r.Store.At(ctx, commit)
	if err != nil {
		return r.warnUnchecked("the plan was not checked", err)
	}
	if !snap.Exists {
		return nil
	}
	err = refusal(snap.File, errorsWithHints(snap), "`git push --no-verify` pushes it all the same")
	if e, ok := errors.AsType[*plan.InvalidError](err); ok {
		e.File = commit[:min(9, len(commit))] + ":" + r.Store.PlanPath()
	}
	return err
}

// isZero reports whether an id stands for no commit.
func isZero(id string) bool { return strings.Trim(id, "0") == "" }
