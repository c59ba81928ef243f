// Package web serves the page of `git ralph web`: the plan of every worktree of a repository as JSON, a stream that says what changed,
// and the page that shows them. It is for the user's browser on this machine. Every action of the page is a command line that the
// server makes of typed parameters.
package web

import (
	"context"
	"errors"
	"io"
	"net/url"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/heap"
	"git-ralph/internal/loopback"
)

// garbage is how much there may be. A plan of 10,000 tasks and its history take 22 MB, and while they are read again 43.
func garbage() heap.Limits { return heap.Limits{Percent: 40, Memory: 76 << 20, MinShare: 125} }

// Serve serves until ctx ends, or the terminal that it was started from.
func Serve(ctx context.Context, env *term.Env, o uicmd.WebOptions) error {
	own := *env
	own.LongLived = true
	env = &own
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	listeners, err := loopback.Listen(o.Port)
	if err != nil {
		return err
	}
	defer listeners.Close()
	defer garbage().Apply()()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	s := &server{
		env: env, write: o.Write, guard: &loopback.Guard{Token: loopback.NewToken(), Guessed: warnOfGuesses(env)},
		runner: inprocess.New(ctx, env), places: newPlaces(ctx, env, st.Repo().CommonDir()), streams: make(chan struct{}, maxStreams),
	}
	s.overview = &overview{versions: newVersions(), places: s.places, writes: map[string]int{}}
	defer s.runner.Wait()
	defer end(errEnded)
	page := "http://" + listeners.Host() + "/#" + url.Values{"token": {s.guard.Token}}.Encode()
	if err := announce(env, o, page); err != nil {
		return err
	}
	if o.Open {
		defer openPage(env, st.Repo().GitDir(), page)()
	}
	go func() { // the rest of the program ends with the signal that most terminals send
		if term.AwaitHangup(ctx) {
			end(errHangup)
		}
	}()
	err = listeners.Serve(ctx, s.handler(listeners))
	if _, interrupted := errors.AsType[*term.Interrupt](err); interrupted || errors.Is(err, errHangup) {
		return nil
	}
	return err
}

var (
	errEnded  = errors.New("the page has ended")
	errHangup = errors.New("the terminal was closed")
)

// announce prints the page's URL. Where it cannot be written, nobody would know it.
func announce(env *term.Env, o uicmd.WebOptions, page string) error {
	direct, out := *env, &checked{Writer: env.Tty}
	direct.Out = out
	if !env.Terminal {
		direct.WriteJSON(func(w term.Sink) {
			out := term.Object{Sink: w}
			out.Str("url", page)
			out.Boolean("write", o.Write)
			out.End()
		})
		return term.OutputError(out.err)
	}
	direct.WriteLine(page)
	env.Hint("Ctrl-C ends it")
	return term.OutputError(out.err)
}

// checked is a writer that keeps the error of the last write.
type checked struct {
	io.Writer
	err error
}

func (c *checked) Write(text []byte) (n int, err error) {
	n, c.err = c.Writer.Write(text)
	return n, c.err
}

// warnOfGuesses returns what reports wrong tokens: the first one, the tenth, the hundredth and so on.
func warnOfGuesses(env *term.Env) func(int64) {
	return func(n int64) {
		for n >= 10 && n%10 == 0 {
			n /= 10
		}
		if n == 1 {
			env.Warn("a program on this machine sent a wrong token; a page of an earlier start does that too")
		}
	}
}
