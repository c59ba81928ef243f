package cli

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/urfave/cli/v2"
)

// What a shell is to complete by itself. Each stands on a line of its own; no
// candidate begins with a colon.
const (
	completeFiles = ":files"
	completeDirs  = ":dirs"
	completeRevs  = ":revs"
)

// aboutWidth is how many columns of a description are shown.
const aboutWidth = 60

// newComplete is what the scripts of `completion` call: its arguments are the
// words of a command line behind the program's name, the last of them the one
// that is being written. It prints what may stand there, a candidate a line
// with a tab and a description behind it. Whatever is wrong, it offers nothing
// and says nothing.
func newComplete(env *Env) *cli.Command {
	return &cli.Command{
		Name: "__complete", Hidden: true, SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			quiet := *env
			quiet.Err = io.Discard
			complete(c.Context, &quiet, c.App, c.Args().Slice())
			return nil
		},
	}
}

// A completer finds what may stand in place of one word.
type completer struct {
	ctx  context.Context
	env  *Env
	line *line  // what stands before the word
	word string // what is written of it
	lead string // what stands before each candidate, such as "--spec="
}

func complete(ctx context.Context, env *Env, app *cli.App, words []string) {
	if len(words) == 0 {
		return
	}
	last := len(words) - 1
	c := completer{ctx: ctx, env: env, line: &line{root: app}, word: words[last]}
	waiting, err := c.read(words[:last])
	if err != nil || env.apply(c.line.valuesOf("C"), false) != nil {
		return
	}
	switch name, value, isValue := strings.Cut(c.word, "="); {
	case waiting != "":
		c.values(waiting)
	case c.line.raw && len(c.line.commands()) == 0 || !strings.HasPrefix(c.word, "-"):
		c.arguments()
	case isValue:
		c.word, c.lead = value, name+"="
		c.values(strings.TrimLeft(name, "-"))
	default:
		c.flags()
	}
}

// read takes the words before the one in question apart. It returns the name
// of the flag that still waits for its value, "" for none.
func (c *completer) read(words []string) (waiting string, err error) {
	for len(words) > 0 && !c.line.raw {
		if len(words) == 1 && looksLikeFlag(words[0]) && !strings.Contains(words[0], "=") {
			name := flagName(words[0])
			if f := c.line.find(name); f != nil && takesValue(f) {
				return name, nil
			}
		}
		used, err := c.line.take(words)
		if err != nil {
			return "", err
		}
		words = words[used:]
	}
	c.line.args = append(c.line.args, words...)
	return "", nil
}

// valuesOf returns the values that a flag was given.
func (l *line) valuesOf(name string) []string {
	var values []string
	for _, f := range l.flags {
		if f.name == name {
			values = append(values, f.value)
		}
	}
	return values
}

// offer prints a candidate if the word begins it. What could not be shown as
// it is, is not offered.
func (c *completer) offer(text, about string) {
	if !strings.HasPrefix(text, c.word) || text == "" || text[0] == ':' || printable(text) != text {
		return
	}
	about = displaywidth.TruncateString(printable(about), aboutWidth, "…")
	_, _ = io.WriteString(c.env.Out, c.lead+text+"\t"+about+"\n")
}

func (c *completer) offerAll(texts ...string) {
	for _, text := range texts {
		c.offer(text, "")
	}
}

// leave lets the shell complete a word by itself.
func (c *completer) leave(directives ...string) {
	_, _ = io.WriteString(c.env.Out, strings.Join(directives, "\n")+"\n")
}

// arguments offers commands, or what may be an argument of the command.
func (c *completer) arguments() {
	if commands := c.line.commands(); len(commands) > 0 {
		c.commands(commands)
		return
	}
	c.argumentsOf(strings.TrimPrefix(commandName(c.line.path), program+" "))
}

func (c *completer) commands(commands []*cli.Command) {
	for _, command := range commands {
		if !command.Hidden {
			c.offer(command.Name, command.Usage)
		}
	}
	if len(c.line.path) == 0 {
		for _, word := range shortForms() {
			c.offer(word, "short for "+strings.Join(longForm(nil, word), " "))
		}
	}
}

// flags offers the flags that may still be given.
func (c *completer) flags() {
	known := c.line.root.Flags
	if command := c.line.command(); command != nil {
		known = command.Flags
	}
	for _, f := range known {
		if isHidden(f) || c.isSpent(f) {
			continue
		}
		_, about := flagUsage(f)
		for _, name := range f.Names() {
			c.offer(dashed(name), about)
		}
	}
	c.offer("--help", "show how it is used")
}

func isHidden(f cli.Flag) bool {
	visible, ok := f.(cli.VisibleFlag)
	return ok && !visible.IsVisible()
}

// isSpent tells whether a flag was given that is of use only once.
func (c *completer) isSpent(f cli.Flag) bool {
	if _, repeatable := f.(*cli.StringSliceFlag); repeatable {
		return false
	}
	return slices.ContainsFunc(c.line.flags, func(given flag) bool { return slices.Contains(f.Names(), given.name) })
}
