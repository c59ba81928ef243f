package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/urfave/cli/v2"
)

// newHelp is `git ralph help`.
func newHelp(env *Env) *cli.Command {
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
		Action: func(c *cli.Context) error { return runHelp(c, env) },
	}
}

func runHelp(c *cli.Context, env *Env) error {
	line := &line{root: c.App}
	for _, word := range c.Args().Slice() {
		if len(line.commands()) == 0 {
			return line.unknownCommand(word)
		}
		if err := line.descend(word); err != nil {
			return err
		}
	}
	env.page(c.Context, func(env *Env) { writeHelp(env, line.path, c.App) })
	return nil
}

// helpWidth is how wide help is at most: longer lines are hard to read.
const helpWidth = 80

// writeHelp prints the help of a command; of the program where path is empty.
func writeHelp(env *Env, path []*cli.Command, app *cli.App) {
	c := &cli.Command{
		Usage: app.Usage, Description: app.Description, Subcommands: app.Commands, Flags: app.Flags, Action: app.Action,
	}
	if len(path) > 0 {
		c = path[len(path)-1]
	}
	width := min(env.Width, helpWidth)
	text, ending := splitManual(c.Description)
	for i, line := range wrapText(synopsis(path, c), width) {
		io.WriteString(env.Out, strings.Repeat(" ", min(i, 1)*fieldIndent)+env.paint(line, strong)+"\n")
	}
	io.WriteString(env.Out, "\n"+refill(strings.TrimSpace(text), width)+"\n")
	writeCommandList(env, c.Subcommands, width)
	writeFlagList(env, c.Flags, width)
	writeEnding(env, refill(ending, width))
}

// refill breaks the paragraphs of a text anew, for a width. A line that begins
// with blanks stays a line: what does not fit continues below its last column.
func refill(text string, width int) string {
	var lines, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			lines = append(lines, wrapText(strings.Join(paragraph, " "), width)...)
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

// hang wraps a line of a list; what follows is indented to where the text
// begins, behind the term and its gap.
func hang(line string, width int) []string {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if at := strings.Index(line[indent:], gap); at > 0 {
		rest := line[indent+at:]
		indent = displaywidth.String(line) - displaywidth.String(strings.TrimLeft(rest, " "))
	}
	lines := wrapText(line, width)
	if len(lines) < 2 {
		return lines
	}
	rest := wrapText(strings.TrimPrefix(line[len(lines[0]):], " "), max(width-indent, minLastColumn))
	lines = lines[:1]
	for _, text := range rest {
		lines = append(lines, strings.Repeat(" ", indent)+text)
	}
	return lines
}

// splitManual separates a description from the sections that stand below the
// flags.
func splitManual(description string) (text, ending string) {
	const first = "EXIT STATUS\n"
	at := strings.Index(description, first)
	if at < 0 {
		return description, ""
	}
	return description[:at], description[at:]
}

// synopsis is the line that says how to write the command.
func synopsis(path []*cli.Command, c *cli.Command) string {
	words := []string{commandName(path)}
	if len(c.Flags) > 0 {
		words = append(words, "[flags]")
	}
	switch {
	case len(c.Subcommands) > 0 && c.Action == nil:
		words = append(words, "COMMAND")
	case len(c.Subcommands) > 0:
		words = append(words, "[COMMAND]")
	case c.ArgsUsage != "":
		words = append(words, c.ArgsUsage)
	}
	return strings.Join(words, " ")
}

func writeCommandList(env *Env, commands []*cli.Command, width int) {
	t := table{wrap: true, width: width}
	for _, c := range commands {
		if !c.Hidden {
			t.add(cell{"  " + c.Name, plainStyle}, cell{c.Usage, plainStyle})
		}
	}
	writeSection(env, "COMMANDS", t)
}

func writeFlagList(env *Env, flags []cli.Flag, width int) {
	t := table{wrap: true, width: width}
	for _, f := range flags {
		if visible, ok := f.(cli.VisibleFlag); ok && !visible.IsVisible() {
			continue
		}
		value, text := flagUsage(f)
		name := dashedAll(f.Names())
		if value != "" {
			name += " " + value
		}
		t.add(cell{"  " + name, plainStyle}, cell{text, plainStyle})
	}
	writeSection(env, "FLAGS", t)
}

// dashedAll lists the names of a flag, the short ones first.
func dashedAll(names []string) string {
	var short, long []string
	for _, n := range names {
		if len(n) == 1 {
			short = append(short, dashed(n))
		} else {
			long = append(long, dashed(n))
		}
	}
	return strings.Join(append(short, long...), ", ")
}

// flagUsage returns the name of a flag's value, "" where it takes none, and
// what the flag does. The name stands between backquotes in its usage.
func flagUsage(f cli.Flag) (value, text string) {
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

func writeSection(env *Env, title string, t table) {
	if len(t.rows) == 0 {
		return
	}
	fmt.Fprintf(env.Out, "\n%s\n", env.paint(title, strong))
	t.write(env)
}

// writeEnding prints the sections of a description, titles standing out.
func writeEnding(env *Env, ending string) {
	if ending == "" {
		return
	}
	io.WriteString(env.Out, "\n")
	for line := range strings.Lines(ending + "\n") {
		text := strings.TrimRight(line, "\n")
		if text != "" && text == strings.ToUpper(text) && text[0] != ' ' {
			text = env.paint(text, strong)
		}
		io.WriteString(env.Out, text+"\n")
	}
}
