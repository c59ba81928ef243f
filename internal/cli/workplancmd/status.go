package workplancmd

import (
	"context"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/workplan"
)

func newStatus(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "status", Usage: "show a workplan and its tasks", ArgsUsage: "FILE", Description: aboutStatus,
		Flags: cmdline.FormatFlags(), BashComplete: FileArgument(),
		Action: cmdline.Action(env, fileOptionsFrom, fileOptions.status),
	}
}

func (o fileOptions) status(ctx context.Context, env *term.Env) error {
	f, err := read(ctx, env, o.file)
	if err != nil {
		return err
	}
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) { writeStatus(w, o.file, f.File, true) })
		return nil
	}
	env.PrintCells(term.Cell{Text: f.ID, Style: term.Strong}, term.Cell{Text: " — " + f.Title})
	env.Print(string(f.Status) + " · " + countsText(f.Counts()))
	next, isNext := f.Next()
	var t term.Table
	for _, it := range f.Tasks {
		mark := ""
		if isNext && it.ID == next.ID {
			mark = "next"
		}
		t.Add(term.Cell{Text: it.ID, Style: term.Cyan}, statusCell(it.Status), term.Cell{Text: it.Priority},
			term.Cell{Text: mark, Style: term.Strong}, term.Cell{Text: it.Name})
	}
	t.Write(env)
	return nil
}

// statusCell is a status with its colour.
func statusCell(s workplan.Status) term.Cell {
	style := term.PlainStyle
	switch s {
	case workplan.Done:
		style = term.Green
	case workplan.InProgress:
		style = term.Yellow
	}
	return term.Cell{Text: string(s), Style: style}
}

func countsText(c workplan.Counts) string {
	return fmt.Sprintf("%d done, %d in progress, %d todo (%d total)", c.Done, c.InProgress, c.Todo, c.Total)
}

// writeStatus writes what a file says, with or without its tasks.
func writeStatus(w term.Sink, file string, f *workplan.File, tasks bool) {
	out := term.Object{Sink: w}
	out.Str("file", file)
	out.Str("id", f.ID)
	out.Str("title", f.Title)
	out.Str("status", string(f.Status))
	missing := f.Missing()
	out.Boolean("done", missing == "")
	out.StrIf("missing", missing)
	out.StrIf("state_hub_workstream_id", f.Workstream)
	out.Member("counts")
	writeCounts(w, f.Counts())
	out.Member("next")
	if next, ok := f.Next(); ok {
		writeTask(w, next)
	} else {
		w.WriteString("null")
	}
	if tasks {
		out.Member("tasks")
		term.WriteArray(w, len(f.Tasks), func(i int) { writeTask(w, f.Tasks[i]) })
	}
	out.End()
}

func writeCounts(w term.Sink, c workplan.Counts) {
	out := term.Object{Sink: w}
	out.Value("done", strconv.Itoa(c.Done))
	out.Value("in_progress", strconv.Itoa(c.InProgress))
	out.Value("todo", strconv.Itoa(c.Todo))
	out.Value("total", strconv.Itoa(c.Total))
	out.End()
}

func writeTask(w term.Sink, t workplan.Task) {
	out := term.Object{Sink: w}
	out.Str("id", t.ID)
	out.Str("name", t.Name)
	out.Str("status", string(t.Status))
	out.StrIf("priority", t.Priority)
	out.StrIf("state_hub_task_id", t.HubTask)
	out.Value("line", strconv.Itoa(t.Line))
	out.End()
}

const readExits = `
EXIT STATUS
  0  done
  1  the file is missing or cannot be read
  2  the command line is wrong
  5  the file is not a valid workplan
`

const aboutStatus = `Shows what a workplan says: its status, how many tasks are done, and each task with the
heading above its block.

Where standard output is not a terminal it is JSON: {"file", "id", "title", "status",
"done", "missing", "counts", "next", "tasks": [{"id", "name", "status", "priority",
"line"}]}. missing says what keeps the workplan from being done.
` + readExits + `
EXAMPLES
  git ralph workplan status workplans/WP-0001-parser.md
  git ralph workplan status plan.md --json | jq .counts`
