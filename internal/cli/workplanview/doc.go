// Package workplanview says how a workplan and its worktree are at one moment, for the loops that work it off.
package workplanview
