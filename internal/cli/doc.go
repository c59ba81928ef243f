// Package cli is what users see of git ralph: its commands, their help, what
// they print, and how errors become words and exit codes.
//
// Main takes a command line apart (args.go), lets urfave/cli run the command
// that it names, and reports the outcome (exit.go). A command is a file with
// three parts: an options struct, a constructor that only parses, and a run
// method that only acts. What a command needs from outside stands in an Env,
// so every one of them can be run in a test.
//
// Results go to standard output, everything else to standard error. Text that
// comes from a plan, a branch or a commit is made printable before it reaches a
// terminal (docs/promises.md, "Speaking to people and programs").
package cli
