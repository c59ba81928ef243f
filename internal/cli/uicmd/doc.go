// Package uicmd has the commands that need heavy packages: package initialisations, allocations and bytes that no other command
// should pay for. In git-ralph they are names, flags and help, and run git-ralph-ui in git-ralph's place; git-ralph-ui has the same
// commands, and does what they say.
package uicmd
