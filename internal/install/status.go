package install

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Status is the state of one item, and what is wrong with it.
type Status struct {
	Item           string
	File           string
	State          State
	Incomplete     bool    // it is missing, but at least one of the comments around it exists
	Misplaced      bool    // it exists where it should not: git reads another file, or a setting turned it off
	Clashes        []Clash // what of the user's is in its way
	MissingProgram string  // a program that the block names, and that is gone; "" for none
	NotRun         string  // why a block that is there is not run; "" where it is
	Repair         string  // what to do about that
}

// Inspect returns the status of every item: those that Install would write with the same options, and those that are there.
func Inspect(ctx context.Context, o Options) ([]Status, error) {
	items, err := selected(ctx, o)
	if err != nil {
		return nil, err
	}
	all := make([]Status, len(items))
	for n, i := range items {
		text, err := read(i.File)
		if err != nil {
			return nil, err
		}
		s := Status{Item: i.Name, File: i.File, Misplaced: i.Obsolete}
		s.State, s.Clashes = i.Check(text)
		s.Incomplete = s.State == Missing && Has(text)
		if i.Executable && !i.Obsolete && s.State != Missing {
			s.NotRun, s.Repair = whyNotRun(i, text)
		}
		if s.State == Outdated {
			s.MissingProgram = lostProgram(parseBlocks(text, i.form).block)
		}
		all[n] = s
	}
	return all, nil
}

// lostProgram finds the program that a block falls back to, and gives it where it is not there any more.
func lostProgram(block string) string {
	_, rest, found := strings.Cut(block, "|| { ralph='")
	path, _, _ := strings.Cut(rest, "' && ")
	path = strings.ReplaceAll(path, `'\''`, "'")
	if !found || !strings.ContainsAny(path, `/\`) || exists(path) {
		return ""
	}
	return path
}

// whyNotRun returns why our block is not run, and what to do about it.
func whyNotRun(i Item, text string) (cause, repair string) {
	if info, err := os.Stat(i.File); err == nil && !isRunnable(info) && filepath.Base(filepath.Dir(i.File)) != huskyDir {
		return "is not executable, so git does not run it", "make it executable"
	}
	for line := range strings.Lines(parseBlocks(text, i.form).before) {
		if ends(line) {
			return "ends at `" + strings.TrimSpace(line) + "`, before it comes to ours", "move our block above that line"
		}
	}
	return "", ""
}

// ends reports whether a line ends the script, whatever comes before it.
func ends(line string) bool {
	words := strings.Fields(line)
	switch {
	case len(words) == 0, line[0] == ' ', line[0] == '\t':
		return false // it may depend on something
	case words[0] == "exec":
		return len(words) > 1 && !strings.ContainsAny(words[1], "<>") // those are redirections
	}
	return words[0] == "exit"
}
