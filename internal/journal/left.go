package journal

import (
	"strconv"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/proc"
)

// RunVariable is set in the environment of every agent to the name of its run. It marks what belongs to the run.
const RunVariable = "GIT_RALPH_RUN"

// ProcessEvent tells which process group an agent runs in, so that the next command can end what a killed run left.
func ProcessEvent(at string, id proc.ID) jsonl.Object {
	return jsonl.Build([]jsonl.Member{
		{Name: "t", Value: jsonl.Quote("process")},
		{Name: "at", Value: jsonl.Quote(at)},
		{Name: "pid", Value: jsonl.Value(strconv.Itoa(id.PID))},
		{Name: "start", Value: jsonl.Quote(id.Start)},
	})
}

// EndLeft ends what the last run left behind, if it was killed while an agent worked. It tells whether there was
// anything. While a run is under way nothing is touched. At is the time, for the journal.
func (j Journal) EndLeft(at string, grace time.Duration) bool {
	name, err := j.Last()
	if err != nil {
		return false
	}
	id, open := j.openProcess(name)
	if !open {
		return false
	}
	held, err := j.lock("clean up")
	if err != nil {
		return false
	}
	defer held.Release() //nolint:errcheck // the process ends soon
	found := proc.EndLeft(id, RunVariable+"="+name, grace)
	r := &Run{Name: name, journal: j, held: held}
	if r.open() == nil {
		r.Write(jsonl.Build([]jsonl.Member{
			{Name: "t", Value: jsonl.Quote("end")}, {Name: "at", Value: jsonl.Quote(at)}, {Name: "why", Value: jsonl.Quote("killed")},
		}))
		r.Close()
	}
	return found
}

// openProcess gives the process of the last agent of a run, if nothing tells that it ended.
func (j Journal) openProcess(run string) (id proc.ID, open bool) {
	events, err := j.Events(run)
	if err != nil {
		return proc.ID{}, false
	}
	for _, e := range events {
		switch Text(e, "t") {
		case "process":
			pid, _ := e.Get("pid")
			id.PID, _ = strconv.Atoi(string(pid))
			id.Start, open = Text(e, "start"), true
		case "outcome", "end":
			open = false
		}
	}
	return id, open
}

// Text gives a member of an event that is a string, else "".
func Text(event jsonl.Object, name string) string {
	if value, found := event.Get(name); found {
		text, _ := value.Str()
		return text
	}
	return ""
}
