package cmdline

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/term"
)

// aboutWidth is how many columns of a description are shown.
const aboutWidth = 60

// NewComplete is the command that the scripts of `completion` call: its arguments are the
// words of a command line after the program's name, the last of them the one
// that is being typed. It prints the candidates for that word, one on each line
// with a tab and a description after it. On any error it prints nothing.
func NewComplete(env *term.Env) *cli.Command {
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

// A completer finds the candidates for one word.
type completer struct {
	ctx  context.Context
	env  *term.Env
	line *Line  // what stands before the word
	word string // what was typed of it
	lead string // what stands before each candidate, such as "--spec="
}

func complete(ctx context.Context, env *term.Env, app *cli.App, words []string) {
	if len(words) == 0 {
		return
	}
	last := len(words) - 1
	c := completer{ctx: ctx, env: env, line: &Line{Root: app}, word: words[last]}
	waiting, err := c.read(words[:last])
	if err != nil || env.Apply(c.line.valuesOf("C"), false) != nil {
		return
	}
	switch name, value, isValue := strings.Cut(c.word, "="); {
	case waiting != nil:
		c.values(waiting)
	case c.line.Raw && len(c.line.Commands()) == 0 || !strings.HasPrefix(c.word, "-"):
		c.arguments()
	case isValue:
		c.word, c.lead = value, name+"="
		c.values(c.line.find(flagName(name)))
	default:
		c.flags()
	}
}

// read parses the words before the one that is completed. It returns the flag that
// still needs its value, nil for none.
func (c *completer) read(words []string) (waiting cli.Flag, err error) {
	for len(words) > 0 && !c.line.Raw {
		if len(words) == 1 && looksLikeFlag(words[0]) && !strings.Contains(words[0], "=") {
			if f := c.line.find(flagName(words[0])); f != nil && takesValue(f) {
				return f, nil
			}
		}
		used, err := c.line.take(words)
		if err != nil {
			return nil, err
		}
		words = words[used:]
	}
	c.line.Args = append(c.line.Args, words...)
	return nil, nil
}

// commandCandidates returns the commands that may follow, and the short forms of others.
func (l *Line) commandCandidates() []Candidate {
	var all []Candidate
	for _, command := range l.Commands() {
		if !command.Hidden {
			all = append(all, Candidate{Text: command.Name, About: command.Usage})
		}
	}
	for _, path := range l.shortForms() {
		long := strings.TrimPrefix(CommandName(path), Program+" ")
		all = append(all, Candidate{Text: path[len(path)-1].Name, About: "short for " + long})
	}
	return all
}

// offer prints a candidate that begins with the word, unless it has control
// characters.
func (c *completer) offer(text, about string) {
	if !strings.HasPrefix(text, c.word) || text == "" || text[0] == ':' || term.Printable(text) != text {
		return
	}
	about = displaywidth.TruncateString(term.Printable(about), aboutWidth, "…")
	_, _ = io.WriteString(c.env.Out, c.lead+text+"\t"+about+"\n")
}

func (c *completer) offerAll(candidates []Candidate) {
	for _, candidate := range candidates {
		if candidate.directive != "" {
			_, _ = io.WriteString(c.env.Out, candidate.directive+"\n")
			continue
		}
		c.offer(candidate.Text, candidate.About)
	}
}

// arguments offers commands, or what may be an argument of the command.
func (c *completer) arguments() {
	if commands := c.line.Commands(); len(commands) > 0 {
		if len(c.line.Args) == 0 {
			c.offerAll(c.line.commandCandidates())
		}
	}
	command := c.line.Command()
	if command == nil || command.BashComplete == nil {
		return
	}
	request := &argsRequest{env: c.env, line: c.line}
	at := cli.NewContext(c.line.Root, nil, nil)
	at.Context = context.WithValue(c.ctx, argsKey{}, request)
	command.BashComplete(at)
	c.offerAll(request.found)
}

// values offers what may be the value of a flag.
func (c *completer) values(f cli.Flag) {
	if values := valuesOf(f).values; values != nil {
		c.offerAll(values(c.ctx, c.env, c.line))
	}
}

// flags offers the flags that may still be given.
func (c *completer) flags() {
	known := c.line.Root.Flags
	if command := c.line.Command(); command != nil {
		known = command.Flags
	}
	for _, f := range known {
		if IsHidden(f) || c.isSpent(f) {
			continue
		}
		_, about := FlagUsage(f)
		for _, name := range f.Names() {
			c.offer(Dashed(name), about)
		}
	}
	c.offer("--help", "show how it is used")
}

// isSpent reports whether a flag was given that cannot be repeated.
func (c *completer) isSpent(f cli.Flag) bool {
	if list, ok := f.(cli.DocGenerationSliceFlag); ok && list.IsSliceFlag() {
		return false
	}
	return slices.ContainsFunc(c.line.Flags, func(other Flag) bool { return slices.Contains(f.Names(), other.Name) })
}
