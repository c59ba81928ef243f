package git

import (
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/git/config"
)

// Operations reads which git operation is in progress in the worktree.
type Operations struct{ repo *Repo }

// Operations returns a reader of the operation in progress.
func (r *Repo) Operations() Operations { return Operations{r} }

// Current returns the operation in progress: "merge", "rebase", "cherry-pick", "revert", "am", "bisect", "commit" (this process
// is a hook of a commit that includes more than what is staged), or "" for none. It reads the same files as `git status`.
func (o Operations) Current() string {
	if o.commitsOtherIndex() {
		return "commit"
	}
	return o.Unfinished()
}

// Unfinished is Current without "commit". It is for hooks, which always run during a commit.
func (o Operations) Unfinished() string {
	switch {
	case o.has("rebase-apply/applying"):
		return "am"
	case o.has("rebase-merge"), o.has("rebase-apply"):
		return "rebase"
	case o.has("MERGE_HEAD"):
		return "merge"
	case o.has("CHERRY_PICK_HEAD"):
		return "cherry-pick"
	case o.has("REVERT_HEAD"):
		return "revert"
	case o.has("sequencer/todo"):
		return o.sequence()
	case o.has("BISECT_LOG"):
		return "bisect"
	}
	return ""
}

// Squashes reports whether the next commit is to record what `git merge --squash` staged.
func (o Operations) Squashes() bool { return o.has("SQUASH_MSG") }

// RebaseRewrites reports whether the rebase in progress recreates commits, so that post-rewrite runs at its end. A
// fast-forward does not: its lists contain no commits.
func (o Operations) RebaseRewrites() bool {
	if !o.has("rebase-merge/git-rebase-todo") {
		return true // the apply backend keeps no such lists
	}
	for _, list := range []string{"git-rebase-todo", "done"} {
		text, _ := os.ReadFile(filepath.Join(o.repo.gitDir, "rebase-merge", list)) // done exists from the first step on
		for line := range strings.Lines(string(text)) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch word {
			case "pick", "p", "reword", "r", "edit", "e", "squash", "s", "fixup", "f", "merge", "m":
				return true
			}
		}
	}
	return false
}

// sequence returns the command whose list of commits is not finished: "cherry-pick" or "revert".
func (o Operations) sequence() string {
	todo, err := os.ReadFile(filepath.Join(o.repo.gitDir, "sequencer", "todo"))
	if err == nil && len(todo) > 0 && todo[0] == 'r' {
		return "revert"
	}
	return "cherry-pick"
}

func (o Operations) has(name string) bool {
	_, err := os.Lstat(filepath.Join(o.repo.gitDir, filepath.FromSlash(name)))
	return err == nil
}

// commitsOtherIndex reports whether this process is a hook of a commit that git makes from a temporary index, as for
// `git commit -a` and `git commit <path>`.
func (o Operations) commitsOtherIndex() bool {
	name, ok := config.Getenv(o.repo.git.Env, "GIT_INDEX_FILE")
	if !ok || name == "" || filepath.Dir(name) != o.repo.gitDir {
		return false
	}
	base := filepath.Base(name)
	return base == "index.lock" || strings.HasPrefix(base, "next-index-")
}
