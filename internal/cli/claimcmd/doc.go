// Package claimcmd has the commands that say who works on a task: claim, its subcommands, and unclaim.
package claimcmd
