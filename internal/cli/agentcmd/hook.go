package agentcmd

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agent"
	"git-ralph/internal/agenthook"
	"git-ralph/internal/agentsession"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/workplanview"
	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/store"
	"git-ralph/internal/workplanloop"
)

func newHook(env *term.Env, primer func() string) *cli.Command {
	return &cli.Command{
		Name: "hook", Usage: "answer an event of an agent's session", ArgsUsage: "AGENT EVENT …", SkipFlagParsing: true,
		Description: `Agents call it, with the event as JSON on standard input; the answer is on standard
output, in the agent's own form. It never keeps an agent from working: whatever is
unexpected is written to .git/ralph/agent-hooks.jsonl, and the agent continues.

EXIT STATUS
  0  always

EXAMPLES
  git ralph agent hook claude Stop <input.json`,
		Action: func(c *cli.Context) error {
			quiet := *env
			quiet.Err = io.Discard
			h := hook{env: &quiet, agent: c.Args().Get(0), name: c.Args().Get(1), primer: primer, look: workplanview.Look}
			answer := h.answer(c.Context)
			if env.IgnoreBrokenPipe != nil {
				defer env.IgnoreBrokenPipe()()
			}
			io.WriteString(env.Tty, answer) //nolint:errcheck // the agent is gone
			return nil
		},
	}
}

// maxInput bounds what an agent may write to a hook, in bytes.
const maxInput = 64 << 20

// A hook answers one event.
type hook struct {
	env         *term.Env
	agent, name string
	primer      func() string
	look        func(ctx context.Context, env *term.Env, near *git.Repo, file string) (workplanloop.Seen, error)

	input agenthook.Input
	store *store.Store
}

// answer returns what is to be printed. Whatever goes wrong lets the agent continue.
func (h *hook) answer(ctx context.Context) (out string) {
	vendor, err := agenthook.Find(h.agent)
	pass := vendor.Write(h.name, agenthook.Verdict{})
	var verdict agenthook.Verdict
	defer func() {
		if bug := recover(); bug != nil {
			err = fmt.Errorf("bug: %v", bug)
		}
		if err != nil {
			out = pass
			h.note(ctx, "error", err.Error())
		}
		planio.RecordEnd(h.env, err, cmdline.ExitDone, verdict.Block != "" || verdict.Deny != "")
	}()
	if err != nil {
		return ""
	}
	data, unread := firstValue(io.LimitReader(h.env.In, maxInput))
	if h.input, err = vendor.Read(h.name, data); err != nil {
		if unread != nil && errors.Is(err, agenthook.ErrInput) {
			err = fmt.Errorf("%w: %w", agenthook.ErrInput, unread)
		}
		return ""
	}
	if verdict, err = h.verdict(ctx); err != nil {
		return ""
	}
	return vendor.Write(h.name, verdict)
}

// firstValue returns the JSON value that an input begins with, after a byte-order mark if there is one. It waits for nothing behind the
// value: agents may keep the input open.
func firstValue(input io.Reader) (value json.RawMessage, err error) {
	const byteOrderMark = "\ufeff"
	r := bufio.NewReader(input)
	if first, _ := r.Peek(1); string(first) == byteOrderMark[:1] {
		if mark, _ := r.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
			r.Discard(len(byteOrderMark)) //nolint:errcheck // it was read
		}
	}
	err = json.NewDecoder(r).Decode(&value)
	return value, err
}

// verdict decides, and notes in the journal what keeps an agent from doing something.
func (h *hook) verdict(ctx context.Context) (agenthook.Verdict, error) {
	s := agenthook.Situation{
		Event: h.input.Event, Session: h.input.Session, Command: h.input.Command, Teammate: term.Printable(h.input.Teammate), Subject: term.Printable(h.input.Subject),
	}
	var err error
	switch s.Event {
	case agenthook.Stop, agenthook.SubagentStop:
		err = h.lookForWork(ctx, &s)
	case agenthook.SessionStart:
		s.Primer, err = h.sessionPrimer(ctx)
	case agenthook.BeforeTool:
		s.PlanFile, err = h.writtenPlan(ctx)
	case agenthook.SessionEnd, agenthook.StopFailure:
		h.end(ctx)
	case agenthook.SubagentStart, agenthook.AfterTool, agenthook.TaskCompleted, agenthook.TeammateIdle:
		h.open(ctx) //nolint:errcheck // the debug log alone needs it
	}
	verdict := agenthook.Decide(s)
	if h.env.Debug != nil {
		h.record(verdict.Block != "")
	}
	if err == nil && (verdict.Block != "" || verdict.Deny != "") {
		h.note(ctx, "verdict", verdict.Block+verdict.Deny)
	}
	return verdict, err
}

// directories returns where the session is: where its agent is now, and where it was started.
func (h *hook) directories() []string {
	var dirs []string
	for _, dir := range []string{h.input.Dir, h.env.Getenv("CLAUDE_PROJECT_DIR"), h.env.Dir} {
		if dir == "" || !filepath.IsAbs(dir) || slices.Contains(dirs, dir) {
			continue
		}
		if _, err := os.Stat(dir); err == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// open opens the repository of the session; false where there is none. It starts no process to find that out.
func (h *hook) open(ctx context.Context) (bool, error) {
	if h.store != nil {
		return true, nil
	}
	for _, dir := range h.directories() {
		if git.SurelyOutside(dir, h.env.Environ) {
			continue
		}
		env := *h.env
		env.Dir, env.DebugSession = dir, h.input.Session
		st, err := planio.Open(ctx, &env)
		if err != nil {
			return false, err
		}
		h.store, h.env = st, &env
		return !st.Repo().Bare(), nil
	}
	return false, nil
}

// sessions returns what is kept of sessions. The repository has been opened.
func (h *hook) sessions() agentsession.Directory { return agentsession.Of(h.store.Repo().CommonDir()) }

// note writes a line to the journal, where there is a repository.
func (h *hook) note(ctx context.Context, kind, text string) {
	if ok, err := h.open(ctx); !ok || err != nil {
		return
	}
	const maxText = 2000 // of a line, in bytes
	if len(text) > maxText {
		text = text[:maxText] + "…"
	}
	var members []jsonl.Member
	for _, m := range [][2]string{
		{"t", kind},
		{"at", h.env.Now().UTC().Format(time.RFC3339)},
		{"agent", h.agent},
		{"event", h.name},
		{"session", h.input.Session},
		{"text", text},
	} {
		members = append(members, jsonl.Member{Name: m[0], Value: jsonl.Quote(m[1])})
	}
	h.journal().WriteAgentHook(jsonl.Build(members))
}

// journal returns the journal of the worktree. The repository has been opened.
func (h *hook) journal() journal.Journal { return journal.Of(h.store.Repo().GitDir()) }

// end notes that a session or a turn ended. Where a limit of its service ended it, the run that started the agent, if one did, waits
// until that is over.
func (h *hook) end(ctx context.Context) {
	if ok, err := h.open(ctx); !ok || err != nil {
		return
	}
	kind := "end"
	if h.input.Event == agenthook.StopFailure {
		kind = "failure"
		if agent.IsServiceLimit(h.input.Reason) {
			kind = "limit"
			h.journal().RecordServiceLimit(h.env.Getenv(journal.RunVariable)+"/"+h.env.Getenv(journal.IterationVariable)+".log", h.input.Reason)
		}
	}
	h.note(ctx, kind, h.input.Reason)
	if h.input.Event == agenthook.SessionEnd {
		h.sessions().EndSession(h.input.Session)
	}
}
