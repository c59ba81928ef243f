package git

import (
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/git/config"
)

// Operations are what the worktree can be in the middle of.
type Operations struct{ repo *Repo }

// Operations returns what the worktree is in the middle of.
func (r *Repo) Operations() Operations { return Operations{r} }

// Current returns what the worktree is in the middle of: "merge", "rebase", "cherry-pick", "revert", "am", "bisect",
// "commit" (this is a hook of one that takes more than what is staged), or "" for nothing. It reads the same files as
// `git status`.
func (o Operations) Current() string {
	if o.commitsOtherIndex() {
		return "commit"
	}
	return o.Unfinished()
}

// Unfinished is Current for a hook, which is in the middle of a commit anyhow: what it leaves out is "commit".
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

// Squashes reports whether the next commit is to be one of what `git merge --squash` brought in.
func (o Operations) Squashes() bool { return o.has("SQUASH_MSG") }

// RebaseRewrites reports whether the rebase in progress recreated commits, or has some to make, so that post-rewrite runs
// at its end. A fast-forward has none: its lists hold no commits.
func (o Operations) RebaseRewrites() bool {
	if !o.has("rebase-merge/git-rebase-todo") {
		return true // the other back end keeps no such lists
	}
	for _, list := range []string{"git-rebase-todo", "done"} {
		text, _ := os.ReadFile(filepath.Join(o.repo.gitDir, "rebase-merge", list)) // done is there from the first step on
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

// sequence returns which command left a list of commits to go through, between two of them.
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

// commitsOtherIndex reports whether this is a hook of a commit that git makes from an index of its own, as it does for
// `git commit -a` and `git commit <path>`.
func (o Operations) commitsOtherIndex() bool {
	name, ok := config.Getenv(o.repo.git.Env, "GIT_INDEX_FILE")
	if !ok || name == "" || filepath.Dir(name) != o.repo.gitDir {
		return false
	}
	base := filepath.Base(name)
	return base == "index.lock" || strings.HasPrefix(base, "next-index-")
}
