package commit_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/test/gittest"
)

// formats is a pre-commit hook as formatters have it: it rewrites what is about to be committed and stages it again.
const formats = `for f in $(git diff --cached --name-only --diff-filter=d); do
  tr a-z A-Z <"$f" >"$f.new" && cat "$f.new" >"$f" && rm "$f.new" && git add -- "$f"
done
`

// TestFormattingHook guards: after a commit of paths neither index nor worktree differ from HEAD where a hook formatted and
// staged what is committed, or added files to it; what the user has staged or changed stays as it is.
func TestFormattingHook(t *testing.T) {
	for name, c := range map[string]struct {
		work  string // before the commit
		hook  string
		paths []string
		left  string // git status after it
	}{
		"changed":               {"echo b >k", formats, []string{"k"}, ""},
		"new":                   {"echo b >new", formats, []string{"new"}, ""},
		"new and changed":       {"echo b >new; echo b >k", formats, []string{"new", "k"}, ""},
		"staged in part":        {"echo b >k; git add k; echo c >k", formats, []string{"k"}, ""},
		"back to what it was":   {"echo b >k; echo c >new", formats + "git show HEAD:k >k; git add k", []string{"k", "new"}, ""},
		"out of the index":      {"git rm -q --cached k; echo c >new", formats, []string{"k", "new"}, "?? k"},
		"renamed":               {"git mv k l; echo b >l", formats, []string{"k", "l"}, ""},
		"a file of the hook":    {"echo b >k", "echo made >made; git add made", []string{"k"}, ""},
		"a change of the hook":  {"echo b >k", "echo more >open; git add open", []string{"k"}, ""},
		"staged by the user":    {"echo b >k; echo x >mine; git add mine; echo y >open", formats, []string{"k"}, "M  mine\n M open"},
		"in the hook's way":     {"echo b >k; echo x >mine; git add mine", formats + "echo other >mine; git add mine", []string{"k"}, "MM mine"},
		"a hook without stages": {"echo b >k", "echo c >k", []string{"k"}, " M k"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.NewRepo(t)
			r.Commit("first", map[string]string{"k": "A\n", "mine": "1\n", "open": "1\n"})
			r.WriteFile(".git/hooks/pre-commit", "#!/bin/sh\n"+c.hook)
			if err := os.Chmod(r.Path(".git/hooks/pre-commit"), 0o777); err != nil {
				t.Fatal(err)
			}
			if out, err := r.Run("sh", "-c", c.work); err != nil {
				t.Fatal(err, out)
			}
			if _, err := commit.ThroughGit(context.Background(), mustOpen(t, r), "m\n", commit.Options{}, c.paths...); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimRight(r.Git("-c", "core.quotePath=false", "status", "--porcelain", "--no-renames"), "\n"); got != c.left {
				t.Errorf("left\n%s\nwant\n%s", got, c.left)
			}
		})
	}
}
