package term

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

	"git-ralph/internal/debuglog"
)

// An Env is everything that a command takes from outside.
type Env struct {
	Line        []string  // the command line, without the program's name
	Dir         string    // the directory that the user is in
	Environ     []string  // KEY=value
	In          io.Reader // standard input
	Out         io.Writer // standard output: results
	Err         io.Writer // standard error: everything else
	Terminal    bool      // Out is a terminal, or a pager that shows on one
	Paged       bool      // Out is a pager that git has started
	Interactive bool      // In and Out are terminals: questions can be asked
	Width       int       // of the terminal, in columns
	Colour      bool      // Out takes colour
	Now         func() time.Time
	Random      func(n int) int // a random number from 0 to n-1
	Version     string

	// LongLived is set where the process goes on after the command, so that its garbage collection is not the command's to tune.
	LongLived bool

	// Message takes the errors, warnings and hints that otherwise are lines on Err; nil there.
	Message func(sort, text string)

	// WidthNow is Width for what is drawn for hours, while the terminal may be
	// resized; nil or 0 where it does not change.
	WidthNow func() int

	// Debug records what happens, where somebody has asked for it; nil elsewhere, and before the repository was opened.
	Debug        *debuglog.Recorder
	DebugSession string       // the session that the events belong to, "" for one of this process
	Command      fmt.Stringer // the command that Line names; nil before that is known

	Changed string // what became of the change that the command made, "" where it made none

	Tty io.Writer // Out without a buffer, for programs that are to write there

	// ErrWidth returns the width of Err in columns, 0 where it is not a terminal; nil: it is not.
	ErrWidth func() int

	// Interruptible returns a context that a signal cancels, with an *Interrupt
	// as its cause. Where it is nil, signals are not caught.
	Interruptible func(context.Context) (ctx context.Context, stop func())

	// IgnoreInterrupts ignores SIGINT until restore is called, as a Ctrl-C in a pager is
	// the pager's. Where it is nil, signals are not caught.
	IgnoreInterrupts func() (restore func())

	// IgnoreBrokenPipe ignores SIGPIPE until restore is called: when the reader of Out ends,
	// writing fails. Where it is nil, signals are not caught.
	IgnoreBrokenPipe func() (restore func())

	// NotifyStop is Interruptible for what takes hours: the first interrupt closes
	// requested, so that the work under way is finished; the second one, and other
	// signals, cancel the context. Stop returns the signal that closed requested. Where
	// it is nil, signals are not caught.
	NotifyStop func(context.Context) (now context.Context, requested <-chan struct{}, stop func() os.Signal)

	answers *bufio.Reader // In, which answers questions
}

// DefaultWidth is that of a terminal that does not report its own.
const DefaultWidth = 80

// NewEnv returns the environment of this process. With an error, it has no directory, and is not for a terminal.
func NewEnv(version string) (*Env, error) {
	env := &Env{
		Environ: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Now: time.Now, Random: rand.IntN, Version: version, Width: DefaultWidth, ErrWidth: errWidth,
	}
	var err error
	if env.Dir, err = os.Getwd(); errors.Is(err, fs.ErrNotExist) {
		return env, errors.New("the current directory was deleted: `cd` to one that exists")
	} else if err != nil {
		return env, fmt.Errorf("cannot find the current directory: %w", err)
	}
	if env.Paged = IsTrue(env.Getenv(pagerInUse)); env.Paged {
		env.showThroughPager()
		return env, nil
	}
	if width, ok := terminal(os.Stdout); ok {
		env.Terminal = true
		env.WidthNow = func() int { width, _ := terminal(os.Stdout); return width }
		_, env.Interactive = terminal(os.Stdin)
		env.Colour = env.wantsColour()
		if width > 0 {
			env.Width = width
		}
	}
	return env, nil
}

// errWidth is the width of this process's standard error.
func errWidth() int {
	width, ok := terminal(os.Stderr)
	if ok && width == 0 {
		return DefaultWidth
	}
	return width
}

// pagerInUse is the variable that git sets when it has started a pager.
const pagerInUse = "GIT_PAGER_IN_USE"

// showThroughPager prepares for a pager that git has started, as by git -p. The output of
// programs that we start does not go through it, so they must not see the variable.
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

// ASCII reports whether the locale is one in which nothing but ASCII is known to be shown. Without a locale, everything is.
func (e *Env) ASCII() bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToUpper(e.Getenv(name)); locale != "" {
			return !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
		}
	}
	return false
}

// IsTrue reads the value of a variable as git does.
func IsTrue(value string) bool {
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

// Apply applies the flags of the program itself: -C and --no-color.
func (e *Env) Apply(dirs []string, noColour bool) error {
	for _, dir := range dirs {
		if dir == "" {
			continue // as with git -C
		}
		e.Dir = e.Path(dir)
		if info, err := os.Stat(e.Dir); err != nil {
			return fmt.Errorf("cannot change to %s: %w", dir, ReasonOf(err))
		} else if !info.IsDir() {
			return fmt.Errorf("cannot change to %s: not a directory", dir)
		}
	}
	if noColour {
		e.Colour = false
	}
	return nil
}

// Path returns the path of a file that the user named, relative to the directory of the user.
func (e *Env) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

// StdinName is what messages call standard input.
const StdinName = "standard input"

// ReadInput reads standard input to its end.
func (e *Env) ReadInput() ([]byte, error) {
	data, err := io.ReadAll(e.In)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", StdinName, ReasonOf(err))
	}
	return data, nil
}
