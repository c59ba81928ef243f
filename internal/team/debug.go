package team

import (
	"time"

	"git-ralph/internal/debuglog"
)

// recordBegin records in the debug log that a worker was started.
func (t *Team) recordBegin(w *worker) {
	if t.Debug != nil {
		t.Debug.Record(debuglog.Event{Category: debuglog.Agent, Name: "worker", Result: debuglog.Began, Params: debuglog.Params("worker", w.Name, "task", w.job.Task)})
	}
}

// recordEnd records how a worker ended, by its exit status.
func (t *Team) recordEnd(w *worker, code int, now time.Time) {
	if t.Debug == nil {
		return
	}
	e := debuglog.Event{Category: debuglog.Agent, Name: "worker", Params: debuglog.Params("worker", w.Name, "task", w.job.Task), Took: now.Sub(w.began), Exit: code}
	switch code {
	case exitDone, exitNothing, exitNoProgress, exitGate, exitLocked, exitLimit:
	default:
		if !t.stopping {
			e.Type, e.Error = debuglog.ExitType(code), howEnded(code, w.log)
		}
	}
	t.Debug.Record(e)
}
