package team

import (
	"cmp"
	"context"
	"os"
	"slices"
	"syscall"
	"time"

	"git-ralph/internal/debuglog"
	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
)

// A Reporter shows how a team's run goes on. It is called from one goroutine at a time.
type Reporter interface {
	Report(e Event)
	Progress(l Live)
}

// A Config holds the dependencies and options of a Team.
type Config struct {
	Members  []Member                                  // with which the run begins: it has more once the board's roster does
	Planned  []plan.Event                              // what was added to the plan before
	Fresh    bool                                      // a worker is started for each job anew, and ends with it
	Command  func(a Assignment) proc.Cmd               // that starts a worker
	Journal  func(name string) (journal.Journal, bool) // of a worker's worktree; not found where there is none yet
	Runs     func(name string) bool                    // reports whether a worker of that name runs already; may be nil
	Board    func(ctx context.Context) (Board, error)
	Run      *journal.Run
	Reporter Reporter
	Debug    *debuglog.Recorder // nil where nobody has asked for it
	Now      func() time.Time
	PID      int
	Grace    time.Duration // from TERM to KILL
	Backoff  time.Duration // before a worker that died is started again for the first time
	Poll     time.Duration // between two looks at the board
	Again    time.Duration // between two workers that are started to ask about pull requests
	Detach   bool          // workers go on when the run ends early
	Goals    loop.Goals    // the limits of the whole run

	// StopRequested is closed when the run is to end after the iterations under way. The context of Do ends it at once.
	StopRequested <-chan struct{}
}

// A Team is one run. Make it with New and call Do once.
type Team struct {
	Config

	workers  []*worker
	total    Summary
	began    time.Time
	stopping bool
	woken    chan struct{}
	tried    map[string]string // keys of jobs that were begun, with the state of the board then
	shown    time.Time         // when the journal last recorded the progress
	asked    time.Time         // when a fresh worker was last started to land, and to ask about pull requests
	failures int               // to read the board, in a row
	noRoom   error             // of the disk, where a worker died
	quiet    quiet
}

// quiet is since when the board has shown nothing new.
type quiet struct {
	state string
	since time.Time
}

// How long the board may show nothing new while workers run and all of them only wait: whatever they could do they would have
// begun. A landing runs a check, which takes long.
const (
	stuckTime    = 20 * time.Second
	checkingTime = 40 * time.Minute
)

// New returns a team.
func New(c Config) *Team {
	t := &Team{Config: c, woken: make(chan struct{}, 1), tried: map[string]string{}}
	t.add(c.Members)
	return t
}

// add gives members a place.
func (t *Team) add(members []Member) {
	for _, m := range members {
		t.workers = append(t.workers, &worker{Member: m, log: t.Config.Run.WorkerLog(m.Name), earlier: t.Config.Run.EarlierWorkerLog(m.Name)})
		t.total.Workers = append(t.total.Workers, WorkerSummary{Member: m})
	}
}

// grow adds the workers that the work calls for and the team does not have. Nobody is sent away: who has nothing to do waits.
func (t *Team) grow(b Board) {
	more := slices.DeleteFunc(b.Roster.Members(), func(m Member) bool { return slices.Contains(t.Members, m) })
	if len(more) == 0 {
		return
	}
	t.Members = append(t.Members, more...)
	t.add(more)
	t.reportRoster()
}

// reportRoster says who is in a team that may grow.
func (t *Team) reportRoster() {
	size := Roster{}
	for _, m := range t.Members {
		size[m.Role]++
	}
	t.report(Event{Event: loop.Event{Kind: RosterGrown, Text: size.String()}})
}

// Do runs the team until the plan is complete, nobody can go on, or the run is stopped.
func (t *Team) Do(ctx context.Context) (Summary, error) {
	t.began = t.Now()
	t.report(Event{Event: loop.Event{Kind: loop.RunBegan, Run: t.Config.Run.Name, PID: t.PID}})
	if len(t.Planned) > 0 {
		t.report(Event{Event: loop.Event{Kind: Planned, Steps: t.Planned}})
	}
	why, text, err := t.work(ctx)
	t.stop(ctx, why)
	t.total.Why, t.total.Text, t.total.Took = why, text, t.Now().Sub(t.began)
	t.report(Event{Event: t.total.Event()})
	return t.total, err
}

// work runs until there is a reason to end.
func (t *Team) work(ctx context.Context) (loop.Reason, string, error) {
	for {
		for _, w := range t.workers {
			t.collect(w)
			if w.child != nil && isClosed(w.child.Exited()) {
				t.reap(w, t.Now())
			}
			t.lookForReturn(w)
		}
		if ctx.Err() != nil || isClosed(t.StopRequested) {
			return loop.Interrupted, "", nil
		}
		if t.noRoom != nil {
			return loop.Broken, t.noRoom.Error(), t.noRoom
		}
		b, err := t.Board(ctx)
		if err != nil {
			if why, text := t.unreadable(ctx, err); why != "" {
				return why, text, err
			}
			t.pause(ctx)
			continue
		}
		t.failures = 0
		t.grow(b)
		if why, text := t.endReason(b); why != "" {
			return why, text, nil
		}
		if limit := t.Goals.Limit(t.total.Summary, t.Now().Sub(t.began)); limit != "" {
			return loop.LimitHit, limit, nil
		}
		if err := t.startDue(b); err != nil {
			return loop.Broken, err.Error(), err
		}
		t.show(b)
		t.pause(ctx)
	}
}

