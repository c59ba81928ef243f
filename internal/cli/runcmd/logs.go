package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agent"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
)

// logsOptions say which agent's output to show, by default that of the last iteration of the last run.
type logsOptions struct {
	iteration int
	run       string
	follow    bool
	raw       bool
	list      bool
	json      bool // print the list as JSON
}

func NewLogs(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "logs", Usage: "show what the agents of a run printed", ArgsUsage: "[ITERATION]",
		Description: `Shows the output of the last iteration of the last run, or of ITERATION: the
agent's text, and a line for each tool that it used. --raw prints the output as the
agent printed it, with secrets masked; on a terminal, control characters are made
visible. -f follows the output, from iteration to iteration, until the run ends.

--list lists the runs, the oldest first; with --json as [{"run", "iterations",
"why"}], where why is null for a run that has not ended.

Logs are in the git directory. ralph.logs.keep sets how many runs are kept, 20 by
default.

EXIT STATUS
  0  done
  1  failed, or there is no such run
  2  the command line is wrong

EXAMPLES
  git ralph logs
  git ralph logs -f
  git ralph logs 3 --raw
  git ralph logs --list`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "follow the output until the run ends"},
			&cli.StringFlag{Name: "run", Usage: "show the run `NAME` instead of the last one"},
			&cli.BoolFlag{Name: "raw", Usage: "print the output as the agent printed it"},
			&cli.BoolFlag{Name: "list", Usage: "list the runs"},
			&cli.BoolFlag{Name: "json", Usage: "print the list as JSON"},
		},
		Action: cmdline.Action(env, logsFrom, logsOptions.show),
	}
}

func logsFrom(c *cli.Context) (logsOptions, error) {
	o := logsOptions{run: c.String("run"), follow: c.Bool("follow"), raw: c.Bool("raw"), list: c.Bool("list"), json: c.Bool("json")}
	if o.json && !o.list {
		return o, cmdline.Usage(c, "--json needs --list; --raw prints a log as the agent did")
	}
	if number := c.Args().First(); number != "" {
		n, err := strconv.Atoi(number)
		if err != nil {
			return o, cmdline.Usage(c, "invalid iteration %q: want its number", number)
		}
		if n < 1 {
			return o, cmdline.Usage(c, "no such iteration: %d; iterations are numbered from 1", n)
		}
		o.iteration = n
	}
	return o, nil
}

func (o logsOptions) show(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	j := journal.Of(st.Repo().GitDir())
	if o.list {
		return listRuns(env, j, o.json)
	}
	if o.run == "" {
		if o.run, err = j.Last(); err != nil {
			return err
		}
	}
	return o.showRun(ctx, env, j)
}

// showRun shows one iteration, and with -f those after it.
func (o logsOptions) showRun(ctx context.Context, env *term.Env, j journal.Journal) error {
	for {
		begun, err := o.begun(j)
		if err != nil {
			return err
		}
		path, err := j.LogPath(journal.LogName(o.run, begun.n))
		if err != nil {
			return err
		}
		if err := o.showLog(ctx, env, j, begun, path); err != nil {
			return err
		}
		if !o.follow || ctx.Err() != nil || !o.awaitNext(ctx, j, begun.n) {
			return nil
		}
		o.iteration = begun.n + 1
	}
}

// An iterationLog is an iteration in the journal.
type iterationLog struct {
	n      int
	format agent.Format
	title  string
	over   bool
}

// begun returns the iteration to show, which has begun.
func (o logsOptions) begun(j journal.Journal) (iterationLog, error) {
	all, err := iterations(j, o.run)
	if err != nil {
		return iterationLog{}, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		if o.iteration == 0 || all[i].n == o.iteration {
			return all[i], nil
		}
	}
	return iterationLog{}, fmt.Errorf("%w: %d; run %s has %s", errNoIteration, o.iteration, o.run, term.Plural(len(all), "iteration"))
}

var (
	errNoIteration = errors.New("no such iteration")
	errNoLog       = errors.New("the iteration has no log")
)

