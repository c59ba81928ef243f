// Package cli holds the command tree of git ralph, and turns errors into messages and exit
// codes.
//
// Main parses a command line (cmdline), lets urfave/cli run the command
// that it names, and reports the outcome (report.go). A command is a file of plancmd,
// claimcmd, historycmd, evidencecmd, landcmd, runcmd, mergecmd or setupcmd with three parts: an options struct, a
// constructor that only parses, and a run method that only acts. What a command needs
// from outside is in a term.Env, so that every command can be run in a test.
//
// Results go to standard output, everything else to standard error. Text that
// comes from a plan, a branch or a commit is made printable before it reaches a
// terminal (docs/promises.md, "Output").
package cli
