package plan

import (
	"cmp"
	"slices"
	"strings"
)

// An Attempt identifies one completion of a task. The zero Attempt means that there is none: a pending task has none, and
// neither has the tombstone of a task that was superseded before it was done.
type Attempt struct {
	ID     string // the record's "attempt"; older records have none
	DoneAt string // the record's "done_at": a commit, which may be abbreviated
}

// Attempt returns the current attempt of a task, or the one that a tombstone names.
func (r Record) Attempt() Attempt { return Attempt{r.Text("attempt"), r.Text("done_at")} }

// SameAttempt reports whether two attempts at a task are the same: by ID where both have one, else by DoneAt, of which one may
// abbreviate the other.
func SameAttempt(a, b Attempt) bool {
	switch {
	case a.ID != "" && b.ID != "":
		return a.ID == b.ID
	case a.DoneAt == "" || b.DoneAt == "":
		return a.DoneAt == b.DoneAt
	}
	return strings.HasPrefix(a.DoneAt, b.DoneAt) || strings.HasPrefix(b.DoneAt, a.DoneAt)
}

// Rejected reports whether a tombstone of a task rejects an attempt at it.
func Rejected(a Attempt, tombstone Record) bool {
	named := tombstone.Attempt()
	return a != Attempt{} && named != Attempt{} && SameAttempt(a, named)
}

// A Round is the work on a task between two rejections.
type Round struct {
	Pending bool
	After   string // the attempts that were rejected before it, sorted: the order of lines does not count; "" for none
}

// Rounds returns the round of each task.
func (p *Plan) Rounds() map[string]Round {
	rounds, attempts := map[string]Round{}, map[string][]string{}
	for _, r := range p.records {
		switch r.kind {
		case KindTask:
			rounds[r.ID()] = Round{Pending: r.Pending()}
		case KindReject:
			named := r.Attempt()
			attempts[r.ID()] = append(attempts[r.ID()], cmp.Or(named.ID, named.DoneAt, "-"))
		}
	}
	for id, rejected := range attempts {
		if round, found := rounds[id]; found {
			slices.Sort(rejected)
			round.After = strings.Join(slices.Compact(rejected), "+")
			rounds[id] = round
		}
	}
	return rounds
}

// The members of a task's "meta" that say where its code is, while that is not part of the target but of a pull request.
const (
	CodeBranch  = "code_branch"  // the name of the branch
	CodeCommit  = "code_commit"  // its commit
	PullRequest = "pull_request" // the number of the pull request; also in "meta" of an issue that waits for one
)

// CodeIsElsewhere reports whether a done task's code is on a branch of its own, which a pull request is to merge: until then there is nothing
// to verify in the target, and nothing has landed.
func (r Record) CodeIsElsewhere() bool {
	_, found := r.Meta().Get(CodeBranch)
	return found && r.Done()
}
