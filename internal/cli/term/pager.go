package term

import (
	"bytes"
	"context"
	"errors"
	"io"

	"git-ralph/internal/git"
	"git-ralph/internal/proc"
)

// Page shows a long text on a terminal through the pager that git would use:
// GIT_PAGER, core.pager, PAGER or less. Elsewhere, and where no pager can be
// started, the text is printed. It returns when the pager has ended: if we
// ended before, the pager and the user's shell would both read the terminal.
func (e *Env) Page(ctx context.Context, show func(*Env)) {
	pager := ""
	if e.Terminal && !e.Paged && e.Tty != nil {
		pager = git.Pager(ctx, e.Dir, e.Environ)
	}
	if pager == "" || pager == "cat" {
		show(e)
		return
	}
	var text bytes.Buffer
	paged := *e
	paged.Out = &text
	show(&paged)
	if e.IgnoreInterrupts != nil {
		defer e.IgnoreInterrupts()()
	}
	_, err := proc.Run(ctx, proc.Cmd{
		Name: "sh", Args: []string{"-c", pager}, Dir: e.Dir, Env: e.pagerEnviron(),
		Stdin: text.Bytes(), Stdout: e.Tty, Stderr: e.Err,
	})
	if failed, ok := errors.AsType[*proc.Error](err); ok && (!failed.Started || failed.Code == notFound) {
		io.Copy(e.Out, &text)
	}
	// A pager that the user leaves early has not failed.
}

// notFound is the status of a shell that did not find a program.
const notFound = 127

// pagerEnviron adds the flags that git sets for less and lv.
func (e *Env) pagerEnviron() []string {
	environ := e.Environ
	if e.Getenv("LESS") == "" {
		environ = append(environ[:len(environ):len(environ)], "LESS=FRX")
	}
	if e.Getenv("LV") == "" {
		environ = append(environ[:len(environ):len(environ)], "LV=-c")
	}
	return environ
}
