package plancmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
)

func NewPrime(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "prime", Usage: "print what an agent must know to use git ralph",
		Description: `Prints in few words how an agent reads and changes the plan, made from the commands
that there are. With --claude-md and --agents-md it is written into CLAUDE.md and
AGENTS.md at the root, between two markers; what is around them stays, and
running it again brings it up to date.

EXIT STATUS
  0  done
  1  failed
  2  the command line is wrong

EXAMPLES
  git ralph prime
  git ralph prime --claude-md`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "claude-md", Usage: "write it into CLAUDE.md"},
			&cli.BoolFlag{Name: "agents-md", Usage: "write it into AGENTS.md"},
		},
		Action: func(c *cli.Context) error {
			var files []string
			if c.Bool("claude-md") {
				files = append(files, "CLAUDE.md")
			}
			if c.Bool("agents-md") {
				files = append(files, "AGENTS.md")
			}
			return runPrime(c.Context, env, Primer(c.App), files)
		},
	}
}

func runPrime(ctx context.Context, env *term.Env, text string, files []string) error {
	if len(files) == 0 {
		term.WriteLines(env, text)
		return nil
	}
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if st.Repo().Bare() {
		return store.ErrBare
	}
	for _, name := range files {
		if err := writeBetweenMarkers(st.Repo().Root(), name, text); err != nil {
			return err
		}
		env.Print("wrote " + name)
	}
	return nil
}

// Primed are the commands that an agent needs, in the order in which it does.
func Primed() []string {
	return []string{
		"query next", "query", "task show", "task add", "task done", "task accept", "task reject", "task decompose", "issue add", "issue done", "check",
	}
}

// Primer makes the text from the command tree, so that it names only commands that exist.
func Primer(app *cli.App) string {
	var b strings.Builder
	b.WriteString(`## The plan of this repository: git ralph

What is to be done is in the plan file, ralph/plan.jsonl. Read and change it with these commands, never by hand:

`)
	for _, name := range Primed() {
		l := &cmdline.Line{Root: app}
		for word := range strings.FieldsSeq(name) {
			if l.Descend(word) != nil {
				return ""
			}
		}
		c := l.Command()
		fmt.Fprintf(&b, "- `%s` %s\n", strings.TrimSpace(cmdline.Program+" "+name+" "+c.ArgsUsage), c.Usage)
	}
	b.WriteString(`
Each change is one commit of the plan alone; what you have staged or modified stays. Output is JSON. Exit codes: 0 done,
1 failed, 2 usage, 3 nothing to do, 4 locked, 5 plan invalid. ` + "`" + cmdline.Program + ` help COMMAND` + "`" + ` shows more.

- Work on the task that you were given, else on what ` + "`query next`" + ` names, and on nothing else. Found something else: ` + "`issue add`" + `.
- A Markdown file with ` + "`task`" + ` blocks is a workplan, and says itself what is to be done: ` + "`" + cmdline.Program + ` workplan next FILE` + "`" + `.
- COMPLETE from ` + "`query stage`" + ` says that nothing is left; where no task was planned for a new spec yet: ` + "`git ralph plan SPEC`" + `.
- A task is done when its "accept" holds and you saw that it does. Commit your work first, then ` + "`task done`" + `.
- "reject" on a task says why it failed before. Check that very point.
`)
	return b.String()
}

// The markers around our block in a file of the user's.
const (
	PrimeBegin = "<!-- git ralph prime: begin -->"
	PrimeEnd   = "<!-- git ralph prime: end -->"
)

var errMarkers = errors.New("the markers of git ralph prime are damaged: the end is missing")

// writeBetweenMarkers replaces the text between the markers in a file, or adds both at the end.
func writeBetweenMarkers(root, name, text string) error {
	if err := safefile.Check(root, name); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	data, _, err := safefile.ReadIfAny(filepath.Join(root, name))
	if err != nil {
		return err
	}
	block := PrimeBegin + "\n" + text + PrimeEnd
	before, rest, found := strings.Cut(string(data), PrimeBegin)
	if !found {
		if before = strings.TrimRight(before, "\n"); before != "" {
			before += "\n\n"
		}
		return safefile.Write(root, name, []byte(before+block+"\n"), 0o666)
	}
	_, after, closed := strings.Cut(rest, PrimeEnd)
	if !closed {
		return fmt.Errorf("%s: %w", name, errMarkers)
	}
	return safefile.Write(root, name, []byte(before+block+after), 0o666)
}
