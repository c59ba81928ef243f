package git

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// beforeAmend returns the last commit that the branch's log has with a reason, where the log ends with amendments of it.
func (t *Tx) beforeAmend(reason string) string {
	if t.ref == "" || t.repo.reftable {
		return ""
	}
	tail, err := readTail(filepath.Join(t.repo.commonDir, "logs", filepath.FromSlash(t.ref)))
	if err != nil {
		return ""
	}
	lines := bytes.Split(bytes.TrimRight(tail, "\n"), []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		ids, why, _ := strings.Cut(string(lines[i]), "\t")
		switch {
		case strings.HasPrefix(why, "commit (amend): "):
		case strings.HasPrefix(why, reason) && i < len(lines)-1 && len(ids) > 2*t.repo.hexSize():
			return ids[t.repo.hexSize()+1 : 2*t.repo.hexSize()+1]
		default:
			return ""
		}
	}
	return ""
}

// readTail returns the end of a log.
func readTail(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	tail := make([]byte, min(info.Size(), logTail))
	_, err = f.ReadAt(tail, info.Size()-int64(len(tail)))
	return tail, err
}
