package journal

import (
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/proc"
)

// RunVariable is set in the environment of every agent to the name of its run. It marks what belongs to the run.
const RunVariable = "GIT_RALPH_RUN"

// IterationVariable is set for an agent to the number of its iteration.
const IterationVariable = "GIT_RALPH_ITERATION"

// agent is the record of the agent's process while it runs. If it exists and nobody holds the lock, the run was killed, and
// its agent may still be running.
func (j Journal) agent() record { return record(filepath.Join(j.dir, "agent.json")) }

// AgentBegan records the agent's process, which leads its process group.
func (r *Run) AgentBegan(id proc.ID) { Process{ID: id, Run: r.Name}.write(r.journal.agent()) }

// AgentEnded records that the agent and all that it started have ended.
func (r *Run) AgentEnded() { r.journal.agent().remove() }

// A KilledRun holds the processes of a run that was killed.
type KilledRun struct {
	Processes []Process // the run's agent and its git commands, none of which is alive any more
	Ended     []Process // of these, those that were still running, or had left something running, and were ended
}

// CleanUpKilledRun ends the processes that a killed run left behind, and calls cleanUp with them while it holds the lock of runs.
// It does nothing while a run is under way. At is the time, for the journal. If nothing was left, it only looks at two files.
func (j Journal) CleanUpKilledRun(at string, grace time.Duration, cleanUp func(KilledRun)) {
	if len(j.recorded()) == 0 {
		return
	}
	held, err := j.lock("clean up")
	if err != nil {
		return
	}
	r := &Run{journal: j, held: held}
	defer r.held.Release() //nolint:errcheck // the process ends soon
	defer r.AgentEnded()
	defer j.forgetCommands()
	left := KilledRun{Processes: j.recorded()} // read again: another run may have begun and ended meanwhile
	for _, p := range left.Processes {
		if isRun(p.Run) && r.Name != p.Run {
			r.Name = p.Run
			r.recordKilled(at)
		}
		if p.Run != "" && proc.EndRemaining(p.ID, p.mark(), grace) {
			left.Ended = append(left.Ended, p)
		}
	}
	cleanUp(left)
}

// recorded lists the agent and the git commands that were not recorded as ended.
func (j Journal) recorded() []Process {
	paths, _ := filepath.Glob(filepath.Join(j.dir, commandsDir, "*.json")) //nolint:errcheck // the pattern is good
	var all []Process
	for _, path := range append(paths, string(j.agent())) {
		if p, err := readProcess(path); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// recordKilled writes into the run's own journal how it ended.
func (r *Run) recordKilled(at string) {
	r.journal.live(r.Name).remove()
	if _, err := os.Stat(r.journal.path(r.Name, eventLog)); err != nil || r.open() != nil {
		return
	}
	r.WriteEvent(jsonl.Build([]jsonl.Member{
		{Name: "t", Value: jsonl.Quote("end")}, {Name: "at", Value: jsonl.Quote(at)}, {Name: "why", Value: jsonl.Quote("killed")},
	}))
	r.file.Close()
}

// Text returns a member of an event that is a string, else "".
func Text(event jsonl.Object, name string) string {
	if value, found := event.Get(name); found {
		text, _ := value.Str()
		return text
	}
	return ""
}
