package workplancmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/safefile"
	"git-ralph/internal/workplan"
)

// newOptions are the command line of new.
type newOptions struct {
	file   string // "" for the suggested one
	title  string
	id     string // "" for the suggested one
	prefix string // of the suggested id
	tasks  []string
	dryRun bool
	format cmdline.Format
}

func newNew(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "new", Usage: "write a new workplan", ArgsUsage: "[FILE]", Description: aboutNew,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "title", Usage: "what it is about: `TEXT`"},
			&cli.StringSliceFlag{Name: "task", Usage: "a task, by its `NAME`; may be repeated"},
			&cli.StringFlag{Name: "id", Usage: "the `ID` of the workplan, instead of the next one of its prefix"},
			&cli.StringFlag{Name: "prefix", Usage: "what the suggested id begins with: `PREFIX`, by default the name of the repository"},
			&cli.BoolFlag{Name: "dry-run", Usage: "print the file, and write nothing"},
		}, cmdline.TextFormatFlags()...),
		BashComplete: FileArgument(),
		Action:       cmdline.Action(env, newFrom, newOptions.run),
	}
}

func newFrom(c *cli.Context) (newOptions, error) {
	o := newOptions{
		file: c.Args().First(), title: c.String("title"), id: c.String("id"), prefix: c.String("prefix"), tasks: c.StringSlice("task"),
		dryRun: c.Bool("dry-run"), format: cmdline.FormatFrom(c),
	}
	switch {
	case o.title == "":
		return o, cmdline.Usage(c, "missing title: want --title TEXT")
	case o.id != "" && o.prefix != "":
		return o, cmdline.Usage(c, "--id and --prefix both say what the id is")
	}
	return o, nil
}

func (o newOptions) run(ctx context.Context, env *term.Env) error {
	dir, err := directory(ctx, env)
	if err != nil {
		return err
	}
	if o.id == "" {
		o.id = nextID(dir, o.prefixFor(ctx, env))
	}
	if o.file == "" {
		name := o.id
		if slug := workplan.Slug(o.title); slug != "" {
			name += "-" + slug
		}
		o.file = nameOf(env, filepath.Join(dir, name+".md"))
	}
	if err := o.checkPath(ctx, env); err != nil {
		return err
	}
	f := workplan.File{ID: o.id, Title: o.title, Status: workplan.Active}
	for i, name := range o.tasks {
		f.Tasks = append(f.Tasks, workplan.Task{ID: workplan.TaskID(o.id, i+1), Name: name, Status: workplan.Todo})
	}
	text := workplan.Render(f)
	parsed, err := planio.WorkplanParser(env).Parse(ctx, o.file, []byte(text))
	if err != nil {
		return err
	}
	if o.dryRun {
		term.WriteLines(env, text)
		return nil
	}
	if err := writeNew(env.Path(o.file), o.file, text); err != nil {
		return err
	}
	if o.format == cmdline.FormatJSON {
		env.WriteJSON(func(w term.Sink) { writeStatus(w, o.file, parsed, true) })
		return nil
	}
	env.Print("wrote " + o.file)
	env.Hint("describe the tasks in the file; the first `git ralph workplan start-task` commits it")
	return nil
}

// checkPath refuses a file of the repository that the other commands would refuse.
func (o newOptions) checkPath(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return nil //nolint:nilerr // it may be outside of a repository
	}
	if _, inside := st.Below(o.file); !inside && !st.Repo().Bare() {
		return nil
	}
	_, err = planio.WorkplanPath(st, o.file)
	return err
}

// writeNew writes a file that must not exist yet.
func writeNew(path, name, text string) error {
	if _, err := os.Lstat(path); err == nil {
		return &cmdline.HintedError{Err: errors.New(name + " exists already"), Hint: "give another FILE"}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("cannot write %s: %w", name, term.ReasonOf(err))
	}
	return safefile.Write(filepath.Dir(path), filepath.Base(path), []byte(text), 0o666)
}

// prefixFor returns what the suggested id begins with: the letters and digits of the repository's name, in capitals.
func (o newOptions) prefixFor(ctx context.Context, env *term.Env) string {
	if o.prefix != "" {
		return o.prefix
	}
	dir := env.Dir
	if st, err := planio.Open(ctx, env); err == nil {
		dir = st.Repo().Root()
	}
	name := strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' {
			return r
		}
		return -1
	}, filepath.Base(dir)))
	return strings.Trim(name, "-")
}

// nextID returns PREFIX-WP-NNNN, one above the highest number that a file of the directory has in its name.
func nextID(dir, prefix string) string {
	lead := prefix + "-WP-"
	if prefix == "" {
		lead = "WP-"
	}
	highest := 0
	entries, _ := os.ReadDir(dir) // there may be none yet
	for _, e := range entries {
		rest, ok := strings.CutPrefix(strings.ToUpper(e.Name()), strings.ToUpper(lead))
		digits, _, _ := strings.Cut(strings.TrimSuffix(rest, ".MD"), "-")
		if n, err := strconv.Atoi(digits); ok && err == nil {
			highest = max(highest, n)
		}
	}
	return fmt.Sprintf("%s%04d", lead, highest+1)
}

const aboutNew = `Writes a workplan, and commits nothing. Without FILE it goes to the directory that
` + "`git config ralph.workplans`" + ` names, by default workplans, as
PREFIX-WP-NNNN-<words of the title>.md; any other path and any other ids work as well.
Tasks get the ids PREFIX-WP-NNNN-T01 and so on.

Prints text; with --json what status prints.

EXIT STATUS
  0  done
  1  it cannot be done, as the file exists already
  2  the command line is wrong
  5  what was given makes no valid workplan; nothing was written

EXAMPLES
  git ralph workplan new --title "Parse headers" --task "Write the lexer"
  git ralph workplan new plan.md --title "Parse headers" --id P1`
