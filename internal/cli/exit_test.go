package cli

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/runcmd"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/loop"
	"git-ralph/internal/work"
)

// TestExitCodes guards: help and documents list the exit codes that there are, and no others.
func TestExitCodes(t *testing.T) {
	var every []int
	for _, c := range cmdline.ExitCodes() {
		every = append(every, c.Code)
	}
	ofWorkplans := append(
		slices.Clone(every),
		cmdline.ExitLimit, cmdline.ExitNoProgress, cmdline.ExitAgent, cmdline.ExitInterrupted, cmdline.ExitPipe,
	)
	ofRuns := slices.Sorted(slices.Values(append(slices.Clone(ofWorkplans), cmdline.ExitGate)))
	inHelp := regexp.MustCompile(`(?m)^  (\d+) +\S`)
	visitCommands(NewApp(&term.Env{}), func(path []*cli.Command, c *cli.Command) {
		known := every
		_, ending := cmdline.SplitManual(c.Description)
		status, _, _ := strings.Cut(ending, "EXAMPLES")
		codes := numbers(inHelp, status)
		switch name := cmdline.CommandName(path); name {
		case "git ralph github pr create", "git ralph github pr merge":
			if want := append(slices.Clone(every), cmdline.ExitNoProgress, cmdline.ExitGate); !slices.Equal(codes, slices.DeleteFunc(want, func(code int) bool { return code == cmdline.ExitNothing })) {
				t.Errorf("%s lists the exit codes %v", name, codes)
			}
		case "git ralph work", "git ralph team run", "git ralph hero", "git ralph build":
			if !slices.Equal(codes, ofRuns) {
				t.Errorf("%s lists the exit codes %v, want %v", name, codes, ofRuns)
			}
		case "git ralph plan", "git ralph workplan run":
			known = ofWorkplans
			fallthrough
		case "git ralph":
			if !slices.Equal(codes, known) {
				t.Errorf("%s lists the exit codes %v, want %v", name, codes, known)
			}
		default:
			for _, code := range codes {
				if !slices.Contains(known, code) {
					t.Errorf("%s lists the exit code %d", name, code)
				}
			}
		}
	})
	for path, row := range map[string]struct {
		in    *regexp.Regexp
		codes []int
	}{
		"../../docs/loop.md":     {regexp.MustCompile(`(?m)^\| (\d+) \|`), ofRuns},
		"../../docs/promises.md": {regexp.MustCompile(`(?:Exit status:|·) (\d) [a-z]`), every},
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if codes := numbers(row.in, string(text)); !slices.Equal(codes, row.codes) {
			t.Errorf("%s lists the exit codes %v, want %v", path, codes, row.codes)
		}
	}
}

// TestEveryEndHasItsCode guards: a run ends with 0 only where it is complete or has reached its goal.
func TestEveryEndHasItsCode(t *testing.T) {
	for why, want := range map[loop.Reason]int{
		loop.Complete: cmdline.ExitDone, loop.Reached: cmdline.ExitDone, loop.Nothing: cmdline.ExitNothing, loop.LimitHit: cmdline.ExitLimit,
		loop.NoProgress: cmdline.ExitNoProgress, loop.AgentFails: cmdline.ExitAgent, loop.NotPushed: cmdline.ExitFailed,
		loop.Interrupted: cmdline.ExitInterrupted, loop.Broken: cmdline.ExitFailed, work.Held: cmdline.ExitLocked, loop.Gate: cmdline.ExitGate,
		"one that nobody thought of": cmdline.ExitFailed,
	} {
		if code := codeForEnd(&runcmd.EndError{Why: why}); code != want {
			t.Errorf("%s: %d, want %d", why, code, want)
		}
	}
}

// numbers returns the first group of each match.
func numbers(in *regexp.Regexp, text string) []int {
	var all []int
	for _, match := range in.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(match[1])
		all = append(all, n)
	}
	return all
}
