package store

import (
	"bytes"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"git-ralph/internal/safefile"
)

// pendingFile remembers, in the worktree's git directory, what mutations did
// that were written and not committed: the hash of the plan that they left,
// and a trailer for each event. The next commit tells it. Without the file
// those changes would be told as the user's own.
const pendingFile = "ralph/pending"

// pending is the content of that file.
type pending struct {
	plan     string   // hash of the plan that was written last
	trailers []string // lines of a commit message
}

func hashOf(content []byte) string {
	sum := fnv.New64a()
	sum.Write(content)
	return strconv.FormatUint(sum.Sum64(), 16)
}

// readPending returns what is left to be told, nothing where the plan is HEAD's:
// then it was committed, or thrown away, by somebody else.
func (t *transaction) readPending() pending {
	if t.found.same(t.head) {
		return pending{}
	}
	data, err := os.ReadFile(filepath.Join(t.repo.GitDir(), filepath.FromSlash(pendingFile)))
	if err != nil {
		return pending{}
	}
	hash, rest, _ := bytes.Cut(data, []byte("\n"))
	p := pending{plan: string(hash)}
	for line := range strings.Lines(string(rest)) {
		p.trailers = append(p.trailers, strings.TrimSuffix(line, "\n"))
	}
	return p
}

// wrote tells whether a plan is as the pending mutations left it.
func (p pending) wrote(plan file) bool { return plan.exists && p.plan == hashOf(plan.data) }

// remember notes what was written without a commit; forget, that all of it was
// told. What cannot be noted is lost to the messages alone.
func (t *transaction) remember(content []byte, trailers []string) {
	lines := append([]string{hashOf(content)}, append(t.pending.trailers, trailers...)...)
	_ = safefile.Write(t.repo.GitDir(), pendingFile, []byte(strings.Join(lines, "\n")+"\n"), planMode)
}

func (t *transaction) forget() {
	_ = os.Remove(filepath.Join(t.repo.GitDir(), filepath.FromSlash(pendingFile)))
}
