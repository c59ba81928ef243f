package cmdline

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/term"
)

// NewHelp is `git ralph help`.
func NewHelp(env *term.Env) *cli.Command {
	return &cli.Command{
		Name:      "help",
		Usage:     "show how a command is used",
		ArgsUsage: "[COMMAND…]",
		Description: `Shows the help of a command, such as "task add"; without one, that of
git ralph itself.

EXIT STATUS
  0  done
  2  there is no such command

EXAMPLES
  git ralph help
  git ralph help task add`,
		BashComplete: CompletesArgs(helpTopics),
		Action:       func(c *cli.Context) error { return runHelp(c, env) },
	}
}

// helpTopics offers the subcommands of the command that is named so far.
func helpTopics(_ context.Context, _ *term.Env, line *Line) []Candidate {
	topic := &Line{Root: line.Root}
	for _, word := range line.Args {
		if topic.Descend(word) != nil {
			return nil
		}
	}
	return topic.commandCandidates()
}

func runHelp(c *cli.Context, env *term.Env) error {
	line := &Line{Root: c.App}
	for _, word := range c.Args().Slice() {
		if len(line.Commands()) == 0 {
			return line.unknownCommand(word)
		}
		if err := line.Descend(word); err != nil {
			return err
		}
	}
	env.Page(c.Context, func(env *term.Env) { WriteHelp(env, line.Path, c.App) })
	return nil
}

// helpWidth is how wide help is at most: longer lines are hard to read.
const helpWidth = 80

// WriteHelp prints the help of a command; of the program where path is empty.
func WriteHelp(env *term.Env, path []*cli.Command, app *cli.App) {
	c := &cli.Command{
		Usage: app.Usage, Description: app.Description, Subcommands: app.Commands, Flags: app.Flags, Action: app.Action,
	}
	if len(path) > 0 {
		c = path[len(path)-1]
	}
	width := min(env.Width, helpWidth)
	text, ending := SplitManual(c.Description)
	for i, line := range term.WrapText(Synopsis(path, c), width) {
		io.WriteString(env.Out, strings.Repeat(" ", min(i, 1)*term.FieldIndent)+env.Paint(line, term.Strong)+"\n")
	}
	io.WriteString(env.Out, "\n"+refill(strings.TrimSpace(text), width)+"\n")
	writeCommandList(env, c.Subcommands, width)
	writeFlagList(env, c.Flags, width)
	writeEnding(env, refill(ending, width))
}

// refill rewraps the paragraphs of a text to a width. A line that begins
// with blanks stays a line: what does not fit continues below its last column.
func refill(text string, width int) string {
	var lines, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			lines = append(lines, term.WrapText(strings.Join(paragraph, " "), width)...)
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "" || line == strings.ToUpper(line) && line[0] != ' ':
			flush()
			lines = append(lines, line)
		case line[0] == ' ':
			flush()
			lines = append(lines, hang(line, width)...)
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return strings.Join(lines, "\n")
}

// hang wraps a line of a list; further lines are indented to where the text
// begins, after the term and its gap.
func hang(line string, width int) []string {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if at := strings.Index(line[indent:], term.Gap); at > 0 {
		rest := line[indent+at:]
		indent = displaywidth.String(line) - displaywidth.String(strings.TrimLeft(rest, " "))
	}
	lines := term.WrapText(line, width)
	if len(lines) < 2 {
		return lines
	}
	rest := term.WrapText(strings.TrimPrefix(line[len(lines[0]):], " "), max(width-indent, term.MinLastColumn))
	lines = lines[:1]
	for _, text := range rest {
		lines = append(lines, strings.Repeat(" ", indent)+text)
	}
	return lines
}

// SplitManual separates a description from the sections that are printed below the
// flags.
func SplitManual(description string) (text, ending string) {
	const first = "EXIT STATUS\n"
	at := strings.Index(description, first)
	if at < 0 {
		return description, ""
	}
	return description[:at], description[at:]
}

// Synopsis returns the line that shows the arguments of a command.
func Synopsis(path []*cli.Command, c *cli.Command) string {
	words := []string{CommandName(path)}
	if len(c.Flags) > 0 {
		words = append(words, "[flags]")
	}
	switch {
	case len(c.Subcommands) > 0 && c.Action == nil:
		words = append(words, "COMMAND")
	case len(c.Subcommands) > 0 && c.ArgsUsage == "":
		words = append(words, "[COMMAND]")
	case c.ArgsUsage != "":
		words = append(words, c.ArgsUsage)
	}
	return strings.Join(words, " ")
}

func writeCommandList(env *term.Env, commands []*cli.Command, width int) {
	t := term.Table{Wrap: true, Width: width}
	for _, c := range commands {
		if !c.Hidden {
			t.Add(term.Cell{Text: "  " + c.Name, Style: term.PlainStyle}, term.Cell{Text: c.Usage, Style: term.PlainStyle})
		}
	}
	writeSection(env, "COMMANDS", t)
}

func writeFlagList(env *term.Env, flags []cli.Flag, width int) {
	t := term.Table{Wrap: true, Width: width}
	for _, f := range flags {
		if IsHidden(f) {
			continue
		}
		value, text := FlagUsage(f)
		name := DashedAll(f.Names())
		if value != "" {
			name += " " + value
		}
		t.Add(term.Cell{Text: "  " + name, Style: term.PlainStyle}, term.Cell{Text: text, Style: term.PlainStyle})
	}
	writeSection(env, "FLAGS", t)
}

// DashedAll returns the names of a flag, the short ones first.
func DashedAll(names []string) string {
	var short, long []string
	for _, n := range names {
		if len(n) == 1 {
			short = append(short, Dashed(n))
		} else {
			long = append(long, Dashed(n))
		}
	}
	return strings.Join(append(short, long...), ", ")
}

// FlagUsage returns the name of a flag's value, "" where it takes none, and
// what the flag does. The name stands between backquotes in its usage.
func FlagUsage(f cli.Flag) (value, text string) {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return "", ""
	}
	text = doc.GetUsage()
	if before, rest, found := strings.Cut(text, "`"); found {
		value, rest, _ = strings.Cut(rest, "`")
		text = before + value + rest
	}
	if value == "" && doc.TakesValue() {
		value = "VALUE"
	}
	return value, text
}

func writeSection(env *term.Env, title string, t term.Table) {
	if len(t.Rows) == 0 {
		return
	}
	fmt.Fprintf(env.Out, "\n%s\n", env.Paint(title, term.Strong))
	t.Write(env)
}

// writeEnding prints the sections of a description, with their titles in bold.
func writeEnding(env *term.Env, ending string) {
	if ending == "" {
		return
	}
	io.WriteString(env.Out, "\n")
	for line := range strings.Lines(ending + "\n") {
		text := strings.TrimRight(line, "\n")
		if text != "" && text == strings.ToUpper(text) && text[0] != ' ' {
			text = env.Paint(text, term.Strong)
		}
		io.WriteString(env.Out, text+"\n")
	}
}

// IsHidden reports whether help does not show a flag.
func IsHidden(f cli.Flag) bool {
	visible, ok := f.(cli.VisibleFlag)
	return ok && !visible.IsVisible()
}