// iterations reads the iterations of a run that have begun.
func iterations(j journal.Journal, run string) ([]iterationLog, error) {
	events, err := j.Events(run)
	if err != nil {
		return nil, err
	}
	var all []iterationLog
	for _, e := range events {
		switch journal.Text(e, "t") {
		case "iteration":
			all = append(all, iterationLog{
				n: numberOf(e, "iteration"), format: agent.Format(journal.Text(e, "format")),
				title: strings.TrimSpace(journal.Text(e, "stage") + " " + journal.Text(e, "id") + " " + journal.Text(e, "name")),
			})
		case "outcome", "end":
			if len(all) > 0 {
				all[len(all)-1].over = true
			}
		}
	}
	return all, nil
}

func numberOf(e jsonl.Object, name string) int {
	value, _ := e.Get(name)
	n, _ := strconv.Atoi(string(value))
	return n
}

func (o logsOptions) showLog(ctx context.Context, env *term.Env, j journal.Journal, it iterationLog, path string) error {
	f, err := o.openLog(ctx, j, it, path)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	if o.follow {
		r = &followReader{ctx: ctx, file: f, over: func() bool { return isOver(j, o.run, it.n) }, idle: env.Flush}
	}
	if o.raw {
		return copyRaw(env, r)
	}
	env.PrintCells(term.Cell{Text: fmt.Sprintf("iteration %d: %s", it.n, it.title), Style: term.Strong})
	it.format.ReadLog(r, func(e agent.Event) { showAgentEvent(env, e) })
	return nil
}

// copyRaw prints a log as it is. On a terminal control characters are made visible: what an agent printed may come from a stranger.
func copyRaw(env *term.Env, r io.Reader) error {
	if !env.Terminal {
		_, err := io.Copy(env.Out, r)
		return err
	}
	agent.Plain.ReadLog(r, func(e agent.Event) { showAgentEvent(env, e) })
	return nil
}

func showAgentEvent(env *term.Env, e agent.Event) {
	look, mark := term.PlainStyle, ""
	switch e.Kind {
	case agent.ToolEvent:
		look, mark = term.Faint, "> "
	case agent.FailureEvent:
		look = term.Red
	}
	for line := range strings.SplitSeq(strings.TrimRight(e.Text, "\n"), "\n") {
		fmt.Fprintln(env.Out, env.Paint(mark+term.Printable(line), look))
	}
}

// A listedRun is a run in the list of runs.
type listedRun struct {
	name       string
	iterations int
	why        string // why it ended; "" where it has not
}

// listRuns lists the runs, the newest last.
func listRuns(env *term.Env, j journal.Journal, asJSON bool) error {
	var runs []listedRun
	_, running := j.Running()
	last, _ := j.Last()
	for _, name := range j.Runs() {
		events, err := j.Events(name)
		if err != nil {
			return err
		}
		run := listedRun{name: name, why: "killed"} // unless its end is recorded
		if running && name == last {
			run.why = ""
		}
		for _, e := range events {
			run.iterations = max(run.iterations, numberOf(e, "iteration"))
			if journal.Text(e, "t") == "end" {
				run.why = journal.Text(e, "why")
			}
		}
		runs = append(runs, run)
	}
	if asJSON {
		env.WriteJSON(func(w term.Sink) { term.WriteArray(w, len(runs), func(i int) { runs[i].write(w) }) })
		return nil
	}
	var t term.Table
	for _, r := range runs {
		t.Add(term.Cell{Text: r.name, Style: term.Cyan}, term.Cell{Text: term.Plural(r.iterations, "iteration"), Style: term.PlainStyle}, term.Cell{Text: cmp.Or(r.why, "not ended"), Style: term.PlainStyle})
	}
	t.Write(env)
	if len(runs) == 0 {
		env.Hint("no run has begun in this worktree")
	}
	return nil
}

// write writes {"run", "iterations", "why"}.
func (r listedRun) write(w term.Sink) {
	o := term.Object{Sink: w}
	o.Str("run", r.name)
	o.Value("iterations", strconv.Itoa(r.iterations))
	o.StrOrNull("why", r.why)
	o.End()
}
