// Package hubcmd does what `git ralph hub` says, in git-ralph-ui.
package hubcmd
