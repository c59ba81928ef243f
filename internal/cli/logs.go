package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agent"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
)

// logsOptions say which agent's output to show; the last one of the last run where nothing is said.
type logsOptions struct {
	iteration int
	run       string
	follow    bool
	raw       bool
	list      bool
}

func newLogs(env *Env) *cli.Command {
	return &cli.Command{
		Name: "logs", Usage: "show what the agents of a run printed", ArgsUsage: "[ITERATION]",
		Description: `Shows the output of the last iteration of the last run, or of the one with a
number: what the agent said, and a line for each tool that it used. With --raw it
is the output as it was, but for secrets, which are masked; a terminal gets its
control characters shown. With -f it goes on with what is printed, from iteration
to iteration, until the run ends.

Logs lie in the git directory. ralph.logs.keep says how many runs are kept, 20
where it is not set.

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
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "go on with what is printed"},
			&cli.StringFlag{Name: "run", Usage: "of the run with `NAME`; the last one where it is not given"},
			&cli.BoolFlag{Name: "raw", Usage: "as the agent printed it"},
			&cli.BoolFlag{Name: "list", Usage: "list the runs"},
		},
		Action: func(c *cli.Context) error {
			o, err := logsFrom(c)
			if err != nil {
				return err
			}
			return o.show(c.Context, env)
		},
	}
}

func logsFrom(c *cli.Context) (logsOptions, error) {
	o := logsOptions{run: c.String("run"), follow: c.Bool("follow"), raw: c.Bool("raw"), list: c.Bool("list")}
	if err := atMost(c, 1); err != nil {
		return o, err
	}
	if given := c.Args().First(); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil {
			return o, usage(c, "invalid iteration %q: want its number", given)
		}
		if n < 1 {
			return o, usage(c, "no such iteration: %d; the first is 1", n)
		}
		o.iteration = n
	}
	return o, nil
}

func (o logsOptions) show(ctx context.Context, env *Env) error {
	st, err := env.open(ctx)
	if err != nil {
		return err
	}
	j := journal.Of(st.Repo().GitDir())
	if o.list {
		return listRuns(env, j)
	}
	if o.run == "" {
		if o.run, err = j.Last(); err != nil {
			return err
		}
	}
	return o.showRun(ctx, env, j)
}

// showRun shows one iteration, and with -f those that come after it.
func (o logsOptions) showRun(ctx context.Context, env *Env, j journal.Journal) error {
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

// An iterationLog is an iteration as the journal tells of it.
type iterationLog struct {
	n      int
	format agent.Format
	title  string
	over   bool
}

// begun finds the iteration to show.
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
	return iterationLog{}, fmt.Errorf("%w: %d; run %s has %s", errNoIteration, o.iteration, o.run, plural(len(all), "iteration"))
}

var (
	errNoIteration = errors.New("no such iteration")
	errNoLog       = errors.New("the iteration has no log")
)

// iterations reads which iterations a run had.
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

func (o logsOptions) showLog(ctx context.Context, env *Env, j journal.Journal, it iterationLog, path string) error {
	f, err := o.openLog(ctx, j, it, path)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	if o.follow {
		r = &followReader{ctx: ctx, file: f, over: func() bool { return isOver(j, o.run, it.n) }, idle: env.flush}
	}
	if o.raw {
		return copyRaw(env, r)
	}
	fmt.Fprintln(env.Out, env.paint(printable(fmt.Sprintf("iteration %d: %s", it.n, it.title)), strong))
	it.format.Readable(r, func(e agent.Event) { showAgentEvent(env, e) })
	return nil
}

// copyRaw prints a log as it is. On a terminal control characters are shown: what an agent printed may come from a stranger.
func copyRaw(env *Env, r io.Reader) error {
	if !env.Terminal {
		_, err := io.Copy(env.Out, r)
		return err
	}
	agent.Plain.Readable(r, func(e agent.Event) { showAgentEvent(env, e) })
	return nil
}

func showAgentEvent(env *Env, e agent.Event) {
	look, mark := plainStyle, ""
	switch e.Kind {
	case agent.Tool:
		look, mark = faint, "> "
	case agent.Failure:
		look = red
	}
	for line := range strings.SplitSeq(strings.TrimRight(e.Text, "\n"), "\n") {
		fmt.Fprintln(env.Out, env.paint(mark+printable(line), look))
	}
}

// listRuns prints a line a run, the newest last.
func listRuns(env *Env, j journal.Journal) error {
	var t table
	for _, name := range j.Runs() {
		events, err := j.Events(name)
		if err != nil {
			return err
		}
		n, why := 0, "not ended"
		for _, e := range events {
			n = max(n, numberOf(e, "iteration"))
			if journal.Text(e, "t") == "end" {
				why = journal.Text(e, "why")
			}
		}
		t.add(cell{name, cyan}, cell{plural(n, "iteration"), plainStyle}, cell{why, plainStyle})
	}
	t.write(env)
	return nil
}
