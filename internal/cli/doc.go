// Package cli is what users see of git ralph: its commands, their help, what
// they print, and how errors become words and exit codes.
//
// Main takes a command line apart (cmdline), lets urfave/cli run the command
// that it names, and reports the outcome (report.go). A command is a file of plancmd,
// historycmd, runcmd, mergecmd or setupcmd with three parts: an options struct, a
// constructor that only parses, and a run method that only acts. What a command needs
// from outside is in a term.Env, so every one of them can be run in a test.
//
// Results go to standard output, everything else to standard error. Text that
// comes from a plan, a branch or a commit is made printable before it reaches a
// terminal (docs/promises.md, "Output").
package cli
