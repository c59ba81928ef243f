package commit

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
)

// A LostChange is a change of the file that commits of ours made and that a git command removed unintentionally.
type LostChange struct {
	Before, After string   // commits: the file without the change, and with it
	Messages      []string // of the commits that made it, the oldest first
}

// maxBack is how many commits before a commit LostChanges looks at.
const maxBack = 20

// lostTail is how much of the end of a branch's reflog LostChanges reads.
const lostTail = 16 << 10

// headLogTail is how much of the end of HEAD's reflog is searched: HEAD may have been on other branches for long.
const headLogTail = 1 << 20

// raceTime is how long after a commit of ours a checkout that began before it may end, and the amendment follow.
const raceTime = 20 * time.Second

// Reasons in a reflog.
const (
	commitReason   = "commit: "
	amendReason    = "commit (amend): "
	checkoutReason = "checkout: moving from "
	resetReason    = "reset: moving to HEAD"
	abortReason    = "rebase (abort): "
)

// LostChanges finds the changes that were lost since our last commit on the branch (whose subject begins with prefix), by the
// branch's reflog. A git command reads HEAD, then the index, and only then locks the index, so that a commit of ours may come
// in between:
//   - `rebase --abort` brings back the commit that the rebase began with, and `reset --hard` (`stash` runs it too) the one
//     that was HEAD's when it began. Neither moves the branch otherwise.
//   - a checkout leaves the file of another commit in the index, and `commit --amend` commits that.
func (t *Tx) LostChanges(prefix string) ([]LostChange, error) {
	if t.base.ref == "" || t.repo.HasReftable() {
		return nil, nil
	}
	moves := lastMoves(t.repo, filepath.Join(t.repo.CommonDir(), "logs", filepath.FromSlash(t.base.ref)), lostTail)
	isOurs := func(m git.ReflogEntry) bool { return strings.HasPrefix(m.Reason, commitReason+prefix) }
	last := len(moves) - 1
	for last >= 0 && !isOurs(moves[last]) {
		last--
	}
	if last < 0 {
		return nil, nil
	}
	first := last
	for first > 0 && isOurs(moves[first-1]) && moves[first-1].New == moves[first].Old {
		first--
	}
	var all []LostChange
	for _, m := range moves[last+1:] {
		var commits []string
		switch {
		case m.Reason == resetReason, strings.HasPrefix(m.Reason, abortReason):
			commits = movedBackOver(moves[first:last+1], m)
		case strings.HasPrefix(m.Reason, amendReason):
			taken, err := t.amendedAway(moves[last], m)
			if err != nil {
				return nil, err
			}
			if taken {
				commits = []string{m.Old}
			}
		}
		if commits == nil {
			continue
		}
		lost := LostChange{Before: m.New, After: m.Old}
		for _, commit := range commits {
			o, err := t.reader.Commit(commit)
			if err != nil {
				return all, nil //nolint:nilerr // a gc took it
			}
			lost.Messages = append(lost.Messages, git.MessageOf(o.Data))
		}
		all = append(all, lost)
	}
	return all, nil
}

// movedBackOver returns the commits of ours that a move of the branch undid; nil unless the branch moved to the commit before
// one of them. ours are the last entries of a reflog.
func movedBackOver(ours []git.ReflogEntry, m git.ReflogEntry) (commits []string) {
	at := slices.IndexFunc(ours, func(o git.ReflogEntry) bool { return o.Old == m.New })
	if at < 0 || ours[len(ours)-1].New != m.Old {
		return nil
	}
	for _, o := range ours[at:] {
		commits = append(commits, o.New)
	}
	return commits
}

// amendedAway reports whether an amendment, soon after our commit, took the file from an index that a checkout had left, and
// kept the message, which reports another content. HEAD's reflog has that checkout; there is none if a user removes the change
// on purpose.
func (t *Tx) amendedAway(ours, amendment git.ReflogEntry) (bool, error) {
	if amendment.Old == amendment.New || amendment.When-ours.When > int64(raceTime/time.Second) {
		return false, nil
	}
	was, err := t.reader.Commit(amendment.Old)
	if err != nil {
		return false, nil //nolint:nilerr // a gc took it
	}
	now, err := t.reader.Commit(amendment.New)
	if err != nil || trailersOf(git.MessageOf(was.Data)) != trailersOf(git.MessageOf(now.Data)) {
		return false, err
	}
	left := t.fileAt(amendment.New) // by the checkout
	if left == "" || left == t.fileAt(amendment.Old) {
		return false, nil
	}
	for _, m := range t.checkoutsAfter(ours) {
		switch to := strings.TrimPrefix(m.Reason, checkoutReason+t.Branch()+" to "); {
		case to == m.Reason: // from elsewhere
		case to != t.Branch() && t.fileAt(m.New) == left: // the index was that of the other branch already
			return true, nil
		case to == t.Branch() && m.Old == m.New && t.isOlder(left, amendment.Old): // it read the branch before our commit
			return true, nil
		}
	}
	return false, nil
}

// checkoutsAfter returns the checkouts in HEAD's reflog soon after a commit, including those that ended after the amendment.
func (t *Tx) checkoutsAfter(commit git.ReflogEntry) []git.ReflogEntry {
	moves := lastMoves(t.repo, filepath.Join(t.repo.GitDir(), "logs", "HEAD"), headLogTail)
	at := slices.IndexFunc(moves, func(m git.ReflogEntry) bool { return m.New == commit.New && m.Reason == commit.Reason })
	if at < 0 {
		return nil
	}
	return slices.DeleteFunc(moves[at+1:], func(m git.ReflogEntry) bool {
		return !strings.HasPrefix(m.Reason, checkoutReason) || m.When-commit.When > int64(raceTime/time.Second)
	})
}

// isOlder reports whether one of the commits before a commit has the file with this id.
func (t *Tx) isOlder(id, commit string) bool {
	for n := 1; n <= maxBack; n++ {
		switch t.fileAt(fmt.Sprintf("%s~%d", commit, n)) {
		case id:
			return true
		case "":
			return false
		}
	}
	return false
}

// fileAt returns the id of the file at a commit, "" where it has none.
func (t *Tx) fileAt(commit string) string {
	o, err := t.reader.Ask(commit + ":" + t.path)
	if err != nil {
		return ""
	}
	return o.ID
}

// trailersOf returns the last paragraph of a message.
func trailersOf(message string) string {
	message = strings.TrimSpace(message)
	return message[strings.LastIndex(message, "\n\n")+1:]
}

// lastMoves reads the end of a reflog, oldest entry first.
func lastMoves(r *git.Repo, path string, size int64) []git.ReflogEntry {
	tail, err := git.ReadReflogTail(path, size)
	if err != nil {
		return nil
	}
	var moves []git.ReflogEntry
	for line := range strings.Lines(string(tail)) {
		if entry, ok := git.ParseReflogEntry(line, r.IDSize()); ok {
			moves = append(moves, entry)
		}
	}
	return moves
}
