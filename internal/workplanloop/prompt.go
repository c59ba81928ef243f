package workplanloop

import (
	"fmt"
	"strings"

	"git-ralph/internal/workplan"
)

// Prompt returns what the agent is to do in the next iteration.
func (l Loop) Prompt(f *workplan.File, hub bool) string {
	c := f.Counts()
	file := quoted(l.File)
	var b strings.Builder
	fmt.Fprintf(&b, "Workplan %s %q, %s: %d done, %d in progress, %d todo (%d total). Iteration %d of %d.\n\n",
		f.ID, f.Title, l.File, c.Done, c.InProgress, c.Todo, c.Total, l.Iteration, l.Max)
	next, open := f.Next()
	if open {
		fmt.Fprintf(&b, `Next task: %s %q, line %d of the file.

1. git ralph workplan start-task %s %s
2. Do the task, as the text around its block in the file says.
3. Check that it is done: run what shows it, and read your change.
4. git ralph workplan done-task %[4]s %[5]s

Then end your turn: the next prompt names the next task. `, next.ID, next.Name, next.Line, file, quoted(next.ID))
	} else {
		b.WriteString("Every task is done, and the status in the frontmatter is not. ")
	}
	fmt.Fprintf(&b, "When no task is left, run `git ralph workplan close %s`, and end your message with %s; say it only then.\n", file, Promise)
	if f.Workstream != "" {
		b.WriteString("\n" + hubNotes(f, next, hub))
	}
	return b.String()
}

// hubNotes returns what an agent has to know about the State Hub: that the commands update it, or how it does so itself.
func hubNotes(f *workplan.File, next workplan.Task, hub bool) string {
	if hub {
		return "State Hub: `done-task` and `close` update it. Do not call it yourself.\n"
	}
	var b strings.Builder
	b.WriteString("State Hub:\n")
	if next.HubTask != "" {
		fmt.Fprintf(&b, "- Together with done-task, not later: update_task_status(%q, \"done\").\n", next.HubTask)
	}
	fmt.Fprintf(&b, `- Before the promise, in this order: update_task_status(…, "done") for every task with a state_hub_task_id;
  update_workstream_status(%q, "done"); add_progress_event(summary="<what was delivered>", event_type="milestone",
  topic_id="<from CLAUDE.md>", workstream_id=%[1]q); `+"`git ralph workplan close`; the promise.\n", f.Workstream)
	return b.String()
}

// quoted returns a word for a shell.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,="
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
