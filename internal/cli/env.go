package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/store"
)

// An Env is everything that a command takes from outside.
type Env struct {
	Dir      string    // the folder that the user is in
	Environ  []string  // KEY=value
	In       io.Reader // standard input
	Out      io.Writer // standard output: results
	Err      io.Writer // standard error: everything else
	Terminal bool      // Out is a terminal, or a pager that shows on one
	Paged    bool      // Out is a pager that git has started
	Asks     bool      // In is one too: somebody is there who can be asked
	Width    int       // of the terminal, in columns
	Colour   bool      // Out takes colour
	Now      func() time.Time
	Random   func(n int) int // a random number from 0 to n-1
	Version  string

	// WidthNow is Width for what is drawn for hours, while the terminal may be
	// resized; nil or 0 where it does not change.
	WidthNow func() int

	tty io.Writer // Out as it came, for programs that are to write there

	// Interruptible returns a context that a signal cancels, with an *Interrupt
	// as its cause; nil leaves signals alone.
	Interruptible func(context.Context) (ctx context.Context, stop func())

	// Undisturbed lets interrupts pass us by until rest is called; nil leaves them
	// alone. A Ctrl-C in a pager is the pager's.
	Undisturbed func() (rest func())

	// Outlives lets us go on when whoever reads Out ends, until rest is called; nil
	// leaves that alone. Writing fails then.
	Outlives func() (rest func())

	// Stops is Interruptible for what takes hours: the first interrupt closes
	// soft, so that what is under way is finished; the second one, and other
	// signals, cancel the context. Nil leaves signals alone.
	Stops func(context.Context) (hard context.Context, soft <-chan struct{}, stop func())

	answers *bufio.Reader // In, where questions are asked
}

// defaultWidth is that of a terminal which does not tell its own.
const defaultWidth = 80

// NewEnv is the environment of this process.
func NewEnv(version string) (*Env, error) {
	dir, err := os.Getwd()
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New("the current directory was deleted: `cd` to one that exists")
		}
		return nil, fmt.Errorf("cannot find the current directory: %w", err)
	}
	env := &Env{
		Dir: dir, Environ: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Now: time.Now, Random: rand.IntN, Version: version, Width: defaultWidth,
	}
	if env.Paged = isTrue(env.Getenv(pagerInUse)); env.Paged {
		env.showThroughPager()
		return env, nil
	}
	if width, ok := terminal(os.Stdout); ok {
		env.Terminal = true
		env.WidthNow = func() int { width, _ := terminal(os.Stdout); return width }
		_, env.Asks = terminal(os.Stdin)
		env.Colour = env.wantsColour()
		if width > 0 {
			env.Width = width
		}
	}
	return env, nil
}

// pagerInUse is the variable by which git says that it has started a pager.
const pagerInUse = "GIT_PAGER_IN_USE"

// showThroughPager prepares for a pager that git has started, as by git -p. What
// we start is not shown by it and must not see the variable.
func (e *Env) showThroughPager() {
	e.Environ = slices.DeleteFunc(e.Environ, func(variable string) bool { return strings.HasPrefix(variable, pagerInUse+"=") })
	e.Terminal, e.Colour = true, e.wantsColour()
	if width, ok := terminal(os.Stderr); ok && width > 0 {
		e.Width = width
	} else if width, err := strconv.Atoi(e.Getenv("COLUMNS")); err == nil && width > 0 {
		e.Width = width
	}
}

func (e *Env) wantsColour() bool { return e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb" }

// isTrue reads a variable as git does.
func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// Getenv returns a variable of the environment, the last one where several have
// the name.
func (e *Env) Getenv(key string) string {
	for i := len(e.Environ) - 1; i >= 0; i-- {
		if value, found := strings.CutPrefix(e.Environ[i], key+"="); found {
			return value
		}
	}
	return ""
}

// apply obeys the flags that stand before a command.
func (e *Env) apply(dirs []string, noColour bool) error {
	for _, dir := range dirs {
		if dir == "" {
			continue // as git takes it
		}
		e.Dir = e.path(dir)
		if info, err := os.Stat(e.Dir); err != nil {
			return fmt.Errorf("cannot change to %s: %w", dir, reasonOf(err))
		} else if !info.IsDir() {
			return fmt.Errorf("cannot change to %s: not a folder", dir)
		}
	}
	if noColour {
		e.Colour = false
	}
	return nil
}

// path returns the place of a file that the user named.
func (e *Env) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

// open opens the plan of the user's worktree, and ends what a killed run left there: an agent that nobody watches any more
// would go on changing what the command is about to read.
func (e *Env) open(ctx context.Context) (*store.Store, error) {
	st, err := store.Open(ctx, store.Options{
		Dir: e.Dir, Environ: e.Environ, Now: e.Now, Random: e.Random,
		Err: e.Err, Known: e.knownIDs,
	})
	if err == nil {
		e.endLeft(st)
	}
	return st, err
}

// warn tells the user something that is no error.
func (e *Env) warn(text string) { e.say("warning", text) }

// hint tells the user what to do.
func (e *Env) hint(text string) { e.say("hint", text) }

// say writes lines to standard error, each with the program's name and what
// sort of message it is. Empty ones, which git's own messages have, are left
// out.
func (e *Env) say(sort, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		fmt.Fprintf(e.Err, "git-ralph: %s: %s\n", sort, printable(line))
	}
}
