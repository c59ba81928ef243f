package iteration

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"git-ralph/internal/agent"
	"git-ralph/internal/debuglog"
	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/proc"
)

// A StartError says that the agent could not be started.
type StartError struct{ err error }

func (e *StartError) Error() string { return "cannot start the agent: " + e.err.Error() }

func (e *StartError) Unwrap() error { return e.err }

// Do runs a job. An error, such as a StartError, is one that the next iteration would also get; the outcome is valid with
// it.
func (p Workspace) Do(ctx context.Context, j Job) (Outcome, error) {
	var err error
	if j.checked, err = p.runChecks(ctx, j); err != nil {
		return Outcome{}, err
	}
	prompt, ended, err := p.ask(ctx, j)
	if err != nil {
		return Outcome{}, err
	}
	ctx = context.WithoutCancel(ctx) // what the agent did is recorded completely, even if the run is to end
	f := finishedJob{p, j, prompt, ended}
	settled, err := f.settle(ctx)
	if err != nil {
		where := " in the plan"
		if p.Source != nil {
			where = ""
		}
		return Outcome{Agent: ended, Result: Failed, Text: "cannot record its outcome" + where + ": " + err.Error()},
			fmt.Errorf("cannot record the outcome of iteration %d%s: %w", j.N, where, err)
	}
	return f.outcome(ctx, settled), nil
}

// ask starts the agent. Where checks failed it is not started.
func (p Workspace) ask(ctx context.Context, j Job) (renderedPrompt, agent.Outcome, error) {
	if checkFailed(j.checked) {
		return renderedPrompt{}, agent.Outcome{End: agent.Exited}, p.logChecks(j)
	}
	prompt, err := p.render(ctx, j)
	if err != nil {
		return renderedPrompt{}, agent.Outcome{}, err
	}
	ended, err := p.runAgent(ctx, j, prompt.text)
	return prompt, ended, err
}

// Log returns the name of the iteration's log, as plans hold it.
func (p Workspace) Log(j Job) string { return journal.LogName(p.Run.Name, j.N) }

// How full an agent's context may become, in percent of its window.
const (
	warnPercent = 70
	maxPercent  = 95
)

// runAgent starts the agent with a prompt and waits for its end.
func (p Workspace) runAgent(ctx context.Context, j Job, prompt string) (agent.Outcome, error) {
	file, err := p.Run.WritePrompt(j.N, prompt)
	if err != nil {
		return agent.Outcome{}, err
	}
	log, err := p.Run.OpenLog(j.N)
	if err != nil {
		return agent.Outcome{}, err
	}
	defer log.Close()           //nolint:errcheck // an incomplete log is no reason to stop
	p.Run.AgentBegan(proc.ID{}) // in case this process is killed before it knows the id
	j.Limits.Warn, j.Limits.Context = j.Agent.Window*warnPercent/100, j.Agent.Window*maxPercent/100
	ended, err := agent.Run{
		Profile: j.Agent, Prompt: file, Dir: p.Store.Repo().Root(), Log: log, Limits: j.Limits,
		Env:     p.environ(j),
		Masker:  p.Masker,
		Inherit: j.Inherit,
		Started: p.Run.AgentBegan,
		Tools:   p.recordTools(),
		Watch:   func(r agent.Progress) { log.Flush(); j.Watch(r) },
		Warn:    func() { p.warn(j.N, "more than %d %% of the agent's context window is used", warnPercent) },
	}.Do(ctx)
	if ended.End != agent.Exited || ended.Code < 0 { // its git commands were killed with it
		for _, path := range git.RemoveStaleLocks(p.Store.Repo(), git.EndedProcess{Began: j.Began}) {
			p.warn(j.N, "removed the lock file of a git command that was killed: %s", path)
		}
	}
	p.addServiceLimit(&ended, j)
	p.Run.AgentEnded() // last: what a kill leaves undone here is done by the next command
	if err != nil {
		return ended, &StartError{err}
	}
	return ended, nil
}

// addServiceLimit adds the limit of its service that the agent's hook recorded, where its output did not say so.
func (p Workspace) addServiceLimit(ended *agent.Outcome, j Job) {
	if ended.ServiceLimit != "" || ended.Success() {
		return
	}
	if text, at := p.Run.Journal().ServiceLimit(p.Log(j)); text != "" {
		ended.ServiceLimit, ended.ServiceLimitAt = p.Masker.Text(text), at
	}
}

// environ returns the agent's environment: the user's, with the run, iteration,
// stage and task.
func (p Workspace) environ(j Job) []string {
	environ := append(slices.Clone(j.Environ),
		journal.RunVariable+"="+p.Run.Name,
		journal.IterationVariable+"="+strconv.Itoa(j.N),
		"GIT_RALPH_STAGE="+string(j.Stage()),
		"GIT_RALPH_TASK="+j.ID(),
	)
	if log := p.Store.Repo().Git().Debug; log != nil {
		environ = append(environ, debuglog.SessionVariable+"="+log.Session())
	}
	return environ
}

// limited reports whether the agent did not succeed because of a limit of its service, however it ended.
func limited(o agent.Outcome) bool {
	return o.ServiceLimit != "" && o.End != agent.Interrupted && !o.Success()
}
