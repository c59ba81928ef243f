package mergedriver

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"git-ralph/internal/proc"
)

// mergeText merges as git would without a driver: lines, with conflict markers
// where both sides changed the same ones. It returns the exit status.
func (d *driver) mergeText(ctx context.Context, ours, theirs []byte) int {
	status := exitMerged
	merged, conflicts, err := d.gitMergeFile(ctx)
	if err != nil {
		// The content is binary to git, or there is no git.
		d.report("cannot be merged, so the file contains both sides whole: %v", err)
		merged, conflicts = d.bothSides(ours, theirs), true
	}
	if conflicts {
		status = exitConflict
	}
	if err := d.writeResult(merged); err != nil {
		d.report("cannot write the merged text: %v", err)
		return exitConflict
	}
	return status
}

// maxConflicts is the highest exit status of git merge-file that counts
// conflicts; those above are failures.
const maxConflicts = 127

func (d *driver) gitMergeFile(ctx context.Context) (merged []byte, conflicts bool, err error) {
	out, err := proc.Run(ctx, proc.Cmd{
		Name: "git",
		Args: []string{
			"merge-file", "-p", "--marker-size=" + strconv.Itoa(d.MarkerSize), "-L", "ours", "-L", "base", "-L", "theirs",
			"--", d.Ours, d.Base, d.Theirs,
		},
		Dir: d.env.Dir, Env: d.env.Environ,
	})
	if code := proc.ExitCode(err); code > 0 && code <= maxConflicts {
		return out.Stdout, true, nil
	}
	return out.Stdout, false, err
}

// bothSides returns a conflict that spans the whole file.
func (d *driver) bothSides(ours, theirs []byte) []byte {
	marker := func(sign, label string) []byte {
		return []byte(strings.Repeat(sign, d.MarkerSize) + label + "\n")
	}
	return bytes.Join([][]byte{
		marker("<", " ours"), wholeLines(ours), marker("=", ""), wholeLines(theirs), marker(">", " theirs"),
	}, nil)
}

// wholeLines ends the last line.
func wholeLines(text []byte) []byte {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return text
	}
	return append(bytes.Clone(text), '\n')
}
