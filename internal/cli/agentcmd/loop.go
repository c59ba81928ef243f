package agentcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agenthook"
	"git-ralph/internal/agentsession"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/workplanloop"
)

// NewLoop is the command `git ralph workplan loop`.
func NewLoop(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "loop", Usage: "work on a workplan within an agent's session",
		Description: `In a session whose agent asks git ralph before it stops (git ralph agent install),
the loop feeds the next task of a workplan to the agent until the file says that all
are done. Each session has a loop of its own.

EXIT STATUS
  0  done
  1  failed
  2  the command line is wrong

EXAMPLES
  git ralph workplan loop start workplans/WP-0001-parser.md
  git ralph workplan loop status
  git ralph workplan loop stop`,
		Subcommands: []*cli.Command{newLoopStart(env), newLoopStatus(env), newLoopStop(env)},
	}
}

// sessionFlag is the flag that names a session. The skill names it by a variable, which a shell replaces by nothing where the agent is not Claude.
func sessionFlag() cli.Flag {
	return cmdline.MayBeEmpty(&cli.StringFlag{Name: "session", Usage: "the `ID` of the session, where the environment does not name it"})
}

// sessionVariables are those in which agents name the session to the commands that they run: our own, which the plug-in of opencode
// sets, then those that the programs set.
func sessionVariables() []string {
	return []string{agenthook.SessionVariable, "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"}
}

// sessionID returns the id of the session, "" where it is not known. A placeholder that the agent did not replace is no id.
func sessionID(env *term.Env, flag string) string {
	if !cmdline.IsBlank(flag) && !strings.Contains(flag, "${") {
		return flag
	}
	var values []string
	for _, name := range sessionVariables() {
		values = append(values, env.Getenv(name))
	}
	return cmp.Or(values...)
}

// openSessions returns the sessions of the user's repository.
func openSessions(ctx context.Context, env *term.Env) (agentsession.Directory, error) {
	repo, err := git.Open(ctx, env.Dir, env.Environ)
	if err != nil {
		return agentsession.Directory{}, err
	}
	return agentsession.Of(repo.CommonDir()), nil
}

// activeLoops returns the loops that go on. A damaged one ends at its session's next stop.
func activeLoops(sessions agentsession.Directory) (loops []workplanloop.Loop) {
	for _, text := range sessions.Loops() {
		if l, err := workplanloop.Parse(text); err == nil && !l.Stopped && !sessions.IsStopped(l.Session) {
			loops = append(loops, l)
		}
	}
	return loops
}

func newLoopStatus(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "status", Usage: "list the loops of this repository",
		Description: `Lists the workplan loops that go on in sessions, also those of sessions that have
ended without a stop and may be resumed.

EXIT STATUS
  0  done
  1  failed
  2  the command line is wrong

EXAMPLES
  git ralph workplan loop status`,
		Flags: cmdline.FormatFlags(),
		Action: func(c *cli.Context) error {
			sessions, err := openSessions(c.Context, env)
			if err != nil {
				return err
			}
			printLoops(env, cmdline.FormatFrom(c), activeLoops(sessions))
			return nil
		},
	}
}

func printLoops(env *term.Env, format cmdline.Format, loops []workplanloop.Loop) {
	if !format.Json(env) {
		for _, l := range loops {
			env.Print(fmt.Sprintf("%s  iteration %d of %d  session %s", term.Printable(l.File), l.Iteration, l.Max, term.Printable(l.Session)))
		}
		return
	}
	env.WriteJSON(func(w term.Sink) {
		term.WriteArray(w, len(loops), func(i int) {
			o := term.Object{Sink: w}
			o.Str("session", loops[i].Session)
			o.Str("file", loops[i].File)
			o.Value("iteration", strconv.Itoa(loops[i].Iteration))
			o.Value("max", strconv.Itoa(loops[i].Max))
			o.Str("at", loops[i].At)
			o.End()
		})
	})
}

func newLoopStop(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "stop", Usage: "end the loop of a session",
		Description: `The session may stop at its next stop. Outside of a session, --session names one;
it is not needed where there is only one loop.

EXIT STATUS
  0  done
  1  failed
  2  the command line is wrong
  3  there is no such loop

EXAMPLES
  git ralph workplan loop stop`,
		Flags: []cli.Flag{sessionFlag()},
		Action: func(c *cli.Context) error {
			return stopLoop(c.Context, env, sessionID(env, c.String("session")))
		},
	}
}

func stopLoop(ctx context.Context, env *term.Env, session string) error {
	sessions, err := openSessions(ctx, env)
	if err != nil {
		return err
	}
	var found []workplanloop.Loop
	for _, l := range activeLoops(sessions) {
		if session == "" || l.Session == session {
			found = append(found, l)
		}
	}
	switch {
	case len(found) == 0:
		return &cmdline.NothingError{Text: "there is no workplan loop to stop"}
	case len(found) > 1:
		return &cmdline.HintedError{Err: errors.New("several sessions have a loop"), Hint: "name one with --session; `git ralph workplan loop status` lists them"}
	}
	if err := sessions.StopLoop(found[0].Session); err != nil {
		return err
	}
	env.Print("the loop ends at the session's next stop: " + term.Printable(found[0].File))
	return nil
}
