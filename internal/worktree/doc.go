// Package worktree lists the worktrees of a repository, and runs commands on its commits in worktrees that hold the commit and nothing else.
//
// Each of the latter is linked to the repository and stands outside of it, in the system's directory for temporary files: tools
// look for their settings and modules in the directories above, and must not find the user's. It is used by one process at
// a time, under a lock in the git directory that names it; what a killed process left is deleted by the next one.
package worktree
