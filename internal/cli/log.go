package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// logOptions say what of the history to print, and how.
type logOptions struct {
	filter  logFilter
	format  format
	reverse bool // the oldest first
	stat    bool
	oneline bool
	fetch   bool // what a partial clone has not
}

// fetchFlag is the flag of commands that read history.
func fetchFlag() cli.Flag {
	return &cli.BoolFlag{Name: "fetch", Usage: "fetch what a partial clone has not; else no network is used"}
}

// A logFilter says which events are asked for. Filters combine; the zero value
// of each asks for all.
type logFilter struct {
	all          bool // of all branches, not of HEAD alone
	branch       string
	since, until string // a date or a commit
	spec         string
	status       string
	author       string // a part of the address
	task         string
	text         string // a part of the task's name or of another text
	limit        int    // of events, 0 for none
}

// recent is how many events are told where nothing was asked for.
const recent = 20

func newLog(env *Env) *cli.Command {
	return &cli.Command{
		Name: "log", Usage: "show what happened to tasks", ArgsUsage: "[ID] [-N]", Description: aboutLog,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "every task there ever was, on all local and remote branches"},
			&cli.StringFlag{Name: "branch", Usage: "what was done on the branch `NAME`, also when it is merged or gone"},
			&cli.StringFlag{Name: "since", Usage: "events since `DATE`, in any of git's words, or since a commit"},
			&cli.StringFlag{Name: "until", Usage: "events until `DATE`, or up to a commit"},
			&cli.StringFlag{Name: "spec", Usage: "tasks of the spec `FILE`"},
			&cli.StringFlag{Name: "status", Usage: "tasks that are `STATUS` now: pending, done, accepted, rejected, cancelled, decomposed or lost"},
			&cli.StringFlag{Name: "author", Usage: "events of the author whose address holds `TEXT`"},
			&cli.StringFlag{Name: "task", Usage: "events of the task or issue `ID`, which may be given without --task"},
			&cli.StringFlag{Name: "grep", Usage: "events of tasks and issues that hold `TEXT`, in capitals or not"},
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: -1, Usage: "at most `N` events, 0 for all"},
			&cli.BoolFlag{Name: "reverse", Usage: "the oldest event first"},
			&cli.BoolFlag{Name: "stat", Usage: "count instead of telling, by spec, branch and author"},
			&cli.BoolFlag{Name: "oneline", Usage: "one short line an event"},
			&cli.BoolFlag{Name: "json", Usage: "print JSON, the default where standard output is not a terminal"},
			&cli.BoolFlag{Name: "text", Usage: "print text, the default on a terminal"},
			&cli.StringFlag{Name: "format", Usage: "print `FORMAT`: text, json or jsonl"},
			fetchFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := logFrom(c, env)
			if err != nil {
				return err
			}
			return o.run(c.Context, env)
		},
	}
}

func logFrom(c *cli.Context, env *Env) (logOptions, error) {
	o := logOptions{
		format: formatFrom(c), reverse: c.Bool("reverse"), stat: c.Bool("stat"), oneline: c.Bool("oneline"), fetch: c.Bool("fetch"),
		filter: logFilter{
			all: c.Bool("all"), branch: c.String("branch"), since: c.String("since"), until: c.String("until"), spec: c.String("spec"),
			status: c.String("status"), author: c.String("author"), task: c.String("task"), text: c.String("grep"), limit: c.Int("limit"),
		},
	}
	switch {
	case o.format != "":
	case env.Terminal || o.oneline:
		o.format = formatText
	default:
		o.format = formatJSON
	}
	limited, err := o.filter.readArguments(c)
	if err != nil {
		return o, err
	}
	if !limited {
		o.filter.limit = o.filter.usualLimit(o.stat)
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
			return limited, usage(c, "unexpected argument %q: want one id and one limit such as -5", arg)
		}
	}
	return limited, nil
}

// usualLimit is recent where nothing particular is asked for.
func (f logFilter) usualLimit(stat bool) int {
	f.limit = 0
	if f == (logFilter{}) && !stat {
		return recent
	}
	return 0
}

func (o logOptions) check(c *cli.Context) error {
	for _, name := range [...]string{"branch", "since", "until", "spec", "status", "author", "task", "grep"} {
		if c.IsSet(name) && c.String(name) == "" {
			return usage(c, "flag --%s needs a value", name)
		}
	}
	if o.format == formatJSONL && o.stat {
		return usage(c, "invalid format %q with --stat: want text or json", o.format)
	}
	switch fold.Status(o.filter.status) {
	case "", fold.Status(plan.EventDecomposed), fold.Pending, fold.Done, fold.Accepted, fold.Rejected, fold.Cancelled, fold.Lost, fold.Other, fold.UnknownStatus, fold.Open, fold.Closed:
	default:
		return usage(c, "--status %s: expected pending, done, accepted, rejected, cancelled, decomposed or lost", o.filter.status)
	}
	if o.filter.limit < 0 {
		return usage(c, "--limit %d: expected 0 or more", o.filter.limit)
	}
	return nil
}

