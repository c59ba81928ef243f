// Manpages writes the manual pages of git ralph, made from its command tree, into
// a directory: `manpages DIR`. make man and install.sh run it; no shipped program
// contains it.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
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

// dateOf is the date of the pages: today's, or that of epoch, in seconds since 1970, for who builds them again.
func dateOf(epoch string) (string, error) {
	date := time.Now()
	if epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return "", fmt.Errorf("SOURCE_DATE_EPOCH is %q, not a number of seconds since 1970", epoch)
		}
		date = time.Unix(seconds, 0)
	}
	return date.UTC().Format(time.DateOnly), nil
}

func writePages(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot make %s: %w", dir, term.ReasonOf(err))
	}
	date, err := dateOf(os.Getenv("SOURCE_DATE_EPOCH"))
	if err != nil {
		return err
	}
	for _, p := range pagesOf(cli.NewApp(&term.Env{})) {
		path := filepath.Join(dir, p.name()+".1")
		if err := os.WriteFile(path, []byte(p.roff(version, date)), 0o666); err != nil {
			return fmt.Errorf("cannot write %s: %w", path, term.ReasonOf(err))
		}
	}
	return nil
}
