package git

import (
	"os"
	"path/filepath"
	"strings"
)

// Operation tells what the worktree is in the middle of: "merge", "rebase", "cherry-pick", "revert", "am", "bisect",
// "commit" (this is a hook of one that takes more than what is staged), or "" for nothing. It reads the same files as
// `git status`.
func (r *Repo) Operation() string {
	if r.commitsOtherIndex() {
		return "commit"
	}
	return r.Unfinished()
}

// Unfinished is Operation for a hook, which is in the middle of a commit anyhow: what it leaves out is "commit".
func (r *Repo) Unfinished() string {
	switch {
	case r.has("rebase-apply/applying"):
		return "am"
	case r.has("rebase-merge"), r.has("rebase-apply"):
		return "rebase"
	case r.has("MERGE_HEAD"):
		return "merge"
	case r.has("CHERRY_PICK_HEAD"):
		return "cherry-pick"
	case r.has("REVERT_HEAD"):
		return "revert"
	case r.has("sequencer/todo"):
		return r.sequence()
	case r.has("BISECT_LOG"):
		return "bisect"
	}
	return ""
}

// Squashes tells whether the next commit is to be one of what `git merge --squash` brought in.
func (r *Repo) Squashes() bool { return r.has("SQUASH_MSG") }

// RebaseRewrites tells whether the rebase in progress made commits anew, or has some to make, so that post-rewrite runs
// at its end. A fast-forward has none: its lists hold no commits.
func (r *Repo) RebaseRewrites() bool {
	if !r.has("rebase-merge/git-rebase-todo") {
		return true // the other back end keeps no such lists
	}
	for _, list := range []string{"git-rebase-todo", "done"} {
		text, _ := os.ReadFile(filepath.Join(r.gitDir, "rebase-merge", list)) // done is there from the first step on
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

// sequence tells which command left a list of commits to go through, between two of them.
func (r *Repo) sequence() string {
	todo, err := os.ReadFile(filepath.Join(r.gitDir, "sequencer", "todo"))
	if err == nil && len(todo) > 0 && todo[0] == 'r' {
		return "revert"
	}
	return "cherry-pick"
}

func (r *Repo) has(name string) bool {
	_, err := os.Lstat(filepath.Join(r.gitDir, filepath.FromSlash(name)))
	return err == nil
}

// commitsOtherIndex tells whether this is a hook of a commit that git makes from an index of its own, as it does for
// `git commit -a` and `git commit <path>`.
func (r *Repo) commitsOtherIndex() bool {
	name, ok := getenv(r.env, "GIT_INDEX_FILE")
	if !ok || name == "" || filepath.Dir(name) != r.gitDir {
		return false
	}
	base := filepath.Base(name)
	return base == "index.lock" || strings.HasPrefix(base, "next-index-")
}