// maxFailures is how often in a row the board may not be read: an agent or a person may be changing what it is read from.
const maxFailures = 20

// unreadable returns why the run ends that cannot read the board, if it does.
func (t *Team) unreadable(ctx context.Context, err error) (loop.Reason, string) {
	if ctx.Err() != nil {
		return loop.Interrupted, ""
	}
	if t.failures++; t.failures < maxFailures {
		return "", ""
	}
	return loop.Broken, err.Error()
}

// endReason returns why the run ends, if it does.
func (t *Team) endReason(b Board) (why loop.Reason, text string) {
	if b.Complete() {
		return loop.Complete, ""
	}
	if t.Fresh && b.Pulls && t.canDo(Integrator) { // it asks again
		return "", ""
	}
	var gone loop.Reason
	for _, w := range t.workers {
		if (w.child != nil || w.away) && (t.Fresh || !t.isStuck(b)) {
			return "", ""
		}
		if _, waits := t.next(w, b); waits && !w.away {
			return "", ""
		}
		if w.gone != "" {
			gone = w.gone
		}
	}
	switch {
	case gone != "":
		return gone, "nobody is left who could go on"
	case b.Working > 0: // others do
		return "", ""
	case b.Gate != "":
		return loop.Gate, b.Gate
	case b.Landing > 0:
		return loop.NoProgress, "what waits to land cannot: see `git ralph land --all`"
	}
	return loop.NoProgress, cmp.Or(b.missing(t.Members), t.gotNowhere(b), "every pending task is blocked, or no worker takes it")
}

// isStuck reports whether nothing has changed for so long that workers which only wait would wait for ever.
func (t *Team) isStuck(b Board) bool {
	now := t.Now()
	busy := slices.ContainsFunc(t.workers, func(w *worker) bool { return w.live.Stage != "" })
	if busy || b.state != t.quiet.state || t.quiet.since.IsZero() {
		t.quiet = quiet{b.state, now}
	}
	if b.Pulls { // whoever lands asks GitHub
		return false
	}
	if b.Landing > 0 && slices.ContainsFunc(t.workers, func(w *worker) bool { return (w.child != nil || w.away) && t.lands(w.Role) }) {
		return now.Sub(t.quiet.since) >= checkingTime
	}
	return now.Sub(t.quiet.since) >= stuckTime
}

// startDue starts workers that have something to do.
func (t *Team) startDue(b Board) error {
	for _, w := range t.workers {
		if j, found := t.next(w, b); found && !t.Now().Before(w.next) {
			if t.Runs != nil && t.Runs(w.Name) {
				w.away, w.next = true, t.Now().Add(elsewherePause)
				continue
			}
			if err := t.start(w, j, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// pause waits until it is time to look again.
func (t *Team) pause(ctx context.Context) {
	timer := time.NewTimer(t.Poll)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-t.StopRequested:
	case <-t.woken:
	case <-timer.C:
	}
}

// wake ends the pause.
func (t *Team) wake() {
	select {
	case t.woken <- struct{}{}:
	default:
	}
}

// stop ends the workers, and waits until they have ended.
func (t *Team) stop(ctx context.Context, why loop.Reason) {
	t.stopping = true
	if t.Detach && why == loop.Interrupted {
		return
	}
	for _, w := range t.workers {
		switch {
		case ctx.Err() != nil: // see await
		case why == loop.Interrupted, why == loop.LimitHit, t.Fresh:
			w.signal(os.Interrupt) // after its iteration
		default:
			w.signal(syscall.SIGTERM) // it only waits
		}
	}
	for _, w := range t.workers {
		t.await(ctx, w)
	}
}

// await waits until a worker has ended, and ends it when the context ends.
func (t *Team) await(ctx context.Context, w *worker) {
	for w.child != nil {
		select {
		case <-w.child.Exited():
			t.reap(w, t.Now())
		case <-ctx.Done():
			w.child.End(t.Grace)
			t.reap(w, t.Now())
		case <-time.After(t.Poll):
			t.collect(w)
		}
	}
}

// report writes an event to the journal and to whoever watches, and counts it.
func (t *Team) report(e Event) {
	if e.At.IsZero() {
		e.At = t.Now()
	}
	t.total.add(e)
	t.Config.Run.WriteEvent(e.JSON())
	t.Reporter.Report(e)
}

func (t *Team) warn(w *worker, text string) {
	t.report(Event{Worker: w.Name, Event: loop.Event{Kind: loop.Warned, Text: text}})
}

// lookForReturn finds out whether a worker that ran under another run has ended, so that its place is free.
func (t *Team) lookForReturn(w *worker) {
	if now := t.Now(); w.away && t.Runs != nil && !now.Before(w.next) {
		w.away, w.next = t.Runs(w.Name), now.Add(elsewherePause)
	}
}

// lookElsewhere finds out which workers run that this run has not started, also where there is nothing to start them for.
func (t *Team) lookElsewhere() {
	for _, w := range t.workers {
		w.elsewhere = w.child == nil && t.Runs != nil && t.Runs(w.Name)
	}
}

// showTime is how often the journal records the progress of the team.
const showTime = time.Second

func (t *Team) show(b Board) {
	now := t.Now()
	due := now.Sub(t.shown) >= showTime
	if due {
		t.shown = now
		t.lookElsewhere()
	}
	live := t.live(b)
	t.Reporter.Progress(live)
	if due {
		t.Config.Run.WriteLive(live.JSON())
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
