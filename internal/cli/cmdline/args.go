package cmdline

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// A Line is a command line that was parsed against the command tree.
// urfave/cli reads a flag after an argument as an argument; here flags may
// stand anywhere, and what only looks like one, such as "- buy milk", is data.
type Line struct {
	Root  *cli.App
	Path  []*cli.Command // from the outermost command to the one that is to run
	Flags []Flag
	Args  []string
	Raw   bool // the words that follow are arguments, whatever they look like
	Help  bool // help was requested
}

// String returns the command without its arguments, such as "task done".
func (l *Line) String() string {
	words := make([]string, len(l.Path))
	for i, c := range l.Path {
		words[i] = c.Name
	}
	return strings.Join(words, " ")
}

// A Flag is one that was given.
type Flag struct {
	Name  string // as it was given, without hyphens
	value string
	set   bool // a value was given
}

// ParseLine parses a command line, without the program's name. The errors
// are *UsageError.
func ParseLine(root *cli.App, args []string) (*Line, error) {
	l := &Line{Root: root}
	for len(args) > 0 && !l.Raw {
		used, err := l.take(args)
		if err != nil {
			return nil, err
		}
		args = args[used:]
	}
	l.Args = append(l.Args, args...)
	if l.Help {
		return l, nil
	}
	return l, l.check()
}

// take reads the first word of args, with the value of a flag, and returns how many words it was.
func (l *Line) take(args []string) (int, error) {
	word := args[0]
	switch {
	case word == "--":
		l.Raw = true
		return 1, l.needCommand(args[1:])
	case l.takeAttached(word):
		return 1, nil
	case looksLikeFlag(word):
		return l.takeFlag(word, args[1:])
	case len(l.Commands()) > 0 && !l.isArgument(word):
		return 1, l.Descend(word)
	}
	l.Args = append(l.Args, word)
	return 1, nil
}

// isArgument reports whether a word is an argument of a command that has subcommands too, as a task's id is of claim.
func (l *Line) isArgument(word string) bool {
	c := l.Command()
	return c != nil && c.ArgsUsage != "" && (len(l.Args) > 0 || !slices.ContainsFunc(c.Subcommands, func(below *cli.Command) bool { return below.HasName(word) }))
}

// looksLikeFlag reports whether a word is a flag. A flag is hyphens and a name, and
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

// Descend moves to a subcommand of the current command, or to a short form.
func (l *Line) Descend(word string) error {
	for _, c := range l.Commands() {
		if c.HasName(word) {
			l.Path = append(l.Path, c)
			l.Raw = c.SkipFlagParsing
			return nil
		}
	}
	for _, path := range l.shortForms() {
		if path[len(path)-1].HasName(word) {
			l.Path = path
			return nil
		}
	}
	return l.unknownCommand(word)
}

// ShortForm is the category of a subcommand that can be called by its own name alone, as `git ralph list` calls `git ralph task list`.
const ShortForm = "short form"

// shortForms returns the paths of the ShortForm commands that may follow: all at the beginning of a line, none later.
func (l *Line) shortForms() (paths [][]*cli.Command) {
	if len(l.Path) > 0 {
		return nil
	}
	for _, c := range l.Root.Commands {
		for _, below := range c.Subcommands {
			if below.Category == ShortForm {
				paths = append(paths, []*cli.Command{c, below})
			}
		}
	}
	return paths
}

// Commands returns the commands that may follow.
func (l *Line) Commands() []*cli.Command {
	if c := l.Command(); c != nil {
		return c.Subcommands
	}
	return l.Root.Commands
}

// Command returns the command that was reached, nil before the first.
func (l *Line) Command() *cli.Command {
	if len(l.Path) == 0 {
		return nil
	}
	return l.Path[len(l.Path)-1]
}

// takeFlag reads a flag, and its value from rest where it has one.
func (l *Line) takeFlag(word string, rest []string) (int, error) {
	name, value, set := strings.Cut(strings.TrimLeft(word, "-"), "=")
	if name == "help" || name == "h" {
		l.Help = true
		return 1, nil
	}
	found := l.find(name)
	if found == nil {
		return 0, l.unknownFlag(word)
	}
	if len(name) > 1 && !strings.HasPrefix(word, "--") {
		err := l.usageError(fmt.Sprintf("invalid flag -%s: a long flag begins with two hyphens", name))
		err.Hint = fmt.Sprintf("did you mean --%s?", name)
		return 0, err
	}
	used := 1
	if takesValue(found) && !set {
		if len(rest) == 0 || rest[0] == "--" || looksLikeFlag(rest[0]) && l.find(flagName(rest[0])) != nil {
			return 0, l.usageError(fmt.Sprintf("flag %s needs a value", word))
		}
		value, set, used = rest[0], true, 2
	}
	l.Flags = append(l.Flags, Flag{name, value, set})
	return used, nil
}

