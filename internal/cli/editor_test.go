package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/git/gittest"
)

// edits is a user at a terminal whose editor is a shell script; $1 is the file.
func edits(t *testing.T, r *gittest.Repo, script string) *Env {
	t.Helper()
	env := terminalEnv(r)
	env.Asks, env.Colour = true, false
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
		{"a field", "task t-1a2b", `sed -i.bak 's/"low"/"high"/' "$1"; rm "$1.bak"`, exitDone, strings.Replace(editedTask, "low", "high", 1)},
		{"a field that was absent", "task t-1a2b", `sed -i.bak 's/"labels": \[\]/"labels": ["ci"]/' "$1"; rm "$1.bak"`, exitDone, strings.Replace(editedTask, `, "x"`, `, "labels": ["ci"], "x"`, 1)},
		{"emptied and removed fields", "task t-1a2b", `grep -v '"x"' "$1" | sed -e 's/"low"/""/' -e 's/a\\nb/c/' -e 's/"coverage.md",/"coverage.md"/' >"$1.new"; mv "$1.new" "$1"`, exitDone, `{"t": "task", "id": "t-1a2b", "spec": "coverage.md", "name": "Parse", "notes": "c", "s": "p"}`},
		{"an issue", "issue i-1a2b", `sed -i.bak 's/Found/Lost/' "$1"; rm "$1.bak"`, exitDone, strings.Replace(editedIssue, "Found", "Lost", 1)},
		{"nothing", "task t-1a2b", `:`, exitNothing, editedTask},
		{"an empty file", "task t-1a2b", `: >"$1"`, exitNothing, editedTask},
		{"a blank file", "task t-1a2b", `echo >"$1"`, exitNothing, editedTask},
		{"the editor fails", "task t-1a2b", `echo changed >"$1"; exit 1`, exitFailed, editedTask},
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
		if code == exitDone || !strings.Contains(errs, it.want) || len(files) != 1 || !strings.Contains(errs, "hint: your text is kept in "+files[0]) {
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
	env.Asks = false
	if _, errs, code := runIn(t, env, "task", "edit", "t-1a2b"); code != exitUsage || !strings.Contains(errs, "give a field") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}
