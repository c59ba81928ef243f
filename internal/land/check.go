package land

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/mask"
	"git-ralph/internal/proc"
	"git-ralph/internal/safefile"
	"git-ralph/internal/worktree"
)

// checks runs the check of a landing, and finds out which branch makes it fail.
type checks struct {
	lander *lander
	tree   *worktree.Clean // nil before the first run
	passed map[string]bool // trees that passed in this run
	red    string          // the tree of a target's tip that failed
	output string          // the end of the last output
	broken bool            // git could not check out what was to be checked last; output says why
	noTip  string          // why nobody is to blame where red is not ""
}

// maxFlaky is how often a batch is tried again after the check gave different results for one tree.
const maxFlaky = 2

// What is shown of a check that fails, and kept as a reason: the end of its output, and the beginning of its command line.
const (
	maxReason  = 2000 // bytes
	maxLines   = 20
	maxCommand = 100 // characters
)

// choose returns the stack to publish, whose tree passed: that of all branches but those that make the check fail. Where it
// fails without any of them, it is the first branch with which it passes.
func (c *checks) choose(ctx context.Context, s *stack, batch []*branch) (*stack, error) {
	if c.lander.o.Check == "" {
		return s, nil
	}
	for flaky := 0; len(s.parts) > 0; {
		good, err := c.passes(ctx, s)
		if err != nil || good {
			return s, err
		}
		if good, err = c.tipPasses(ctx, s); err != nil {
			return nil, err
		} else if !good {
			return c.eachAlone(ctx, s, batch)
		}
		n, err := c.guilty(ctx, s)
		if err != nil {
			return nil, err
		}
		outcome, reason, err := c.judge(ctx, s, n)
		if err != nil {
			return nil, err
		}
		if outcome == "" {
			c.lander.result.Flaky = true
			if flaky++; flaky > maxFlaky {
				return s.prefix(n), nil
			}
			continue
		}
		s.parts[n-1].branch.refuse(outcome, reason)
		if s, err = c.lander.stackOf(ctx, open(batch)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// guilty returns how many branches of a failing stack are needed for the check to fail, by halving.
func (c *checks) guilty(ctx context.Context, s *stack) (int, error) {
	good, bad := 0, len(s.parts)
	for bad-good > 1 {
		middle := (good + bad) / 2
		passes, err := c.passes(ctx, s.prefix(middle))
		if err != nil {
			return 0, err
		}
		if passes {
			good = middle
		} else {
			bad = middle
		}
	}
	return bad, nil
}

// judge runs the check once more for the last of the first n branches alone, and says what is wrong with it: Failed, Together,
// or "" where the check gave different results for one tree, so that nobody is to blame.
func (c *checks) judge(ctx context.Context, s *stack, n int) (Outcome, string, error) {
	b := s.parts[n-1].branch
	alone, err := c.lander.stackOf(ctx, []*branch{b})
	if err != nil {
		return "", "", err
	}
	if len(alone.parts) > 0 {
		passes, err := c.run(ctx, alone)
		if err == nil && c.broken {
			return Unusable, c.output, nil
		}
		if err != nil || !passes {
			return Failed, c.output, err
		}
	}
	if n == 1 {
		return "", "", nil
	}
	passes, err := c.run(ctx, s.prefix(n))
	if err != nil || !passes {
		return Together, c.output, err
	}
	return "", "", nil
}

// tipPasses reports whether the check passes at the target's tip. A failure is remembered by tree.
func (c *checks) tipPasses(ctx context.Context, s *stack) (bool, error) {
	if c.red == s.start {
		return false, nil
	}
	passes, err := c.passes(ctx, s.prefix(0))
	if err == nil && !passes {
		c.red, c.noTip, c.lander.result.RedOutput = s.start, "the check fails without it, too", c.output
		if c.broken {
			c.noTip = "the target itself cannot be checked out: " + c.output
		}
	}
	return passes, err
}

// eachAlone returns the stack of the first branch that repairs a target which fails by itself. Nobody is blamed.
func (c *checks) eachAlone(ctx context.Context, s *stack, batch []*branch) (*stack, error) {
	c.lander.result.Red = true
	var left []*branch
	for _, b := range open(batch) {
		alone, err := c.lander.stackOf(ctx, []*branch{b})
		if err != nil {
			return nil, err
		}
		if len(alone.parts) == 0 {
			continue
		}
		if passes, err := c.passes(ctx, alone); err != nil || passes {
			return alone, err
		}
		left = append(left, b)
	}
	for _, b := range left {
		b.refuse(Undecided, c.noTip)
	}
	return s.prefix(0), nil
}

// passes is run for a tree that did not pass yet.
func (c *checks) passes(ctx context.Context, s *stack) (bool, error) {
	if c.passed[s.tree] {
		return true, nil
	}
	return c.run(ctx, s)
}

// run runs the check on a stack, in a worktree with nothing else in it.
func (c *checks) run(ctx context.Context, s *stack) (bool, error) {
	draft, err := (&merging{lander: c.lander}).draft(ctx, s.tree, append([]string{s.tip}, s.commits...))
	if err != nil {
		return false, err
	}
	if c.tree == nil {
		if c.tree, err = worktree.Open(ctx, c.lander.repo); err != nil {
			return false, err
		}
	}
	err = c.tree.Checkout(ctx, draft)
	if c.broken = isGits(ctx, err); c.broken {
		c.output = shorten(err.Error())
		return false, nil
	}
	if err != nil {
		return false, err
	}
	c.lander.result.Checks++
	c.lander.say("check %d: the target with %d of the branches", c.lander.result.Checks, len(s.parts))
	result, err := c.tree.Run(ctx, []string{"sh", "-c", c.lander.o.Check}, c.lander.repo.Git().Environ, c.lander.o.Limit)
	if err != nil {
		return false, err
	}
	if !result.Passed() {
		c.output = c.endOf(result)
		c.lander.result.Log = c.keep(result)
	}
	c.passed[s.tree] = result.Passed()
	return result.Passed(), nil
}

// endOf returns how a check ended, and the end of its output, without secrets.
func (c *checks) endOf(r worktree.Result) string {
	name := "the check `" + shortCommand(withoutSecrets(c.lander.o.Check)) + "`"
	how := fmt.Sprintf("%s ends with status %d", name, r.Exit)
	switch {
	case r.TimedOut:
		how = fmt.Sprintf("%s did not end within %v", name, c.lander.o.Limit)
	case r.Exit < 0:
		how = "a signal ended " + name
	}
	if shown := shorten(r.Text()); shown != "" {
		return how + ":\n" + shown
	}
	return how
}

// keep writes all of the output of a failed check, without secrets, into a file that has that of one run, and returns the file; "" where
// it cannot be written, which does not matter to the result.
func (c *checks) keep(r worktree.Result) string {
	dir := filepath.Join(c.lander.repo.CommonDir(), "ralph")
	if safefile.Write(dir, logName, []byte(withoutSecrets(r.Text())), 0o600) != nil {
		return ""
	}
	return filepath.Join(dir, logName)
}

// logName is the file with the output of the last check that failed.
const logName = "landing-check.log"

// shortCommand returns the beginning of a command line, on one line.
func shortCommand(line string) string {
	line = strings.Join(strings.Fields(line), " ")
	if runes := []rune(line); len(runes) > maxCommand {
		return string(runes[:maxCommand]) + "…"
	}
	return line
}

func withoutSecrets(text string) string { return mask.NewFull().Text(strings.ToValidUTF8(text, "?")) }

// shorten returns the last lines of a text, without secrets.
func shorten(text string) string {
	shown := strings.TrimSpace(withoutSecrets(text))
	if lines := strings.Split(shown, "\n"); len(lines) > maxLines {
		shown = "…\n" + strings.Join(lines[len(lines)-maxLines:], "\n")
	}
	if cut := len(shown) - maxReason; cut > 0 {
		for !utf8.RuneStart(shown[cut]) {
			cut++
		}
		shown = "…" + shown[cut:]
	}
	return shown
}

// isGits reports whether git ran and refused something, as it does with a file whose filter fails: that is the fault of what it was
// given. Else we could not run it, or were interrupted.
func isGits(ctx context.Context, err error) bool { return ctx.Err() == nil && proc.ExitCode(err) > 0 }

// close deletes the worktree.
func (c *checks) close() {
	if c.tree != nil {
		c.tree.Close() //nolint:errcheck // the next one deletes what is left
	}
}
