// Package parser has workplans parsed by the program git-ralph-workplan-parser, which is installed beside git-ralph.
package parser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"git-ralph/internal/ownprogram"
	"git-ralph/internal/proc"
	"git-ralph/internal/workplan"
)

// Name is the program's name, without the ending that Windows gives it.
const Name = "git-ralph-workplan-parser"

// timeout ends a parser that a hostile file keeps busy: 10 MB take less than two seconds.
const timeout = 30 * time.Second

// A Parser runs the program.
type Parser struct {
	Beside  string   // the path of git-ralph; "" where it is unknown
	Dir     string   // a program of the worktree around it is never run
	Environ []string // has the PATH
}

// Parse parses one file. The error of a file that is no valid workplan is a *workplan.InvalidError.
func (p Parser) Parse(ctx context.Context, name string, text []byte) (*workplan.File, error) {
	parsed, err := p.ParseAll(ctx, []workplan.Source{{Name: name, Text: text}})
	if err != nil {
		return nil, err
	}
	if len(parsed[0].Problems) > 0 {
		return nil, &workplan.InvalidError{File: name, Problems: parsed[0].Problems}
	}
	return parsed[0].File, nil
}

// Errors of Read.
var (
	errTooLarge   = errors.New("is too large: want a workplan of at most 64 MiB")
	errNotRegular = errors.New("is not a regular file")
)

// Read reads a workplan, and never waits for one: a link may lead to a device or a pipe, which have no end.
func Read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
	}
	if err != nil {
		return nil, err
	}
	return read(path)
}

// read reads as much of a file as a workplan may have.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, workplan.MaxSize+1))
	if err == nil && len(text) > workplan.MaxSize {
		err = &fs.PathError{Op: "read", Path: path, Err: errTooLarge}
	}
	return text, err
}

// ReadFile reads and parses a file, or a pipe that the user named. name is what messages call it.
func (p Parser) ReadFile(ctx context.Context, path, name string) (text []byte, f *workplan.File, err error) {
	if text, err = read(path); err != nil {
		return nil, nil, err
	}
	f, err = p.Parse(ctx, name, text)
	return text, f, err
}

// ParseAll parses several files in one process, and returns what became of each.
func (p Parser) ParseAll(ctx context.Context, sources []workplan.Source) ([]workplan.Parsed, error) {
	if len(sources) == 0 {
		return nil, nil
	}
	path, err := ownprogram.Find(Name, p.Beside, p.Dir, p.Environ)
	if err != nil {
		return nil, err
	}
	request, err := json.Marshal(sources)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("the workplan took more than %v to parse", timeout))
	defer cancel()
	result, err := proc.Run(ctx, proc.Cmd{Name: path, Args: []string{workplan.ParserProtocol}, Env: p.Environ, Stdin: request, Group: true})
	if err != nil {
		return nil, err
	}
	var parsed []workplan.Parsed
	if err := json.Unmarshal(result.Stdout, &parsed); err != nil || !complete(parsed, len(sources)) {
		return nil, errors.New(path + " is of another version than git-ralph: install both together")
	}
	return parsed, nil
}

// complete reports whether there is a file or a problem for each source.
func complete(parsed []workplan.Parsed, sources int) bool {
	for _, p := range parsed {
		if p.File == nil && len(p.Problems) == 0 {
			return false
		}
	}
	return len(parsed) == sources
}
