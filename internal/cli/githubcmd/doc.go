// Package githubcmd has the commands of git-ralph-ui that talk to GitHub.
package githubcmd
