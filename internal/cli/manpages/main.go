// Manpages writes the manual pages of git ralph, made from its command tree, into
// a directory: `manpages DIR`. make man and install.sh run it; no shipped program
// contains it.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// version is set by the linker.
var version string

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, errs io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(errs, "usage: manpages DIR")
		return cmdline.ExitUsage
	}
	if err := writePages(args[0]); err != nil {
		fmt.Fprintln(errs, "manpages: error:", err)
		return cmdline.ExitFailed
	}
	return cmdline.ExitDone
}

func writePages(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot make %s: %w", dir, term.ReasonOf(err))
	}
	date := time.Now().UTC().Format(time.DateOnly)
	for _, p := range pagesOf(cli.NewApp(&term.Env{})) {
		path := filepath.Join(dir, p.name()+".1")
		if err := os.WriteFile(path, []byte(p.roff(version, date)), 0o666); err != nil {
			return fmt.Errorf("cannot write %s: %w", path, term.ReasonOf(err))
		}
	}
	return nil
}
