package walk

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/git"
)

// A CommitText is text of a commit: its message, or the lines that it adds to a file.
type CommitText struct{ ID, Text string }

// CommitTexts returns the messages of the commits in before..after, and the lines that they add to the file at path.
func CommitTexts(ctx context.Context, r *git.Repo, before, after, path string) ([]CommitText, error) {
	const mark = "\x01"
	if before != "" {
		after = before + ".." + after
	}
	var all []CommitText
	for _, what := range [][]string{{"--format=%x01%H%n%B", after}, {"--format=%x01%H", "--patch", "--unified=0", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", after, "--", path}} {
		out, err := r.Git().Output(ctx, slices.Concat([]string{"-c", "log.showSignature=false", "log"}, what)...)
		if err != nil {
			return nil, err
		}
		for commit := range strings.SplitSeq(strings.TrimPrefix(string(out), mark), mark) {
			id, text, _ := strings.Cut(commit, "\n")
			if len(what) > 2 {
				text = addedLines(text)
			}
			all = append(all, CommitText{id, text})
		}
	}
	return all, nil
}

// addedLines returns the lines that a patch adds.
func addedLines(patch string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		if added, found := strings.CutPrefix(line, "+"); found && !strings.HasPrefix(line, "+++ ") {
			b.WriteString(added)
		}
	}
	return b.String()
}