// takeAttached reads a short flag of the command with its value attached, such
// as -mTEXT, and reports whether the word is one.
func (l *Line) takeAttached(word string) bool {
	c := l.Command()
	if c == nil || len(word) < 3 || word[0] != '-' || word[1] == '-' || word[2] == '=' {
		return false
	}
	found := findFlag(c.Flags, word[1:2])
	if found == nil || !takesValue(found) || findFlag(c.Flags, flagName(word)) != nil {
		return false
	}
	l.Flags = append(l.Flags, Flag{word[1:2], word[2:], true})
	return true
}

// find returns the flag that a name means at this point: of the command, of the
// program, or, before the command is known, of any that may follow.
func (l *Line) find(name string) cli.Flag {
	if c := l.Command(); c != nil {
		if f := findFlag(c.Flags, name); f != nil {
			return f
		}
	}
	if f := findFlag(l.Root.Flags, name); f != nil {
		return f
	}
	return findBelow(l.Commands(), name)
}

// flagsOf returns the flags that may be given with a command: its own, and the program's but for those that choose the
// format, which belong to the program without a command.
func flagsOf(root *cli.App, c *cli.Command) []cli.Flag {
	if c == nil {
		return root.Flags
	}
	formats := FormatFlags()
	return slices.Concat(c.Flags, slices.DeleteFunc(slices.Clone(root.Flags), func(f cli.Flag) bool {
		return findFlag(formats, f.Names()[0]) != nil
	}))
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

// flagName returns the name in a word that looks like a flag.
func flagName(word string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	return name
}

// check makes sure that there is a command to run, and that the flags before its name are
// flags of it.
func (l *Line) check() error {
	if err := l.needCommand(nil); err != nil {
		return err
	}
	c := l.Command()
	for _, f := range l.Flags {
		if findFlag(flagsOf(l.Root, c), f.Name) == nil {
			return l.unknownFlag(Dashed(f.Name))
		}
		if !utf8.ValidString(f.value) {
			return l.usageError(fmt.Sprintf("the value of %s is not UTF-8", Dashed(f.Name)))
		}
	}
	for _, arg := range l.Args {
		if !utf8.ValidString(arg) {
			return l.usageError(fmt.Sprintf("argument %q is not UTF-8", arg))
		}
	}
	return nil
}

// needCommand refuses a command that needs a subcommand and has none, and words after -- in its place.
func (l *Line) needCommand(rest []string) error {
	if len(l.Commands()) == 0 {
		return nil
	}
	c := l.Command()
	if len(rest) > 0 && (c == nil || c.ArgsUsage == "") {
		return l.unknownCommand(rest[0])
	}
	if c != nil && c.Action == nil {
		return l.usageError(fmt.Sprintf("%s needs one of: %s", c.Name, strings.Join(l.names(), ", ")))
	}
	return nil
}

// Arguments returns the line as urfave/cli reads it: the program's flags, the
// command, its flags, and after "--" its arguments.
func (l *Line) Arguments() []string {
	words := []string{l.Root.Name}
	c := l.Command()
	isOwn := func(f Flag) bool { return c != nil && findFlag(c.Flags, f.Name) != nil }
	for _, f := range l.Flags {
		if !isOwn(f) {
			words = append(words, f.String())
		}
	}
	for _, c := range l.Path {
		words = append(words, c.Name)
	}
	if c != nil && c.SkipFlagParsing {
		return append(words, l.Args...)
	}
	for _, f := range l.Flags {
		if isOwn(f) {
			words = append(words, f.String())
		}
	}
	if len(l.Args) == 0 {
		return words
	}
	return append(append(words, "--"), l.Args...)
}

func (f Flag) String() string {
	if f.set {
		return Dashed(f.Name) + "=" + f.value
	}
	return Dashed(f.Name)
}

// Dashed returns a flag's name as users write it.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// valuesOf returns the values that a flag was given.
func (l *Line) valuesOf(name string) []string {
	var values []string
	for _, f := range l.Flags {
		if f.Name == name {
			values = append(values, f.value)
		}
	}
	return values
}
