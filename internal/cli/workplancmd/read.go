package workplancmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/workplan"
)

// A source is a workplan that was read.
type source struct {
	name string // as the user named it
	text []byte
	*workplan.File
}

// read reads and parses a file that the user named.
func read(ctx context.Context, env *term.Env, name string) (source, error) {
	text, f, err := planio.WorkplanParser(env).ReadFile(ctx, env.Path(name), name)
	if err != nil {
		return source{}, readError(name, err)
	}
	return source{name, text, f}, nil
}

// MissingError says that a workplan does not exist.
func MissingError(name string) error {
	return &cmdline.HintedError{Err: fmt.Errorf("workplan file not found: %s", name), Hint: "`git ralph workplan list` lists those in the directory of workplans"}
}

// readError says plainly that a file is missing.
func readError(name string, err error) error {
	switch failed, isPath := errors.AsType[*fs.PathError](err); {
	case errors.Is(err, fs.ErrNotExist):
		return MissingError(name)
	case isPath:
		return fmt.Errorf("cannot read %s: %w", name, failed.Err)
	}
	return err
}
