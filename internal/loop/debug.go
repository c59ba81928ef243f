package loop

import (
	"git-ralph/internal/debuglog"
	"git-ralph/internal/iteration"
)

// record records the beginning and the end of an iteration in the debug log.
func record(log *debuglog.Recorder, e Event) {
	d := debuglog.Event{Category: debuglog.Agent, Name: string(e.Stage), Params: debuglog.Params("id", e.ID, "task", e.Name, "agent", e.Agent, "text", e.Text), Took: e.Took}
	switch e.Kind {
	case IterationBegan:
		d.Result = debuglog.Began
	case IterationEnded:
		if e.Result == iteration.Failed || e.Result == iteration.Killed {
			d.Type, d.Error = string(e.Result), e.Text
		}
	default:
		return
	}
	log.Record(d)
}
