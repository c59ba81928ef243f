package git

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxBack is how many commits before a commit of ours Amended looks at.
const maxBack = 20

// Amended finds a commit of ours (whose subject begins with prefix) that the user's git has amended and that lost its change
// of the file on the way: the commit at HEAD has its message, and the file of a commit before it. So it is where a racing
// checkout had left an older index. Its ID is "" where there is none.
func (t *Tx) Amended(prefix string) (HeadCommit, error) {
	former := t.beforeAmend("commit: " + prefix)
	if former == "" || former == t.head || t.headID == "" {
		return HeadCommit{}, nil
	}
	was, err := t.reader.commit(former)
	if err != nil {
		return HeadCommit{}, nil //nolint:nilerr // a gc took it
	}
	now, err := t.headCommit()
	if err != nil || trailersOf(messageOf(was.data)) != trailersOf(messageOf(now)) {
		return HeadCommit{}, err
	}
	for n := 1; n <= maxBack; n++ {
		o, err := t.reader.ask(fmt.Sprintf("%s~%d:%s", former, n, t.path))
		if err != nil {
			return HeadCommit{}, nil //nolint:nilerr // there is no such commit, or no file in it
		}
		if o.id == t.headID {
			return HeadCommit{ID: former, Message: messageOf(was.data)}, nil
		}
	}
	return HeadCommit{}, nil
}

// trailersOf returns the last paragraph of a message.
func trailersOf(message string) string {
	message = strings.TrimSpace(message)
	return message[strings.LastIndex(message, "\n\n")+1:]
}

// raceTime is how long after a commit of ours a checkout that began before it may end, and the amendment follow.
const raceTime = 20 * time.Second

// beforeAmend returns the last commit that the branch's log has with a reason, where the log ends with amendments of it and a
// checkout raced with it. Whoever removes the change on purpose has no such checkout in between.
func (t *Tx) beforeAmend(reason string) string {
	if t.ref == "" || t.repo.reftable {
		return ""
	}
	moves := t.repo.lastMoves(filepath.Join(t.repo.commonDir, "logs", filepath.FromSlash(t.ref)), logTail)
	for i := len(moves) - 1; i >= 0; i-- {
		switch {
		case strings.HasPrefix(moves[i].reason, amendReason):
		case strings.HasPrefix(moves[i].reason, reason) && i < len(moves)-1 && t.raced(moves[i]):
			return moves[i].to
		default:
			return ""
		}
	}
	return ""
}

// headLogTail is how much of the end of HEAD's log is searched: HEAD may have been on other branches for long.
const headLogTail = 1 << 20

// amendReason begins the reason of an amendment in a log.
const amendReason = "commit (amend): "

// raced reports whether HEAD's log has, between a commit and an amendment of it, a checkout of the branch that HEAD was on
// already: one that began before the commit ends so, with the index that it had read.
func (t *Tx) raced(commit logLine) bool {
	moves := t.repo.lastMoves(filepath.Join(t.repo.gitDir, "logs", "HEAD"), headLogTail)
	at := slices.IndexFunc(moves, func(m logLine) bool { return m.to == commit.to && m.reason == commit.reason })
	checkedOut := false
	for _, m := range moves[at+1:] {
		if at < 0 || m.when-commit.when > int64(raceTime/time.Second) {
			return false
		}
		if checkedOut && strings.HasPrefix(m.reason, amendReason) {
			return true
		}
		checkedOut = checkedOut || m.from == m.to && m.reason == "checkout: moving from "+t.Branch()+" to "+t.Branch()
	}
	return false
}

// A logLine is an entry of a log as it is written.
type logLine struct {
	from, to string
	when     int64 // seconds since 1970
	reason   string
}

// lastMoves reads the end of the file of a log, the oldest entry first.
func (r *Repo) lastMoves(path string, size int64) []logLine {
	tail, err := readTail(path, size)
	if err != nil {
		return nil
	}
	var moves []logLine
	for line := range strings.Lines(string(tail)) {
		before, reason, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if fields := strings.Fields(before); len(fields) > 3 && len(fields[0]) == r.hexSize() {
			when, _ := strconv.ParseInt(fields[len(fields)-2], 10, 64)
			moves = append(moves, logLine{fields[0], fields[1], when, reason})
		}
	}
	return moves
}

// readTail returns the end of a log, of a size at most.
func readTail(path string, size int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	tail := make([]byte, min(info.Size(), size))
	_, err = f.ReadAt(tail, info.Size()-int64(len(tail)))
	return tail, err
}
