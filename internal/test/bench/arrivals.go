package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// quickHook is how many milliseconds more than a Go hello-world a hook may take after a merge or checkout.
const quickHook = 4

// arrivals: what the hooks after a checkout, a merge and a rebase take, by themselves. There is nothing for them to say.
func (l *lab) arrivals(ctx context.Context, dir string) ([]row, error) {
	hello, err := l.hello(ctx)
	if err != nil {
		return nil, err
	}
	code, after, before, err := l.comeAndGo(ctx, dir)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, it := range []struct {
		what string
		args []string
	}{
		{"post-checkout, plan as it was", []string{"post-checkout", code, after, "1"}},
		{"post-checkout, plan changed", []string{"post-checkout", before, "HEAD", "1"}},
		{"post-merge, plan changed", []string{"post-merge", "0"}},
		{"post-rewrite, plan changed", []string{"post-rewrite", "rebase"}},
	} {
		hook := proc.Cmd{Name: filepath.Join(dir, ".git", "hooks", it.args[0]), Args: it.args[1:], Dir: dir}
		r, err := l.over(ctx, it.what+" : hello-world", quickHook, l.runs, contender{cmd: hook}, contender{cmd: proc.Cmd{Name: hello, Dir: l.dir}})
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// comeAndGo makes a commit of code and, on two sides of a merge, commits of the plan. It gives the commits before and after
// the first, and before the merge.
func (l *lab) comeAndGo(ctx context.Context, dir string) (code, after, before string, err error) {
	git := func(args ...string) string {
		if err != nil {
			return ""
		}
		var res proc.Result
		args = append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)
		res, err = proc.Run(ctx, proc.Cmd{Name: "git", Args: args, Dir: dir, Env: l.withPath(filepath.Dir(l.bin))})
		return strings.TrimSpace(string(res.Stdout))
	}
	change := func(n int) {
		if err == nil {
			err = addTask(dir, n)
		}
		git("commit", "-q", "-a", "-m", "plan")
	}
	code = git("rev-parse", "HEAD")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, fileName(2)), []byte("comes and goes\n"), 0o600)
	}
	git("commit", "-q", "-a", "-m", "code")
	after = git("rev-parse", "HEAD")
	git("checkout", "-q", "-B", "side")
	change(planTasks + 9001)
	git("checkout", "-q", "-")
	change(planTasks + 9002)
	before = git("rev-parse", "HEAD")
	git("update-ref", "ORIG_HEAD", before)
	git("merge", "-q", "--no-edit", "side")
	return code, after, before, err
}
