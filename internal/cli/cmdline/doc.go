// Package cmdline reads a command line against the command tree, prints help from it,
// and holds what every command shares of it: flags, usage errors, exit codes.
package cmdline
