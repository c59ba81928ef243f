package install

import (
	"path/filepath"

	"git-ralph/internal/safefile"
)

// State is the state of an item in its file.
type State int

// The states of an item.
const (
	Missing   State = iota // the file does not have it
	Outdated               // our block is there, with other lines than it should have
	Installed              // it is there
	ByHand                 // the user wrote the same themselves, outside of our block
)

// An Item is one part of an installation: a block of lines in one file.
type Item struct {
	Name       string // for people: "merge driver"
	File       string // absolute
	Executable bool   // a file that is made for it is a program
	Obsolete   bool   // installing takes it out
	Root       string // of the worktree that the file is in, where the repository supplies it; "" for git's own and the user's files
	form
}

// checkPath returns an error where the way to the file is a symbolic link that the repository may have supplied. Links of the
// user's own, such as that of a configuration in their home directory, are followed.
func (i Item) checkPath() error {
	if i.Root == "" {
		return nil
	}
	name, err := filepath.Rel(i.Root, i.File)
	if err != nil {
		return err
	}
	return safefile.Check(i.Root, filepath.ToSlash(name))
}

// form is what the block of an item looks like.
type form interface {
	// lines returns the lines of the block.
	lines() []string
	// kindOf judges a line found in a block, without white space around it.
	kindOf(line string) kind
	// outside reports what the user set outside of our block of what the item sets: whether all of it, and where they set
	// something else. mine are the lines of our block.
	outside(rest string, mine []string) (all bool, others []Clash)
	// whole reports whether all lines of a block are ours, whatever they say.
	whole() bool
	// start returns where a new block goes in a text.
	start(text string) int
	// blank is what a file that is made for the block begins with.
	blank() string
}

// atEnd is a block at the end of a file, in which others may write.
type atEnd struct{}

func (atEnd) whole() bool           { return false }
func (atEnd) start(text string) int { return len(text) }
func (atEnd) blank() string         { return "" }

// A Clash is something that the user set, and that the item wants otherwise.
type Clash struct {
	File  string // where; "" for the command line
	Name  string // of a setting, or a path with an attribute's name
	Value string
}

// Check returns the item's state in the text of its file, and the user's settings that clash with it.
func (i Item) Check(text string) (State, []Clash) {
	p := parseBlocks(text, i.form)
	all, others := i.outside(p.rest(), p.ours)
	switch {
	case p.block == "" && all:
		return ByHand, nil
	case p.block == "":
		return Missing, others
	case text != p.with(i.lines()):
		return Outdated, others
	}
	return Installed, others
}

// Fix returns the text with the item's block in it, whatever is in its way. A file that is made for it says so by
// newFile, with the number of directories that were made too.
func (i Item) Fix(text string, newFile bool, dirs int) string {
	if newFile {
		text = i.blank()
	}
	p := parseBlocks(text, i.form)
	if p.block == "" && newFile {
		p.creation = creation{newFile: true, dirs: dirs}
	}
	return p.with(i.lines())
}

// Remove returns the text without the item's block. If remove is set, the file was made for the block and nothing else
// came into it, so that it is to go, with as many directories above it as are empty then.
func (i Item) Remove(text string) (rest string, remove bool, dirs int) {
	p := parseBlocks(text, i.form)
	rest = p.rest()
	return rest, p.creation.newFile && rest == i.blank(), p.creation.dirs
}

// Has reports whether a text holds a block of ours, or what is left of one.
func Has(text string) bool {
	return parseBlocks(text, attributesForm{}).marks
}
