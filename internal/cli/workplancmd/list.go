package workplancmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/store"
	"git-ralph/internal/workplan"
)

type listOptions struct{ format cmdline.Format }

func newList(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "list the workplans", Description: aboutList, Flags: cmdline.FormatFlags(),
		Action: func(c *cli.Context) error { return listOptions{cmdline.FormatFrom(c)}.run(c.Context, env) },
	}
}

// listed is one file of the directory of workplans.
type listed struct {
	name string // as the user can name it
	workplan.Parsed
}

func (o listOptions) run(ctx context.Context, env *term.Env) error {
	dir, err := directory(ctx, env)
	if err != nil {
		return err
	}
	all, err := listFiles(ctx, env, dir)
	if err != nil {
		return err
	}
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) {
			term.WriteArray(w, len(all), func(i int) { all[i].write(w) })
		})
	} else {
		showList(env, all)
	}
	if slices.ContainsFunc(all, func(l listed) bool { return l.File == nil }) {
		return cmdline.StatusError(cmdline.ExitInvalid)
	}
	return nil
}

// directory returns the directory of workplans. Outside of a repository it is below the user's own.
func directory(ctx context.Context, env *term.Env) (string, error) {
	st, err := planio.Open(ctx, env)
	if errors.Is(err, git.ErrNotRepository) {
		return filepath.Join(env.Dir, store.DefaultWorkplans), nil
	}
	if err != nil {
		return "", err
	}
	dir, err := st.Workplans()
	return filepath.Join(st.Repo().Root(), filepath.FromSlash(dir)), err
}

// maxFiles is how many files are looked at.
const maxFiles = 10_000

// listFiles reads the Markdown files below a directory that have frontmatter.
func listFiles(ctx context.Context, env *term.Env, dir string) ([]listed, error) {
	s := search{env: env}
	if err := filepath.WalkDir(dir, s.visit); err != nil {
		return nil, err
	}
	s.warn(dir)
	sources := s.found
	parsed, err := planio.WorkplanParser(env).ParseAll(ctx, sources)
	all := make([]listed, len(parsed))
	for i, p := range parsed {
		all[i] = listed{sources[i].Name, p}
	}
	return all, err
}

// A search is a walk through the directory of workplans.
type search struct {
	env     *term.Env
	seen    int
	found   []workplan.Source
	skipped []string // why, each
}

// visit looks at one file. What is skipped and might be a workplan is kept.
func (s *search) visit(path string, d fs.DirEntry, err error) error {
	isMarkdown := strings.EqualFold(filepath.Ext(path), ".md")
	switch s.seen++; {
	case errors.Is(err, fs.ErrNotExist):
		return nil // there is no such directory, or not any more
	case err != nil:
		s.skipped = append(s.skipped, fmt.Sprintf("%s is skipped: %v", nameOf(s.env, path), term.ReasonOf(err)))
		return fs.SkipDir
	case s.seen > maxFiles:
		return fs.SkipAll
	case d.Type()&fs.ModeSymlink != 0:
		if info, err := os.Stat(path); isMarkdown || err == nil && info.IsDir() {
			s.skipped = append(s.skipped, nameOf(s.env, path)+" is skipped: it is a symbolic link")
		}
		return nil
	case !d.Type().IsRegular() || !isMarkdown:
		return nil
	}
	if info, err := d.Info(); err != nil || info.Size() > workplan.MaxSize {
		return nil // it is no workplan, or gone
	}
	if text, err := os.ReadFile(path); err == nil && hasFrontmatter(text) {
		s.found = append(s.found, workplan.Source{Name: nameOf(s.env, path), Text: text})
	}
	return nil
}

// warn says what was skipped.
func (s *search) warn(dir string) {
	s.env.WarnAll(s.skipped)
	if s.seen > maxFiles {
		s.env.Warn(fmt.Sprintf("%s has more than %d files and directories: the others were not looked at", nameOf(s.env, dir), maxFiles))
	}
}

// hasFrontmatter reports whether a file may be a workplan, and not a document beside them.
func hasFrontmatter(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("---"))
}

// nameOf returns a path as the user can type it.
func nameOf(env *term.Env, path string) string {
	dir := env.Dir
	if physical, err := filepath.EvalSymlinks(dir); err == nil {
		dir = physical
	}
	if rel, err := filepath.Rel(dir, path); err == nil {
		return rel
	}
	return path
}

func (l listed) write(w term.Sink) {
	if l.File != nil {
		writeStatus(w, l.name, l.File, false)
		return
	}
	out := term.Object{Sink: w}
	out.Str("file", l.name)
	out.Str("error", l.problem().Error())
	out.End()
}

// problem returns the first problem of a file.
func (l listed) problem() *workplan.InvalidError {
	return &workplan.InvalidError{File: l.name, Problems: l.Problems[:1]}
}

func showList(env *term.Env, all []listed) {
	var t term.Table
	for _, l := range all {
		if l.File == nil {
			env.Say("error", l.problem().Error())
			continue
		}
		c := l.File.Counts()
		t.Add(term.Cell{Text: l.File.ID, Style: term.Cyan}, statusCell(l.File.Status), term.Cell{Text: countsText(c)},
			term.Cell{Text: l.name, Style: term.Faint}, term.Cell{Text: l.File.Title})
	}
	t.Write(env)
	if len(all) == 0 {
		env.Hint("there is no workplan; `git ralph workplan new --title TEXT` writes one")
	}
}

const aboutList = `Lists the workplans below the directory that ` + "`git config ralph.workplans`" + ` names, by
default workplans: all Markdown files with frontmatter. Symbolic links are not followed,
and at most 10,000 files are looked at; a warning says so.

Where standard output is not a terminal it is JSON: an array of what status prints,
without the tasks, or {"file", "error"} for a file that is not valid.

EXIT STATUS
  0  done
  1  it cannot be done
  2  the command line is wrong
  5  a file is not a valid workplan; the others are listed

EXAMPLES
  git ralph workplan list
  git ralph workplan list --json | jq -r '.[] | select(.done | not) | .file'`
