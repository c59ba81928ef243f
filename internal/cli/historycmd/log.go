package historycmd

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/landed"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// logOptions say which part of the history to print, and how.
type logOptions struct {
	filter  logFilter
	format  cmdline.Format
	reverse bool // the oldest first
	stat    bool
	oneline bool
	fetch   bool // what a partial clone lacks
	judges  bool // print of done tasks whether they have landed
}

// fetchFlag is the flag of commands that read history.
func fetchFlag() cli.Flag {
	return &cli.BoolFlag{Name: "fetch", Usage: "fetch what a partial clone lacks; otherwise the network is not used"}
}

// recent is how many events are printed by default.
const recent = 20

func NewLog(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "log", Usage: "show what happened to tasks", ArgsUsage: "[ID] [-N]", Description: aboutLog,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "every task there ever was, on all local and remote branches"},
			cmdline.Completes(&cli.StringFlag{Name: "branch", Usage: "what was done on the branch `NAME`, also when it is merged or gone"}, cmdline.Revisions),
			cmdline.Completes(&cli.StringFlag{Name: "since", Usage: "events since `DATE`, in any of git's words, or since a commit"}, cmdline.Revisions),
			cmdline.Completes(&cli.StringFlag{Name: "until", Usage: "events until `DATE`, or up to a commit"}, cmdline.Revisions),
			cmdline.Completes(&cli.StringFlag{Name: "spec", Usage: "tasks of the spec `FILE`"}, planio.Specs),
			cmdline.Completes(
				&cli.StringFlag{Name: "status", Usage: "tasks that are `STATUS` now: pending, done, accepted, rejected, cancelled, decomposed or lost"},
				cmdline.OneOf("pending", "done", "accepted", "rejected", "cancelled", "decomposed", "lost"),
			),
			&cli.StringFlag{Name: "author", Usage: "events of the author whose address holds `TEXT`"},
			cmdline.Completes(&cli.StringFlag{Name: "task", Usage: "events of the task, issue or item `ID`, which may be given without --task"}, everyID()),
			&cli.StringFlag{Name: "grep", Usage: "events of tasks and issues that hold `TEXT`, in capitals or not"},
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: -1, Usage: "at most `N` events, 0 for all"},
			&cli.BoolFlag{Name: "reverse", Usage: "the oldest event first"},
			&cli.BoolFlag{Name: "stat", Usage: "print counts, by spec, branch and author"},
			&cli.BoolFlag{Name: "oneline", Usage: "one short line an event"},
		}, append(cmdline.FormatFlags(cmdline.FormatJSONL), fetchFlag())...),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(everyID())),
		Action: func(c *cli.Context) error {
			o, err := logFrom(c, env)
			if err != nil {
				return err
			}
			return o.run(c.Context, env)
		},
	}
}

func logFrom(c *cli.Context, env *term.Env) (logOptions, error) {
	o := logOptions{
		format: cmdline.FormatFrom(c), reverse: c.Bool("reverse"), stat: c.Bool("stat"), oneline: c.Bool("oneline"), fetch: c.Bool("fetch"),
		filter: logFilter{
			all: c.Bool("all"), branch: c.String("branch"), since: c.String("since"), until: c.String("until"), spec: c.String("spec"),
			status: c.String("status"), author: c.String("author"), task: c.String("task"), text: c.String("grep"), limit: c.Int("limit"),
		},
	}
	switch {
	case o.format != "":
	case env.Terminal || o.oneline:
		o.format = cmdline.FormatText
	default:
		o.format = cmdline.FormatJSON
	}
	limited, err := o.filter.readArguments(c)
	if err != nil {
		return o, err
	}
	if !limited {
		o.filter.limit = o.filter.defaultLimit(o.stat)
	}
	return o, o.check(c)
}

// readArguments reads an id and a limit such as -5 without their flags, and
// reports whether there is a limit.
func (f *logFilter) readArguments(c *cli.Context) (limited bool, err error) {
	limited = c.IsSet("limit")
	for _, arg := range c.Args().Slice() {
		n, notNumber := strconv.Atoi(arg)
		switch {
		case notNumber == nil && n < 0 && !limited:
			f.limit, limited = -n, true
		case f.task == "" && notNumber != nil:
			f.task = arg
		default:
			return limited, cmdline.Usage(c, "unexpected argument %q: want one id and one limit such as -5", arg)
		}
	}
	return limited, nil
}

// defaultLimit returns recent where no filter is set, else 0.
func (f logFilter) defaultLimit(stat bool) int {
	f.limit = 0
	if f == (logFilter{}) && !stat {
		return recent
	}
	return 0
}

func (o logOptions) check(c *cli.Context) error {
	if o.format == cmdline.FormatJSONL && o.stat {
		return cmdline.Usage(c, "invalid format %q with --stat: want text or json", o.format)
	}
	switch fold.Status(o.filter.status) {
	case "", fold.Status(plan.EventDecomposed), fold.Pending, fold.Done, fold.Accepted, fold.Rejected, fold.Cancelled, fold.Lost, fold.Other, fold.UnknownStatus, fold.Open, fold.Closed:
	default:
		return cmdline.Usage(c, "invalid --status %q: want pending, done, accepted, rejected, cancelled, decomposed or lost", o.filter.status)
	}
	if o.filter.limit < 0 {
		return cmdline.Usage(c, "invalid --limit %d: want 0 or more", o.filter.limit)
	}
	return nil
}

