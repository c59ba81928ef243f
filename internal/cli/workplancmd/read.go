package workplancmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/workplan"
	"git-ralph/internal/workplan/parser"
)

// parserOf returns what parses workplans for the process.
func parserOf(env *term.Env) parser.Parser {
	own, err := os.Executable()
	if err != nil {
		own = "" // the PATH is left
	}
	return parser.Parser{Beside: own, Dir: env.Dir, Environ: env.Environ}
}

// A source is a workplan that was read.
type source struct {
	name string // as the user named it
	text []byte
	*workplan.File
}

// read reads and parses a file that the user named.
func read(ctx context.Context, env *term.Env, name string) (source, error) {
	text, f, err := parserOf(env).ReadFile(ctx, env.Path(name), name)
	if err != nil {
		return source{}, readError(name, err)
	}
	return source{name, text, f}, nil
}

// readError says plainly that a file is missing.
func readError(name string, err error) error {
	switch failed, isPath := errors.AsType[*fs.PathError](err); {
	case errors.Is(err, fs.ErrNotExist):
		return &cmdline.HintedError{Err: fmt.Errorf("workplan file not found: %s", name), Hint: "`git ralph workplan list` lists those in the directory of workplans"}
	case isPath:
		return fmt.Errorf("cannot read %s: %w", name, failed.Err)
	}
	return err
}
