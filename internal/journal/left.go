package journal

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/proc"
)

// RunVariable is set in the environment of every agent to the name of its run. It marks what belongs to the run.
const RunVariable = "GIT_RALPH_RUN"

// agentFile tells which process an agent is, while it works. When it is there and nobody holds the lock, the run was
// killed, and its agent may have gone on.
const agentFile = "agent.json"

// AgentBegan notes which process, and so which group, the agent runs in.
func (r *Run) AgentBegan(id proc.ID) {
	note := jsonl.Build([]jsonl.Member{
		{Name: "run", Value: jsonl.Quote(r.Name)},
		{Name: "pid", Value: jsonl.Value(strconv.Itoa(id.PID))},
		{Name: "start", Value: jsonl.Quote(id.Start)},
	})
	os.WriteFile(r.journal.agentPath(), []byte(note.Text()+"\n"), 0o666) //nolint:errcheck // without it only a SIGKILL leaves something behind
}

// AgentEnded notes that the agent and all that it started have ended.
func (r *Run) AgentEnded() { os.Remove(r.journal.agentPath()) } //nolint:errcheck // see AgentBegan

func (j Journal) agentPath() string { return filepath.Join(j.dir, agentFile) }

// EndLeft ends what a killed run left behind, and tells whether there was anything. While a run is under way nothing is
// touched. At is the time, for the journal. Where nothing was left it costs one look at a file.
func (j Journal) EndLeft(at string, grace time.Duration) bool {
	data, err := os.ReadFile(j.agentPath())
	if err != nil {
		return false
	}
	held, err := j.lock("clean up")
	if err != nil {
		return false
	}
	r := &Run{journal: j, held: held}
	defer r.held.Release() //nolint:errcheck // the process ends soon
	defer r.AgentEnded()
	note, err := jsonl.ParseObject(strings.TrimSpace(string(data)))
	if err != nil || !isRun(Text(note, "run")) {
		return false
	}
	r.Name = Text(note, "run")
	r.noteKilled(at)
	pid, _ := note.Get("pid")
	id := proc.ID{Start: Text(note, "start")}
	id.PID, _ = strconv.Atoi(string(pid))
	return proc.EndLeft(id, RunVariable+"="+r.Name, grace)
}

// noteKilled tells in the run's own journal how it ended.
func (r *Run) noteKilled(at string) {
	os.Remove(r.journal.path(r.Name, liveFile)) //nolint:errcheck // there may be none
	if _, err := os.Stat(r.journal.path(r.Name, eventLog)); err != nil || r.open() != nil {
		return
	}
	r.Write(jsonl.Build([]jsonl.Member{
		{Name: "t", Value: jsonl.Quote("end")}, {Name: "at", Value: jsonl.Quote(at)}, {Name: "why", Value: jsonl.Quote("killed")},
	}))
	r.file.Close()
}

// Text gives a member of an event that is a string, else "".
func Text(event jsonl.Object, name string) string {
	if value, found := event.Get(name); found {
		text, _ := value.Str()
		return text
	}
	return ""
}
