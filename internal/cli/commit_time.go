package cli

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
)

// doneEarliest returns the task whose "done_at" names the oldest commit. Those
// whose commit git does not know come last; between equals the order given
// decides. Git is asked only where there is something to decide.
func doneEarliest(ctx context.Context, env *Env, done []*plan.Record) *plan.Record {
	var commits []string
	for _, r := range done {
		if at := r.Text("done_at"); isHex(at) && !slices.Contains(commits, at) {
			commits = append(commits, at)
		}
	}
	if len(commits) < 2 && allDoneAt(done, commits) {
		return done[0]
	}
	times := commitTimes(ctx, env, commits)
	return slices.MinFunc(done, func(a, b *plan.Record) int {
		ta, knownA := times[a.Text("done_at")]
		tb, knownB := times[b.Text("done_at")]
		switch {
		case knownA && knownB:
			return int(min(max(ta-tb, -1), 1))
		case knownA:
			return -1
		case knownB:
			return 1
		}
		return 0
	})
}

// allDoneAt tells whether every task was done at the one commit, or none at any.
func allDoneAt(done []*plan.Record, commits []string) bool {
	return len(commits) == 0 || !slices.ContainsFunc(done, func(r *plan.Record) bool { return r.Text("done_at") != commits[0] })
}

// isHex tells whether text can be the id of a commit: what stands in a plan may
// come from anybody, and goes to git.
func isHex(text string) bool {
	return len(text) >= 4 && strings.Trim(text, "0123456789abcdef") == ""
}

// commitTimes returns the committer's date of each commit that git knows, in
// seconds. A failure of git means that it knows none.
func commitTimes(ctx context.Context, env *Env, commits []string) map[string]int64 {
	times := make(map[string]int64, len(commits))
	var asked bytes.Buffer
	for _, c := range commits {
		asked.WriteString(c + "^{commit}\n")
	}
	result, err := proc.Run(ctx, proc.Cmd{
		Name: "git", Args: []string{"cat-file", "--batch"}, Dir: env.Dir, Stdin: asked.Bytes(),
		Env: append(slices.Clip(env.Environ), "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"),
	})
	if err != nil {
		return times
	}
	rest := string(result.Stdout)
	for _, c := range commits {
		var object string
		object, rest = nextObject(rest)
		if seconds, ok := committed(object); ok {
			times[c] = seconds
		}
	}
	return times
}

// nextObject takes one reply of `git cat-file --batch` off its output; the
// object is empty where git does not know it.
func nextObject(output string) (object, rest string) {
	header, rest, _ := strings.Cut(output, "\n")
	words := strings.Fields(header)
	if len(words) != 3 {
		return "", rest
	}
	size, err := strconv.Atoi(words[2])
	if err != nil || size >= len(rest) {
		return "", rest
	}
	return rest[:size], rest[size+1:]
}

// committed reads the committer's date of a commit object.
func committed(object string) (seconds int64, ok bool) {
	headers, _, _ := strings.Cut(object, "\n\n")
	for line := range strings.SplitSeq(headers, "\n") {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "committer" {
			continue
		}
		seconds, err := strconv.ParseInt(words[len(words)-2], 10, 64)
		return seconds, err == nil
	}
	return 0, false
}
