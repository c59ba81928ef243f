package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// A line is a command line that was taken apart against the command tree.
// urfave/cli reads a flag behind an argument as an argument; here flags may
// stand anywhere, and what only looks like one, such as "- buy milk", is data.
type line struct {
	root  *cli.App
	path  []*cli.Command // from the outermost command to the one that is to run
	flags []flag
	args  []string
	raw   bool // the command takes its arguments as they are
	help  bool // the command's help is asked for
}

// A flag is one that was given.
type flag struct {
	name  string // as it was given, without hyphens
	value string
	set   bool // a value was given
}

// parseLine takes a command line apart, without the program's name. The errors
// are *usageError.
func parseLine(root *cli.App, args []string) (*line, error) {
	l := &line{root: root}
	for len(args) > 0 && !l.raw {
		used, err := l.take(args)
		if err != nil {
			return nil, err
		}
		args = args[used:]
	}
	l.args = append(l.args, args...)
	if l.help {
		return l, nil
	}
	return l, l.check()
}

// take reads what stands first in args and tells how many of them it was.
func (l *line) take(args []string) (int, error) {
	word := args[0]
	switch {
	case word == "--":
		l.raw = true
		return 1, l.needCommand(args[1:])
	case l.takeAttached(word):
		return 1, nil
	case looksLikeFlag(word):
		return l.takeFlag(word, args[1:])
	case len(l.commands()) > 0:
		return 1, l.descend(word)
	}
	l.args = append(l.args, word)
	return 1, nil
}

// looksLikeFlag tells flags from arguments. A flag is hyphens and a name, and
// perhaps "=" and a value; whatever else begins with a hyphen is an argument.
func looksLikeFlag(word string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-"), "=")
	if !strings.HasPrefix(word, "-") || name == "" {
		return false
	}
	for i, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return true
}

// descend goes to a command of the current one.
func (l *line) descend(word string) error {
	for _, c := range l.commands() {
		if c.HasName(word) {
			l.path = append(l.path, c)
			l.raw = c.SkipFlagParsing
			return nil
		}
	}
	if long := longForm(l.path, word); long != nil {
		return errors.Join(l.descend(long[0]), l.descend(long[1]))
	}
	return l.unknownCommand(word)
}

// shortForms are commands that may be called by one word.
func shortForms() []string { return []string{"list", "add", "done", "next"} }

// shortForms are those that may follow.
func (l *line) shortForms() []string {
	if len(l.path) > 0 {
		return nil
	}
	return shortForms()
}

// longForm returns the command that a short form stands for, nil for another word.
func longForm(path []*cli.Command, word string) []string {
	switch {
	case len(path) > 0 || !slices.Contains(shortForms(), word):
		return nil
	case word == "next":
		return []string{"query", word}
	}
	return []string{"task", word}
}

// commands are those that may follow.
func (l *line) commands() []*cli.Command {
	if c := l.command(); c != nil {
		return c.Subcommands
	}
	return l.root.Commands
}

// command is the one that was reached, nil before the first.
func (l *line) command() *cli.Command {
	if len(l.path) == 0 {
		return nil
	}
	return l.path[len(l.path)-1]
}

// takeFlag reads a flag, and its value from rest where it has one.
func (l *line) takeFlag(word string, rest []string) (int, error) {
	name, value, set := strings.Cut(strings.TrimLeft(word, "-"), "=")
	if name == "help" || name == "h" {
		l.help = true
		return 1, nil
	}
	found := l.find(name)
	if found == nil {
		return 0, l.unknownFlag(word)
	}
	if len(name) > 1 && !strings.HasPrefix(word, "--") {
		err := l.wrong(fmt.Sprintf("invalid flag -%s: a long flag begins with two hyphens", name))
		err.hint = fmt.Sprintf("did you mean --%s?", name)
		return 0, err
	}
	used := 1
	if takesValue(found) && !set {
		if len(rest) == 0 || rest[0] == "--" || looksLikeFlag(rest[0]) && l.find(flagName(rest[0])) != nil {
			return 0, l.wrong(fmt.Sprintf("flag %s needs a value", word))
		}
		value, set, used = rest[0], true, 2
	}
	l.flags = append(l.flags, flag{name, value, set})
	return used, nil
}

