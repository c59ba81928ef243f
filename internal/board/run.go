package board

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	xterm "github.com/charmbracelet/x/term"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/cli/viewio"
	"git-ralph/internal/watch"
)

// framesPerSecond is how often a frame is drawn at most, where something has changed. A key waits for the next frame.
const framesPerSecond = 120

// Run is `git ralph board`. It returns when the user quits, or ctx ends. What is being done then is finished.
func Run(ctx context.Context, env *term.Env, _ uicmd.BoardOptions) error {
	worktree := viewio.In(env, "")
	collecting := debug.SetGCPercent(-1) // collecting garbage would be a quarter of the time to the first frame
	data, err := worktree.Read(ctx)
	if err != nil {
		return err
	}
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	var bugs bytes.Buffer // those of commands, which must not be in the middle of the screen
	own := *env
	own.Err = &bugs
	runner := inprocess.New(ctx, &own)
	m := newModel(ctx, worktree, runner, data)
	if env.ASCII() {
		m.ascii = asciiSigns()
	}
	m.changes = watch.Plan(ctx, st)
	debug.SetGCPercent(collecting)
	m.edit = func(words []string) *editing { return &editing{ctx: ctx, env: terminalEnv(env), words: words} }
	out, isFile := env.Tty.(*os.File)
	if isFile {
		if width, height, err := xterm.GetSize(out.Fd()); err == nil && width > 0 && height > 0 {
			m.width, m.height = width, height
			m.keepVisible()
		}
	}
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(env.In), tea.WithOutput(env.Tty), tea.WithEnvironment(env.Environ), tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler(),
	}
	if !env.Colour {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	found, err := runProgram(m, options...)
	runner.Wait()
	if failed := found.report(st.Repo().GitDir(), env.BuildVersion(), bugs.Bytes()); failed != nil {
		return failed
	}
	if interrupt, ok := errors.AsType[*term.Interrupt](context.Cause(ctx)); ok {
		return interrupt
	}
	return err
}

// terminalEnv returns the environment of a command that has the terminal.
func terminalEnv(env *term.Env) term.Env {
	own := *env
	own.Out, own.LongLived = env.Tty, true
	return own
}