func (o logOptions) run(ctx context.Context, env *term.Env) error {
	if env.IgnoreBrokenPipe != nil { // so that the cache is still written, and completely
		defer env.IgnoreBrokenPipe()()
	}
	st, reader, err := planio.OpenHistory(ctx, env, o.fetch)
	if err != nil {
		return err
	}
	defer reader.Close() //nolint:errcheck // nothing was written
	question, fixed := o.question()
	o.judges = o.format == cmdline.FormatJSON && !o.stat && planio.TargetSet(ctx, st)
	fixed = fixed && !o.judges
	keep := fixed && o.format != cmdline.FormatText && !env.Terminal
	if keep {
		if answer := reader.Answer(question); answer != nil {
			env.Out.Write(answer)
			return nil
		}
	}
	h, err := planio.ReadNewest(ctx, env, st, reader, o.newest(), o.fetch)
	if err != nil {
		return err
	}
	if keep && !planio.IsEmpty(h) { // why a history is empty is printed each time
		if answer := reader.NewAnswer(question); answer != nil {
			return printAndKeep(env, answer, func(env *term.Env) error { return o.print(ctx, env, st, h) })
		}
	}
	return o.print(ctx, env, st, h)
}

// printAndKeep prints an answer, and keeps it in the cache.
func printAndKeep(e *term.Env, answer *history.AnswerWriter, print func(*term.Env) error) error {
	both := *e
	out := bufio.NewWriterSize(io.MultiWriter(e.Out, answer), answerBuffer)
	both.Out = out
	err := print(&both)
	if failed := out.Flush(); err != nil || failed != nil { // Main reports the latter
		answer.Drop()
		return err
	}
	answer.Keep() //nolint:errcheck // it only saves time
	return nil
}

const answerBuffer = 1 << 16

// newest returns how many of the newest events the output needs, 0 for all.
func (o logOptions) newest() int {
	limit := o.filter.limit
	if o.filter != (logFilter{limit: limit}) || o.stat {
		return 0
	}
	return limit
}

// question returns all that the output for programs depends on apart from the
// history. It is not fixed where the output depends on the clock or the configuration too.
func (o logOptions) question() (text string, fixed bool) {
	f := o.filter
	o.fetch = false
	return fmt.Sprintf("log %#v\n", o), f.since+f.until+f.branch == ""
}

// print prints the selected events.
func (o logOptions) print(ctx context.Context, env *term.Env, st *store.Store, h *fold.History) error {
	selected, err := o.filter.selectFrom(ctx, env, st, h)
	if err != nil {
		return err
	}
	if o.filter.branch != "" && len(selected.Events) == 0 {
		env.Say("note", o.filter.nothingOn(h))
		if o.format == "text" && !o.stat {
			return nil
		}
	}
	if o.reverse {
		slices.Reverse(selected.Events)
	}
	if o.format != cmdline.FormatText && !o.stat {
		selected.receipts = planio.ReadReceipts(ctx, st.Repo(), selected.acceptances())
	}
	switch {
	case o.stat && o.format == cmdline.FormatText:
		env.Page(ctx, func(env *term.Env) { showStatistics(env, selected.Statistics()) })
	case o.stat:
		env.WriteJSON(func(w term.Sink) { writeStatistics(w, selected.Statistics()) })
	case o.format == cmdline.FormatJSON:
		return o.printJSON(ctx, env, st, h, selected)
	case o.format == cmdline.FormatJSONL:
		selected.writeLines(env)
	case o.oneline:
		env.Page(ctx, selected.showLines)
	default:
		env.Page(ctx, selected.show)
	}
	return nil
}

// printJSON prints the selection, with what has landed where that is wanted.
func (o logOptions) printJSON(ctx context.Context, env *term.Env, st *store.Store, h *fold.History, selected selection) error {
	if o.judges {
		j, err := planio.OpenJudge(ctx, st)
		if err != nil {
			return err
		}
		defer j.Close() //nolint:errcheck // nothing was written
		selected.landed = func(l *fold.Life) landed.Verdict {
			return planio.JudgeDone(j, h, landed.Task{ID: l.ID, Attempt: l.Record.Attempt()})
		}
	}
	env.WriteJSON(func(w term.Sink) { writeHistory(w, selected) })
	return nil
}

// writeLines writes one event on each line.
func (h selection) writeLines(env *term.Env) {
	var line bytes.Buffer
	for _, e := range h.Events {
		line.Reset()
		h.writeEvent(&line, e)
		text := line.String()
		if env.Terminal {
			text = term.Escaped(text)
		}
		io.WriteString(env.Out, text+"\n")
	}
}

const aboutLog = `Shows what happened to tasks and issues, the newest first, from commits alone.
Without flags: the last 20 events of HEAD's history; with any filter, all that
match. Filters combine.

Where standard output is not a terminal it is JSON: the selected events, and the
whole lives of the tasks that they touch.

  {"tasks": [{"id", "desc", "name", "spec", "status", "branch", "author",
              "created": {"commit", "date"}, "done": {"commit", "date", "done_at"},
              "accepted" or "rejected" or "cancelled": {…}, "attempts": […]}],
   "events": [{"event", "id", "commit", "date", "author", "branch", …}]}

Where ralph.target is set, a done task also has "landed": yes, no or unknown.
docs/history.md says how commits are read. --format jsonl prints an event a line.

EXIT STATUS
  0  done, also where nothing matched
  1  there is no repository, no such task or branch, or it cannot be fetched
  2  the command line is wrong, also where a date is not one

EXAMPLES
  git ralph log
  git ralph log t-1a2b
  git ralph log -5 --grep parser
  git ralph log --all --status rejected
  git ralph log --branch feature/parser --since "2 weeks ago"
  git ralph log --since v1.0 --stat
  git ralph log --task t-1a2b --format json | jq -r '.tasks[0].status'`
