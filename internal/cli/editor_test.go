package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
)

// edits is a user at a terminal whose editor is a shell script; $1 is the file.
func edits(t *testing.T, r *gittest.Repo, script string) *term.Env {
	t.Helper()
	env := terminalEnv(r)
	env.Interactive, env.Colour = true, false
	editor := filepath.Join(t.TempDir(), "my editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env.Environ = append(env.Environ, "GIT_EDITOR='"+editor+"'")
	t.Setenv("TMPDIR", t.TempDir())
	return env
}

// left lists the files that were kept of an edit.
func left(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "git-ralph-*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

const (
	editedTask  = `{"t": "task", "id": "t-1a2b", "spec": "coverage.md", "name": "Parse", "notes": "a\nb", "s": "p", "priority": "low", "x": 1.0}`
	editedIssue = `{"t": "issue", "id": "i-1a2b", "spec": "coverage.md", "desc": "Found"}`
)

// TestEditInEditor guards: without a field, on a terminal, git's editor is opened, and exactly what was changed
// there is set. A file that is unchanged or emptied changes nothing.
func TestEditInEditor(t *testing.T) {
	for _, it := range []struct {
		name, id, script string
		code             int
		want             string // the record afterwards
	}{
		{"a field", "task t-1a2b", `sed -i.bak 's/"low"/"high"/' "$1"; rm "$1.bak"`, cmdline.ExitDone, strings.Replace(editedTask, "low", "high", 1)},
		{"a field that was absent", "task t-1a2b", `sed -i.bak 's/"labels": \[\]/"labels": ["ci"]/' "$1"; rm "$1.bak"`, cmdline.ExitDone, strings.Replace(editedTask, `, "x"`, `, "labels": ["ci"], "x"`, 1)},
		{"emptied and removed fields", "task t-1a2b", `grep -v '"x"' "$1" | sed -e 's/"low"/""/' -e 's/a\\nb/c/' -e 's/"coverage.md",/"coverage.md"/' >"$1.new"; mv "$1.new" "$1"`, cmdline.ExitDone, `{"t": "task", "id": "t-1a2b", "spec": "coverage.md", "name": "Parse", "notes": "c", "s": "p"}`},
		{"an issue", "issue i-1a2b", `sed -i.bak 's/Found/Lost/' "$1"; rm "$1.bak"`, cmdline.ExitDone, strings.Replace(editedIssue, "Found", "Lost", 1)},
		{"nothing", "task t-1a2b", `:`, cmdline.ExitNothing, editedTask},
		{"an empty file", "task t-1a2b", `: >"$1"`, cmdline.ExitNothing, editedTask},
		{"a blank file", "task t-1a2b", `echo >"$1"`, cmdline.ExitNothing, editedTask},
		{"the editor fails", "task t-1a2b", `echo changed >"$1"; exit 1`, cmdline.ExitFailed, editedTask},
	} {
		t.Run(it.name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			commitPlan(r, specRow, editedIssue, editedTask)
			env := edits(t, r, it.script)
			kind, id, _ := strings.Cut(it.id, " ")
			out, errs, code := runIn(t, env, kind, "edit", id)
			if code != it.code {
				t.Errorf("exit code %d, want %d: %s%s", code, it.code, out, errs)
			}
			if plan := r.Git("show", "HEAD:ralph/plan.jsonl"); !strings.Contains(plan+"\n", it.want+"\n") {
				t.Errorf("no %s in\n%s", it.want, plan)
			}
			if files := left(t); files != nil {
				t.Errorf("%q is left", files)
			}
		})
	}
}

// TestInvalidEditIsKept guards: what cannot be set is reported, and the text is kept.
func TestInvalidEditIsKept(t *testing.T) {
	for _, it := range []struct{ script, want string }{
		{`sed -i.bak 's/"low"/"urgent"/' "$1"; rm "$1.bak"`, `error: field "priority" is "urgent", expected one of high, medium, low`},
		{`sed -i.bak 's/"low",/"low"/' "$1"; rm "$1.bak"`, `invalid JSON`},
		{`echo '{"s": "d"}' >>"$1"`, `invalid JSON: unexpected`},
		{`echo '{"done_at": "x"}' >"$1"`, `error: field "`},
	} {
		r := gittest.NewRepo(t)
		commitPlan(r, specRow, editedTask)
		_, errs, code := runIn(t, edits(t, r, it.script), "task", "edit", "t-1a2b")
		files := left(t)
		if code == cmdline.ExitDone || !strings.Contains(errs, it.want) || len(files) != 1 || !strings.Contains(errs, "hint: your text is kept in "+files[0]) {
			t.Errorf("%s: exit code %d, %q left:\n%s", it.script, code, files, errs)
		}
		if plan := r.Git("show", "HEAD:ralph/plan.jsonl"); !strings.Contains(plan, editedTask) {
			t.Errorf("%s: the plan is\n%s", it.script, plan)
		}
	}
}

// TestNoEditorWithoutTerminal guards: without a terminal and without a field, the command line is wrong.
func TestNoEditorWithoutTerminal(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, editedTask)
	env := edits(t, r, "exit 9")
	env.Interactive = false
	if _, errs, code := runIn(t, env, "task", "edit", "t-1a2b"); code != cmdline.ExitUsage || !strings.Contains(errs, "missing field") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestEditsInTwoEditors guards: where the record changed since the editor was opened, the edits of both are merged as those
// of two branches are; where they do not merge, or the record is gone, nothing is changed and the text is kept. Nothing that
// anybody wrote is lost.
func TestEditsInTwoEditors(t *testing.T) {
	const (
		opened = `{"t": "task", "id": "t-1a2b", "spec": "coverage.md", "name": "Parse", "notes": "Read the file. Then print it.", "deps": ["t-0000"], "s": "p", "priority": "low", "meta": {"a": 1, "b": 1}}`
		dep    = `{"t": "task", "id": "t-0000", "spec": "coverage.md", "name": "First", "s": "p"}`
	)
	replaced := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(opened) }
	for _, it := range []struct {
		name   string
		theirs string // the line of the plan that somebody else commits meanwhile
		script string // of the editor: what is replaced
		code   int
		want   string // the line afterwards
		says   string
	}{
		{
			"other fields", replaced("low", "high"), `s/Parse/Scan/`, cmdline.ExitDone,
			replaced("low", "high", "Parse", "Scan"), "",
		},
		{
			"other words of one text", replaced("the file", "the whole file"), `s/print it/print all of it/`, cmdline.ExitDone,
			replaced("the file", "the whole file", "print it", "print all of it"), "warning: t-1a2b was changed meanwhile; the edits of notes are merged",
		},
		{
			"other members of one object", replaced(`"a": 1`, `"a": 2`), `s/"b": 1/"b": 2/`, cmdline.ExitDone,
			replaced(`"a": 1, "b": 1`, `"a": 2, "b": 2`), "the edits of meta are merged",
		},
		{
			"the same", replaced("low", "high"), `s/low/high/`, cmdline.ExitNothing,
			replaced("low", "high"), "error: t-1a2b already has that value",
		},
		{
			"the same words", replaced("the file", "their file"), `s/the file/my file/`, cmdline.ExitFailed,
			replaced("the file", "their file"), "error: t-1a2b was changed meanwhile, and the edits of notes do not merge",
		},
		{
			"one of two values", replaced("low", "high"), `s/low/medium/`, cmdline.ExitFailed,
			replaced("low", "high"), "the edits of priority do not merge",
		},
		{
			"the field is cleared", replaced(`"notes": "Read the file. Then print it.", `, ""), `s/the file/my file/`, cmdline.ExitFailed,
			replaced(`"notes": "Read the file. Then print it.", `, ""), "the edits of notes do not merge",
		},
		{
			"the task is gone", dep, `s/the file/my file/`, cmdline.ExitFailed,
			dep, "error: t-1a2b left the plan meanwhile",
		},
		{
			"another task has the id", replaced(`"s": "p"`, `"s": "p", "created_at": "2026-01-02T03:04:05.000Z"`), `s/the file/my file/`, cmdline.ExitFailed,
			"", "error: t-1a2b left the plan meanwhile",
		},
	} {
		t.Run(it.name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			line := opened
			if it.name == "another task has the id" {
				line = replaced(`"s": "p"`, `"s": "p", "created_at": "2025-01-02T03:04:05.000Z"`)
			}
			commitPlan(r, specRow, dep, line)
			r.WriteFile("theirs", strings.Join([]string{specRow, dep, it.theirs, ""}, "\n"))
			if it.theirs == dep {
				r.WriteFile("theirs", specRow+"\n"+dep+"\n")
			}
			env := edits(t, r, `cp theirs ralph/plan.jsonl && git commit -q -m theirs ralph/plan.jsonl; sed '`+it.script+`' "$1" >"$1.new" && mv "$1.new" "$1"`)
			_, errs, code := runIn(t, env, "task", "edit", "t-1a2b")
			if code != it.code || !strings.Contains(errs, it.says) {
				t.Errorf("exit code %d, want %d and %q:\n%s", code, it.code, it.says, errs)
			}
			if plan := r.Git("show", "HEAD:ralph/plan.jsonl"); !strings.Contains(plan+"\n", it.want+"\n") {
				t.Errorf("no %s in\n%s", it.want, plan)
			}
			files := left(t)
			if kept := len(files) == 1 && strings.Contains(errs, "hint: your text is kept in "+files[0]); kept != (it.code != cmdline.ExitDone) {
				t.Errorf("%q is left:\n%s", files, errs)
			}
		})
	}
}
