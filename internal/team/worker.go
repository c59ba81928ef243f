package team

import (
	"fmt"
	"os"
	"slices"
	"time"

	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/proc"
	"git-ralph/internal/work"
)

// The exit codes of a worker that mean more than that it failed.
const (
	exitDone        = 0
	exitNothing     = 3
	exitLocked      = 4 // another process works under its name
	exitLimit       = 6
	exitNoProgress  = 7
	exitAgent       = 8
	exitGate        = 9
	exitInterrupted = 130
)

// maxDeaths is how often a worker that died is started again, unless it finished something in between.
const maxDeaths = 3

// Backoff is how long to wait before the first restart of a worker that died; before each further one twice as long.
const Backoff = time.Second

// elsewherePause is how long to wait before another process with the name of a worker is looked for again.
const elsewherePause = 500 * time.Millisecond

// A worker is a member at work.
type worker struct {
	Member
	log       *journal.WorkerLog
	earlier   *journal.WorkerLog // of the process that an earlier run started; nil for none
	child     *proc.Child        // nil while it does not run
	starts    int
	began     time.Time   // of its process
	deaths    int         // since it finished something
	saw       string      // the state of the board when it was started
	job       Job         // that it was started for
	ran       bool        // an agent has worked on it
	next      time.Time   // it is not started before
	gone      loop.Reason // why it is never started again
	away      bool        // another process works under its name
	elsewhere bool        // as away, as it was looked up for whoever watches
	live      WorkerLive
}

// next returns what the worker is going to be started for, if there is something for it that it has not seen, or it died.
func (t *Team) next(w *worker, b Board) (Job, bool) {
	switch {
	case w.child != nil || w.gone != "":
		return Job{}, false
	case t.Fresh:
		return t.nextJob(w, b)
	}
	return Job{}, w.away || t.hasWork(w.Role, b) && w.saw != b.state
}

// hasWork reports whether there is something to do for a role.
func (t *Team) hasWork(role Role, b Board) bool {
	return (b.Landing > 0 || b.Follows) && t.lands(role) || b.work[role]
}

// lands reports whether a role lands what waits: the integrator or, without one, builders.
func (t *Team) lands(role Role) bool {
	return role == Integrator || role == Builder && !slices.ContainsFunc(t.Members, func(m Member) bool { return m.Role == Integrator })
}

// start starts the worker's process.
func (t *Team) start(w *worker, j Job, b Board) error {
	events, messages, err := t.Config.Run.OpenWorker(w.Name)
	if err != nil {
		return err
	}
	defer events.Close()
	defer messages.Close()
	w.starts++
	c := t.Command(Assignment{w.Member, j})
	c.Stdout, c.Stderr = events, messages
	if w.child, err = proc.StartChild(c, fmt.Sprintf("%s=%s/%s.%d", Mark, t.Config.Run.Name, w.Name, w.starts)); err != nil {
		return err
	}
	if !t.Detach {
		err = w.child.EndWithParent()
	}
	w.saw, w.job, w.ran, w.away, t.tried[j.key] = b.state, j, false, false, b.state
	w.began = t.Now()
	if j.Role == Integrator {
		t.asked = w.began
	}
	t.recordBegin(w)
	t.report(Event{Worker: w.Name, Event: loop.Event{Kind: WorkerBegan, ID: j.Task, PID: w.child.ID.PID}})
	go func(exited <-chan struct{}) {
		<-exited
		t.wake()
	}(w.child.Exited())
	return err
}

// Mark names the variable by which all is found that a worker has started.
const Mark = "GIT_RALPH_TEAM"

// reap takes note of a worker that has ended, and ends what it left running.
func (t *Team) reap(w *worker, now time.Time) {
	child := w.child
	child.EndRemaining(t.Grace)
	t.collect(w)
	w.child, w.away = nil, false
	w.live = WorkerLive{Member: w.Member}
	code := child.Code()
	t.recordEnd(w, code, now)
	switch code {
	case exitDone, exitNothing, exitNoProgress, exitGate:
		if w.ran {
			t.tried[w.job.key] = always
		}
		return
	case exitLocked:
		w.away, w.next = true, now.Add(elsewherePause)
		t.total.worker(w.Name).Starts-- // it did not begin
		t.retry(w)
		return
	case exitLimit:
		w.gone = loop.LimitHit
	case exitAgent:
		w.gone = loop.AgentFails
	default:
		if t.stopping {
			return
		}
		if t.noRoom = t.Config.Run.CheckRoom(); t.noRoom != nil { // whoever is started again dies again
			w.gone = loop.Broken
			break
		}
		if w.deaths++; w.deaths <= maxDeaths {
			w.next = now.Add(t.Backoff << (w.deaths - 1))
			t.retry(w)
			t.warn(w, fmt.Sprintf("%s; it is started again", howEnded(code, w.log)))
			return
		}
		w.gone = loop.Broken
	}
	t.report(Event{Worker: w.Name, Event: loop.Event{Kind: WorkerEnded, Why: w.gone, Text: howEnded(code, w.log)}})
}

// retry lets what the worker was started for be begun again, although nothing has changed.
func (t *Team) retry(w *worker) {
	w.saw = ""
	delete(t.tried, w.job.key)
}

// howEnded says how a worker's process ended.
func howEnded(code int, log *journal.WorkerLog) string {
	if code < 0 {
		return "its process was killed"
	}
	if said := log.LastMessage(); said != "" {
		return said
	}
	return fmt.Sprintf("its process ended with code %d", code)
}

// collect reports what a worker has printed.
func (t *Team) collect(w *worker) {
	events := w.log.Events()
	if w.earlier != nil {
		events = append(w.earlier.Events(), events...)
	}
	for _, object := range events {
		e := readEvent(w.Name, object)
		switch e.Kind {
		case work.Finished:
			w.deaths = 0
		case work.Claimed:
			w.live.ID, w.live.Task = e.ID, e.Name
		case loop.RunBegan:
			w.live.Run = e.Run
			continue // its own, not the team's
		case loop.RunEnded:
			continue
		case loop.IterationBegan:
			w.ran, w.live.Stage, w.live.Began, w.live.Tool = true, e.Stage, e.At, ""
		case loop.IterationEnded:
			w.live.Stage, w.live.Began = "", time.Time{}
			w.live.Tokens += e.Tokens
			w.live.Cost += e.Cost
		case work.Released:
			w.live.ID, w.live.Task = "", ""
		}
		t.report(e)
	}
}

// signal asks a worker to end after its iteration, or at once.
func (w *worker) signal(s os.Signal) {
	if w.child != nil {
		w.child.Signal(s)
	}
}
