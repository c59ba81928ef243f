package cmdline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// unknownCommand names the command that was probably meant.
func (l *Line) unknownCommand(word string) error {
	text := fmt.Sprintf("unknown command %q", word)
	if len(l.Path) > 0 {
		text += " of " + CommandName(l.Path)
	}
	err := l.usageError(text)
	if near := l.meant(word); near != "" {
		err.Hint = fmt.Sprintf("did you mean `%s %s`?", CommandName(l.Path), near)
	} else {
		err.Hint = runHint(CommandName(l.Path), word)
	}
	return err
}

// runHint says which command stops or shows a run, where a word was to do that below the command that starts one; "" for other words.
func runHint(command, word string) string {
	if !slices.Contains([]string{Program + " team", Program + " team run", Program + " hero", Program + " build"}, command) {
		return ""
	}
	switch word {
	case "stop", "end", "kill", "halt":
		return "`git ralph build stop` stops a run, also that of a team or a hero, and workers that go on without it"
	case "status", "show", "list", "ps":
		return "`git ralph status` shows a run, also that of a team or a hero; `git ralph claim list` shows who works on what"
	}
	return ""
}

// meant returns the command that a word stands for in other programs, or else
// one that is written in nearly the same way; "" for neither.
func (l *Line) meant(word string) string {
	at := CommandName(l.Path[:min(len(l.Path), 1)])
	for _, known := range [...]struct{ words, task, issue string }{
		{"rm remove delete del drop", "cancel", "done"},
		{"ls", "list", "list"},
		{"close finish complete resolve", "done", "done"},
		{"new create", "add", "add"},
		{"update change modify set", "edit", "edit"},
		{"approve", "accept", ""},
		{"cat view", "show", "show"},
	} {
		if !slices.Contains(strings.Fields(known.words), word) {
			continue
		}
		switch at {
		case Program:
			return "task " + known.task
		case Program + " task":
			return known.task
		case Program + " issue":
			return known.issue
		}
	}
	return Nearest(word, l.names())
}

// RefuseRunWords refuses arguments that ask for a run, such as "stop", below the command that starts one, and says which command was meant.
func RefuseRunWords(c *cli.Context, args []string) error {
	for _, word := range args {
		if hint := runHint(c.Command.HelpName, word); hint != "" {
			return &UsageError{Text: fmt.Sprintf("unexpected argument %q", word), Hint: hint, Command: c.Command.HelpName}
		}
	}
	return nil
}

// unknownFlag names the flag that was probably meant.
func (l *Line) unknownFlag(word string) error {
	err := l.usageError(fmt.Sprintf("unknown flag %s of %s", word, CommandName(l.Path)))
	flags, name := flagsOf(l.Root, l.Command()), flagName(word)
	format, _ := findFlag(flags, "format").(*formatFlag)
	if format != nil && slices.Contains(format.accepted, Format(name)) {
		err.Hint = fmt.Sprintf("did you mean --format %s?", name)
	} else if near := Nearest(name, flagNames(flags)); near != "" {
		err.Hint = fmt.Sprintf("did you mean %s?", Dashed(near))
	}
	return err
}

// usageError returns an error in the use of the command that was reached.
func (l *Line) usageError(text string) *UsageError {
	return &UsageError{Text: text, Command: CommandName(l.Path)}
}

// CommandName returns a command as users type it.
func CommandName(path []*cli.Command) string {
	name := Program
	for _, c := range path {
		name += " " + c.Name
	}
	return name
}

// names returns the names of the commands that may follow, apart from hidden ones.
func (l *Line) names() []string {
	var all []string
	for _, c := range l.commandCandidates() {
		all = append(all, c.Text)
	}
	return all
}

func flagNames(flags []cli.Flag) []string {
	var all []string
	for _, f := range flags {
		all = append(all, f.Names()...)
	}
	return all
}

// Nearest returns the candidate that a word was probably meant to be, "" where
// none is near.
func Nearest(word string, candidates []string) string {
	best, bound := "", min(len(word)/3, 3)+1
	for _, c := range candidates {
		if len(c) < 2 {
			continue
		}
		if len(word) > 1 && strings.HasPrefix(c, word) {
			return c
		}
		if d := distance(word, c); d < bound {
			best, bound = c, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour to make b of a.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			changed := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				changed++
			}
			rows[i][j] = slices.Min([]int{changed, rows[i-1][j] + 1, rows[i][j-1] + 1})
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
