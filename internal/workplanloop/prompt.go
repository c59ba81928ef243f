package workplanloop

import (
	"fmt"
	"strings"
	"unicode"

	"git-ralph/internal/workplan"
)

// Prompt returns what the agent is to do in the next iteration.
func (l Loop) Prompt(f *workplan.File, hub bool) string {
	return prompt{
		file: l.File, count: fmt.Sprintf(" Iteration %d of %d.", l.Iteration, l.Max), hub: hub,
		next: "Then end your turn: the next prompt names the next task. ",
	}.text(f)
}

// RunPrompt is the prompt of an agent that is started for the next task of a file alone. It commits its work, new files above all: of what it
// leaves, only tracked files are committed for it.
func RunPrompt(file string, f *workplan.File, hub bool) string {
	return prompt{
		file: file, hub: hub,
		begin: "You work alone, as one step of a loop: nobody answers questions or reads along. `git status` may show what an agent before you\n" +
			"left when it was stopped: what belongs to your task is yours to finish.\n\n",
		commit: "4. Commit your work with a message that says what changed and why. Commit only what belongs to the task: no `git add -A`. Do not push.\n",
		next:   "Then end: the next task is another agent's. ",
	}.text(f)
}

const notValid = "The workplan is not valid any more:\n"

// RepairPrompt is the prompt of a run's agent where the file is not valid any more.
func RepairPrompt(invalid string) string {
	return notValid + invalid + "\n\nRepair that in the file and nothing else, commit it, and end. Nobody answers questions.\n"
}

// prompt is what the prompts of loops differ in.
type prompt struct {
	file   string
	count  string // of iterations, where the agent is the same in all of them
	begin  string
	commit string // the step that commits the work
	next   string // what comes after the task
	hub    bool
}

func (p prompt) text(f *workplan.File) string {
	c := f.Counts()
	var b strings.Builder
	fmt.Fprintf(&b, "Workplan %s %s, %s: %d done, %d in progress, %d todo (%d total).%s\n\n%s",
		workplan.Shown(f.ID), workplan.Quoted(f.Title), workplan.OneLine(p.file), c.Done, c.InProgress, c.Todo, c.Total, p.count, p.begin)
	next, open := f.Next()
	if open {
		last := 4
		if p.commit != "" {
			last++
		}
		fmt.Fprintf(&b, `Next task: %s %s, line %d of the file.

1. git ralph workplan start-task %s
2. Do the task, as the text around its block in the file says.
3. Check that it is done: run what shows it, and read your change.
%s%d. git ralph workplan done-task %[4]s

%[7]s`, workplan.Shown(next.ID), workplan.Quoted(next.Name), next.Line, operands(p.file, next.ID), p.commit, last, p.next)
	} else {
		b.WriteString("Every task is done, and the status in the frontmatter is not. ")
	}
	when := "Run"
	if open {
		when = "When no task is left, run"
	}
	fmt.Fprintf(&b, "%s `git ralph workplan close %s`, and end your message with %s; say that only when `close` has succeeded.\n", when, operands(p.file), Promise)
	if f.Workstream != "" {
		b.WriteString("\n" + hubNotes(f, next, p.hub))
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

// quoted returns a word for a shell, on one line: what cannot be seen is written as the octal digits of its bytes.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,="
	switch {
	case strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "$'" + octal(word) + "'"
	case word != "" && strings.Trim(word, plain) == "":
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// octal returns what a shell reads between $' and '.
func octal(word string) string {
	var b strings.Builder
	for _, c := range []byte(word) {
		if c < ' ' || c > '~' || c == '\'' || c == '\\' {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// operands returns arguments for a shell, none of which is taken for a flag.
func operands(words ...string) string {
	var flag bool
	for i, w := range words {
		flag = flag || strings.HasPrefix(w, "-")
		words[i] = quoted(w)
	}
	if flag {
		return "-- " + strings.Join(words, " ")
	}
	return strings.Join(words, " ")
}
