package walk

import (
	"context"
	"errors"
	"slices"
	"strings"

	"git-ralph/internal/git"
)

// A CommitText is text of a commit: its message, or the lines that it adds to a file.
type CommitText struct{ ID, Text string }

// CommitTexts returns the messages of the commits in before..after, and the lines that they add to the file at path.
func CommitTexts(ctx context.Context, r *git.Repo, before, after, path string) ([]CommitText, error) {
	reader := r.Reader(ctx)
	defer reader.Close()
	if line, ok := reader.Line(before, after); ok {
		if texts, err := textsOf(reader, before, line, path); err == nil {
			return texts, nil
		}
	}
	return textsByGit(ctx, r, before, after, path)
}

// textsOf returns the texts of commits that follow each other back to the commit before them, whose file counts as known.
func textsOf(reader *git.Reader, before string, line []git.Object, path string) ([]CommitText, error) {
	old, err := reader.File(before, path)
	if err != nil && !errors.Is(err, git.ErrNotFound) {
		return nil, err
	}
	var all []CommitText
	for _, commit := range slices.Backward(line) {
		all = append(all, CommitText{commit.ID, parseMessage(commit.Data).Text})
		file, err := reader.File(commit.ID, path)
		if err != nil && !errors.Is(err, git.ErrNotFound) {
			return nil, err
		}
		if file.ID != old.ID {
			all = append(all, CommitText{commit.ID, newLines(string(old.Data), string(file.Data))})
		}
		old = file
	}
	return all, nil
}

// newLines returns the lines of a text that another one lacks.
func newLines(old, text string) string {
	known := map[string]bool{}
	for line := range strings.Lines(old) {
		known[line] = true
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !known[line] {
			b.WriteString(line)
		}
	}
	return b.String()
}

// textsByGit has git find the commits, and compare the files.
func textsByGit(ctx context.Context, r *git.Repo, before, after, path string) ([]CommitText, error) {
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