// takeAttached reads a short flag of the command with its value behind it, such
// as -mTEXT, and tells whether the word is one.
func (l *line) takeAttached(word string) bool {
	c := l.command()
	if c == nil || len(word) < 3 || word[0] != '-' || word[1] == '-' || word[2] == '=' {
		return false
	}
	found := findFlag(c.Flags, word[1:2])
	if found == nil || !takesValue(found) || findFlag(c.Flags, flagName(word)) != nil {
		return false
	}
	l.flags = append(l.flags, flag{word[1:2], word[2:], true})
	return true
}

// find returns the flag that a name means at this point: of the command, of the
// program, or, before the command is known, of any that may follow.
func (l *line) find(name string) cli.Flag {
	if c := l.command(); c != nil {
		if f := findFlag(c.Flags, name); f != nil {
			return f
		}
	}
	if f := findFlag(l.root.Flags, name); f != nil {
		return f
	}
	return findBelow(l.commands(), name)
}

func findFlag(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		for _, n := range f.Names() {
			if n == name {
				return f
			}
		}
	}
	return nil
}

func findBelow(commands []*cli.Command, name string) cli.Flag {
	for _, c := range commands {
		if f := findFlag(c.Flags, name); f != nil {
			return f
		}
		if f := findBelow(c.Subcommands, name); f != nil {
			return f
		}
	}
	return nil
}

func takesValue(f cli.Flag) bool {
	doc, ok := f.(cli.DocGenerationFlag)
	return ok && doc.TakesValue()
}

// flagName is the name in a word that looks like a flag.
func flagName(word string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	return name
}

// check makes sure that there is a command to run and that it knows the flags
// that stood before its name.
func (l *line) check() error {
	if err := l.needCommand(nil); err != nil {
		return err
	}
	c := l.command()
	for _, f := range l.flags {
		if findFlag(l.root.Flags, f.name) == nil && (c == nil || findFlag(c.Flags, f.name) == nil) {
			return l.unknownFlag(dashed(f.name))
		}
		if !utf8.ValidString(f.value) {
			return l.wrong(fmt.Sprintf("the value of %s is not UTF-8", dashed(f.name)))
		}
	}
	for _, arg := range l.args {
		if !utf8.ValidString(arg) {
			return l.wrong(fmt.Sprintf("argument %q is not UTF-8", arg))
		}
	}
	return nil
}

// needCommand refuses a noun without a verb, and words that cannot be one.
func (l *line) needCommand(rest []string) error {
	if len(l.commands()) == 0 {
		return nil
	}
	if len(rest) > 0 {
		return l.unknownCommand(rest[0])
	}
	if c := l.command(); c != nil && c.Action == nil {
		return l.wrong(fmt.Sprintf("%s needs one of: %s", c.Name, strings.Join(names(c.Subcommands), ", ")))
	}
	return nil
}

// arguments returns the line as urfave/cli reads it: the program's flags, the
// command, its flags, and behind "--" its arguments.
func (l *line) arguments() []string {
	words := []string{l.root.Name}
	c := l.command()
	isOwn := func(f flag) bool { return c != nil && findFlag(c.Flags, f.name) != nil }
	for _, f := range l.flags {
		if !isOwn(f) {
			words = append(words, f.String())
		}
	}
	for _, c := range l.path {
		words = append(words, c.Name)
	}
	if c != nil && c.SkipFlagParsing {
		return append(words, l.args...)
	}
	for _, f := range l.flags {
		if isOwn(f) {
			words = append(words, f.String())
		}
	}
	if len(l.args) == 0 {
		return words
	}
	return append(append(words, "--"), l.args...)
}

func (f flag) String() string {
	if f.set {
		return dashed(f.name) + "=" + f.value
	}
	return dashed(f.name)
}

// dashed returns a flag's name as users write it.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