func (o logOptions) run(ctx context.Context, env *Env) error {
	if env.Outlives != nil { // what was read is kept, and nothing is left half written
		defer env.Outlives()()
	}
	st, look, err := env.look(ctx, o.fetch)
	if err != nil {
		return err
	}
	defer look.Close() //nolint:errcheck // nothing was written
	question, fixed := o.question()
	keep := fixed && o.format != formatText && !env.Terminal
	if keep {
		if answer := look.Answer(question); answer != nil {
			env.Out.Write(answer)
			return nil
		}
	}
	h, err := env.read(ctx, st, look, o.newest(), o.fetch)
	if err != nil {
		return err
	}
	if keep && !isEmpty(h) { // of nothing, it is said why each time
		if answer := look.Record(question); answer != nil {
			return env.record(answer, func(env *Env) error { return o.tell(ctx, env, st, h) })
		}
	}
	return o.tell(ctx, env, st, h)
}

// record prints an answer, and keeps it.
func (e *Env) record(answer *history.NewAnswer, tell func(*Env) error) error {
	both := *e
	out := bufio.NewWriterSize(io.MultiWriter(e.Out, answer), recordBuffer)
	both.Out = out
	err := tell(&both)
	if failed := out.Flush(); err != nil || failed != nil { // the latter is told at the end of every command
		answer.Drop()
		return err
	}
	answer.Keep() //nolint:errcheck // without it nothing is lost but time
	return nil
}

const recordBuffer = 1 << 16

// newest returns how many of the newest events are enough, 0 for all.
func (o logOptions) newest() int {
	limit := o.filter.limit
	if o.filter != (logFilter{limit: limit}) || o.stat {
		return 0
	}
	return limit
}

// question returns all that an answer for programs depends on beside the
// history; not fixed where that is the clock or the configuration, too.
func (o logOptions) question() (text string, fixed bool) {
	f := o.filter
	o.fetch = false
	return fmt.Sprintf("log %#v\n", o), f.since+f.until+f.branch == ""
}

// tell prints what was asked for.
func (o logOptions) tell(ctx context.Context, env *Env, st *store.Store, h *fold.History) error {
	selected, err := o.filter.of(ctx, st, h)
	if err != nil {
		return err
	}
	if o.filter.branch != "" && len(selected.events) == 0 {
		env.say("note", o.filter.nothingOn(h))
		if o.format == "text" && !o.stat {
			return nil
		}
	}
	if o.reverse {
		selected.reverse()
	}
	switch {
	case o.stat && o.format == formatText:
		env.page(ctx, func(env *Env) { selected.statistics().show(env) })
	case o.stat:
		env.writeJSON(selected.statistics().write)
	case o.format == formatJSON:
		env.writeJSON(func(w sink) { writeHistory(w, selected) })
	case o.format == formatJSONL:
		selected.writeLines(env)
	case o.oneline:
		env.page(ctx, selected.showLines)
	default:
		env.page(ctx, selected.show)
	}
	return nil
}

// writeLines writes an event a line.
func (h selection) writeLines(env *Env) {
	var line bytes.Buffer
	for _, e := range h.events {
		line.Reset()
		h.writeEvent(&line, e)
		text := line.String()
		if env.Terminal {
			text = escaped(text)
		}
		io.WriteString(env.Out, text+"\n")
	}
}

const aboutLog = `Shows what happened to tasks and issues, the newest first, from commits alone.
Without flags: the last 20 events of HEAD's history; with any filter, all that
match. Filters combine.

Where standard output is no terminal it is JSON: the events that were asked for,
and the whole stories of the tasks that they touch.

  {"tasks": [{"id", "desc", "name", "spec", "status", "branch", "author",
              "created": {"commit", "date"}, "done": {"commit", "date", "done_at"},
              "accepted" or "rejected" or "cancelled": {…}, "attempts": […]}],
   "events": [{"event", "id", "commit", "date", "author", "branch", …}]}

docs/history.md says how commits are read. --format jsonl prints an event a line.

EXIT STATUS
  0  done, also where nothing matched
  1  there is no repository, no such task, branch or date, or it cannot be
     fetched
  2  the command line is wrong

EXAMPLES
  git ralph log
  git ralph log t-1a2b
  git ralph log -5 --grep parser
  git ralph log --all --status rejected
  git ralph log --branch feature/parser --since "2 weeks ago"
  git ralph log --since v1.0 --stat
  git ralph log --task t-1a2b --format json | jq -r '.tasks[0].status'`
