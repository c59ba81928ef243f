package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/test/gittest"
)

// noWriter is a standard output that cannot be written to.
type noWriter struct{}

func (noWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestHookAlwaysSucceeds guards: where an answer cannot be written, the hook reports that to nobody, and exits with 0.
func TestHookAlwaysSucceeds(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile("ralph/plan.jsonl", hostile)
	env := terminalEnv(r)
	env.In = strings.NewReader(`{"session_id": "s"}`)
	var errs bytes.Buffer
	env.Out, env.Err = noWriter{}, &errs
	if code := Main(context.Background(), []string{"git-ralph", "agent", "hook", "claude", "SessionStart"}, env); code != cmdline.ExitDone || errs.Len() > 0 {
		t.Errorf("exit %d: %s", code, &errs)
	}
}

// TestHookFindsThePlanOfTheFile guards: a tool does not write the plan by hand, whatever directory the agent is in and by whatever
// name; ralph.agentEdits of the plan's own repository permits it.
func TestHookFindsThePlanOfTheFile(t *testing.T) {
	r, other := gittest.NewRepo(t), gittest.NewRepo(t)
	r.Commit("plan", map[string]string{"ralph/plan.jsonl": hostile})
	r.Git("worktree", "add", "-q", "w")
	if err := errors.Join(os.Symlink("ralph/plan.jsonl", r.Path("link")), os.Link(r.Path("ralph/plan.jsonl"), r.Path("second"))); err != nil {
		t.Skip(err)
	}
	denied := func(dir, file string) bool {
		env := terminalEnv(r)
		env.Dir = dir
		env.In = strings.NewReader(`{"session_id": "s", "tool_input": {"file_path": ` + string(jsonl.Quote(file)) + `}}`)
		out, errs, code := runIn(t, env, "agent", "hook", "claude", "PreToolUse")
		if code != cmdline.ExitDone || errs != "" {
			t.Errorf("%s in %s: exit %d, %s", file, dir, code, errs)
		}
		return strings.Contains(out, `"permissionDecision": "deny"`)
	}
	for _, row := range []struct {
		dir, file string
		want      bool
	}{
		{r.Dir, "link", true},
		{r.Dir, "second", true},
		{r.Dir, r.Path("w/ralph/plan.jsonl"), true},
		{r.Path("w"), r.Path("ralph/plan.jsonl"), true},
		{other.Dir, r.Path("ralph/plan.jsonl"), true},
		{t.TempDir(), r.Path("ralph/plan.jsonl"), true},
		{r.Dir, "w/README", false},
		{r.Dir, "missing/ralph/plan.jsonl", false},
		{r.Dir, ".git/ralph/plan.jsonl", false},
		{r.Dir, other.Path("ralph/plan.jsonl"), false},
	} {
		if denied(row.dir, row.file) != row.want {
			t.Errorf("%s in %s: want %v", row.file, row.dir, row.want)
		}
	}
	other.Git("config", "ralph.agentEdits", "allow")
	if !denied(other.Dir, r.Path("ralph/plan.jsonl")) {
		t.Error("another repository permits it")
	}
	r.Git("config", "ralph.agentEdits", "allow")
	if denied(other.Dir, r.Path("ralph/plan.jsonl")) {
		t.Error("the repository does not permit it")
	}
}
