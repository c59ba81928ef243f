package claim

import (
	"fmt"
	"slices"
)

// violation is what must not happen.
type violation string

func fail(format string, args ...any) { panic(violation(fmt.Sprintf(format, args...))) }

// label says what happened, for traces.
type label struct {
	who   int8
	what  string
	task  int8
	fault bool // it does not have to happen
}

func (l label) String() string {
	who := "nobody"
	if l.who >= 0 {
		who = fmt.Sprint("w", l.who)
	}
	mark := ""
	if l.fault {
		mark = "!"
	}
	return fmt.Sprintf("%s%s %s t%d", mark, who, l.what, l.task)
}

// stepper collects what can follow a state.
type stepper struct {
	*world
	from *simState
	emit func(label, simState)
}

// next calls emit with each state that can follow, and panics with a violation.
func (w *world) next(from *simState, emit func(label, simState)) {
	s := stepper{w, from, emit}
	for v := range w.workers {
		s.process(v)
		if from.workers[v].life == alive {
			s.worker(v)
		}
	}
	s.time()
	s.people()
	if from.late.new != 0 {
		s.lateArrival()
	}
}

// allowed reports whether the budget has a fault left, and returns the state that has one less.
func (s stepper) allowed(f fault) (simState, bool) {
	to := *s.from
	to.budget[f]--
	return to, s.from.budget[f] > 0
}

// add emits a state. A change of the target or of a claim wakes those who wait.
func (s stepper) add(l label, to simState) {
	moved := to.tasks != s.from.tasks
	for t := range simTasks {
		if to.claims[t] != s.from.claims[t] {
			moved = true
			to.aged[t] = false
		}
	}
	stirred := moved || to.aged != s.from.aged || s.locksFreed(&to)
	for v := range to.workers {
		if to.workers[v].phase == phaseAsleep && (moved || stirred && s.wakes(v)) {
			to.workers[v].phase = phaseIdle
		}
	}
	s.emit(l, to)
}

func (s stepper) locksFreed(to *simState) bool {
	for v := range to.workers {
		if to.workers[v].life != s.from.workers[v].life || to.workers[v].agent != s.from.workers[v].agent {
			return true
		}
	}
	return false
}

// wakes reports whether a waiting worker notices that time passed or a lock came free.
func (s stepper) wakes(v int) bool {
	all := make([]Seen, simTasks)
	for t := range simTasks {
		all[t] = s.seen(s.from, v, t)
	}
	w := s.protocol.Wait(all)
	return w.After > 0 || len(w.Locks) > 0
}

// process is what can happen to a process from outside.
func (s stepper) process(v int) {
	w := s.from.workers[v]
	kept := s.lease == 0 && w.holds() // a person's, until it is released
	if to, ok := s.allowed(faultCrash); ok && w.life != dead && !kept {
		if w.phase == phaseOpen {
			to.ended |= 1 << w.token // whoever settles the push of a dead process gives it up
		}
		to.workers[v] = simWorker{phase: phaseIdle, next: w.next}
		s.add(label{int8(v), "crashes", w.task, true}, to)
	}
	if to, ok := s.allowed(faultAgent); ok && w.life != dead && w.phase == phaseWorking {
		to.workers[v] = simWorker{phase: phaseIdle, next: w.next, agent: true}
		s.add(label{int8(v), "crashes, its agent goes on", w.task, true}, to)
	}
	if w.agent {
		to := *s.from
		to.workers[v].agent = false
		s.add(label{int8(v), "'s agent ends", w.task, false}, to)
	}
	if to, ok := s.allowed(faultPause); ok && w.life == alive {
		to.workers[v].life = stopped
		s.add(label{int8(v), "is stopped", w.task, true}, to)
	}
	if w.life == stopped {
		to := *s.from
		to.workers[v].life = alive
		s.add(label{int8(v), "continues", w.task, false}, to)
	}
}

// idle returns a worker that does nothing.
func (w simWorker) idle() simWorker {
	return simWorker{life: w.life, phase: phaseIdle, next: w.next}
}

// worker is what a worker can do.
func (s stepper) worker(v int) {
	w := s.from.workers[v]
	switch w.phase {
	case phaseStarting:
		to := *s.from
		to.workers[v].phase = phaseWon
		s.add(label{int8(v), "starts, and takes its lock", w.task, false}, to)
	case phaseIdle:
		s.look(v, w)
	case phaseClearing:
		s.clear(v, w)
	case phaseTaking:
		s.take(v, w)
	case phaseOpen:
		s.settle(v, w)
	case phaseWon:
		s.confirm(v, w)
	case phasePreparing:
		to := *s.from
		to.workers[v].phase = phaseWorking
		s.add(label{int8(v), "has made its worktree ready for", w.task, false}, to)
		s.renew(v, w)
	case phaseWorking:
		s.finish(v, w)
		s.renew(v, w)
	case phaseLanding:
		s.land(v, w)
	}
}

// look is what a worker without work does.
func (s stepper) look(v int, w simWorker) {
	before := 0
	emit := s.emit
	s.emit = func(l label, to simState) { before++; emit(l, to) }
	for t := range simTasks {
		seen := s.seen(s.from, v, t)
		if seen.Held.Exists() && seen.Held.Claim.State == Working && s.own(v, t, seen) {
			continue
		}
		s.over(v, t, seen)
		s.decide(v, t, w, seen)
		s.prepare(v, t, w, seen)
	}
	if to, ok := s.allowed(faultSleep); ok && before == 0 {
		to.workers[v].phase = phaseAsleep
		s.add(label{int8(v), "sleeps", 0, false}, to)
	}
}

// own is what a worker does with a claim of its own that was returned, and with one of its clone that arrived after it was gaveUp
// up. It reports whether the claim is one of these.
func (s stepper) own(v, t int, seen Seen) bool {
	token := tokenOf(seen.Held.Claim)
	gaveUp := s.from.ended&(1<<token) != 0 && s.clones[v] == s.clones[owner(token)]
	to := *s.from
	intent := NewIntent(Change{ID: simID(t), New: seen.Held.Claim}, seen.Held.Object, Clock{Boot: "boot"})
	if gaveUp && s.protocol.Settle(intent, seen.Held, gaveUp, Clock{Boot: "boot"}) == Withdraw {
		to.claims[t] = 0
		s.add(label{int8(v), "withdraws", int8(t), false}, to)
		return true
	}
	if owner(token) != v {
		return false
	}
	to.workers[v] = simWorker{life: alive, phase: phaseWon, task: int8(t), token: token, next: to.workers[v].next}
	s.add(label{int8(v), "goes on with its own claim of", int8(t), false}, to)
	return true
}

// over deletes a claim whose round has ended.
func (s stepper) over(v, t int, seen Seen) {
	to := *s.from
	if s.rules.targetFirst && seen.Held.Exists() {
		to.workers[v] = to.workers[v].idle()
		to.workers[v].phase, to.workers[v].task, to.workers[v].target = phaseClearing, int8(t), s.from.tasks
		s.add(label{int8(v), "reads the target, then", int8(t), false}, to)
		return
	}
	if _, over := s.protocol.Clear(seen); over {
		to.claims[t] = 0
		s.add(label{int8(v), "deletes the claim that is over of", int8(t), false}, to)
	}
}

func (s stepper) clear(v int, w simWorker) {
	t := int(w.task)
	to := *s.from
	to.workers[v] = w.idle()
	seen := s.seen(s.from, v, t)
	seen.Target = s.target(w.target)
	if s.rules.readAgain {
		if s.protocol.Over(seen) {
			seen.Target = s.target(s.from.tasks)
		}
		s.begin(v, t, to, seen)
	}
	if _, over := s.protocol.Clear(seen); over {
		s.robs(s.from, t, "as over")
		to.claims[t] = 0
	}
	s.add(label{int8(v), "reads the claim, and deletes it if it is over, of", int8(t), false}, to)
}

// robs is a violation where a live holder works under the claim of a task in its round.
func (s stepper) robs(from *simState, t int, how string) {
	c := s.all[from.claims[t]]
	token := tokenOf(c)
	h := from.workers[owner(token)]
	if h.life == alive && h.busy(t, token) && s.target(from.tasks).Round(c) {
		fail("(c) a live holder loses t%d %s", t, how)
	}
}

// decide reads a claim and the target, and decides to take the task, or to set it aside.
func (s stepper) decide(v, t int, w simWorker, seen Seen) {
	if s.from.tasks[t].status == 's' {
		return // it waits for an issue
	}
	if _, refusal := s.protocol.Take(seen, s.mine(v, t, w)); refusal == Exhausted && !s.rules.noSetAside {
		s.steals(t)
		to := *s.from
		to.claims[t], to.tasks[t].status = 0, 's'
		s.add(label{int8(v), "sets aside", int8(t), false}, to)
	}
	s.begin(v, t, *s.from, seen)
	if to, ok := s.allowed(faultForce); ok && seen.Held.Exists() {
		change, refusal := s.protocol.Steal(seen, s.mine(v, t, w))
		if refusal == "" {
			to.taken |= 1 << tokenOf(seen.Held.Claim)
			to.claims[t] = s.number(change.New)
			to.workers[v] = simWorker{life: alive, phase: phaseWon, task: int8(t), token: tokenOf(change.New), next: w.next + 1}
			s.add(label{int8(v), "steals by force", int8(t), true}, to)
		}
	}
}

// begin decides to take a task, if it can be taken.
func (s stepper) begin(v, t int, to simState, seen Seen) {
	if change, refusal := s.protocol.Take(seen, s.mine(v, t, to.workers[v])); refusal == "" {
		to.workers[v].phase, to.workers[v].task = phaseTaking, int8(t)
		to.workers[v].old, to.workers[v].new = s.from.claims[t], s.number(change.New)
		s.add(label{int8(v), "decides to take", int8(t), false}, to)
	}
}

// take writes the claim that a worker decided to write.
func (s stepper) take(v int, w simWorker) {
	t := int(w.task)
	change := Change{ID: simID(t), Old: s.objects[w.old], Do: Put, New: s.all[w.new]}
	if to, ok := s.allowed(faultLate); ok && s.from.late.new == 0 {
		to.late = push{w.task, w.new}
		s.pushed(&to, v, w, phaseOpen)
		s.add(label{int8(v), "pushes, and it hangs, a claim of", w.task, true}, to)
	}
	if !s.swaps(change, t) {
		to := *s.from
		to.workers[v] = w.idle()
		s.add(label{int8(v), "loses", w.task, false}, to)
		return
	}
	if w.old != 0 || s.from.claims[t] != 0 {
		s.steals(t)
	}
	if n := s.all[w.new].Steals; n > MaxSteals {
		fail("(f) t%d is taken for the %dth time in vain", t, n)
	}
	to := *s.from
	if c := s.from.claims[t]; c != 0 {
		to.taken |= 1 << tokenOf(s.all[c])
	}
	to.claims[t] = w.new
	lost, ok := to, s.from.budget[faultLost] > 0
	s.pushed(&to, v, w, phaseWon)
	s.add(label{int8(v), "takes", w.task, false}, to)
	if ok {
		lost.budget[faultLost]--
		s.pushed(&lost, v, w, phaseOpen)
		s.add(label{int8(v), "takes, and gets no reply,", w.task, true}, lost)
	}
}

// pushed moves a worker on that has pushed a claim.
func (s stepper) pushed(to *simState, v int, w simWorker, next phase) {
	to.workers[v] = simWorker{life: w.life, phase: next, task: w.task, token: tokenOf(s.all[w.new]), next: w.next + 1, old: w.old, new: w.new}
	if next == phaseWon {
		to.workers[v].old, to.workers[v].new = 0, 0
	}
}

// swaps reports whether a change of one claim succeeds.
func (s stepper) swaps(c Change, t int) bool {
	current := func(string) string { return s.objects[s.from.claims[t]] }
	if s.rules.noSwap {
		current = func(string) string { return c.Old }
	}
	return Batch{Changes: []Change{c}}.Outcomes(current, true)[0] == Done
}

// steals checks that a claim which is taken from somebody was abandoned.
func (s stepper) steals(t int) {
	c := s.all[s.from.claims[t]]
	token := tokenOf(c)
	h := s.from.workers[owner(token)]
	round := s.target(s.from.tasks).Round(c)
	if c.State == Landing && round {
		fail("(c) a claim in landing of t%d is taken", t)
	}
	if h.phase == phaseStarting && h.life == alive && h.token == token {
		fail("(c) a worker that is about to start loses t%d", t)
	}
	if h.life == alive && h.busy(t, token) && round && !s.from.aged[t] {
		fail("(c) a live holder loses t%d", t)
	}
}

// settle finds out what became of a push without a reply.
func (s stepper) settle(v int, w simWorker) {
	t := int(w.task)
	h := s.held(t, s.from.claims[t])
	change := Change{ID: simID(t), Old: s.objects[w.old], Do: Put, New: s.all[w.new]}
	clock := Clock{Boot: "boot"}
	if s.from.over&(1<<w.token) != 0 {
		clock.Now = s.all[w.new].LeaseTime()
	}
	to := *s.from
	switch s.protocol.Settle(NewIntent(change, s.objects[w.new], Clock{Boot: "boot"}), h, s.from.ended&(1<<w.token) != 0, clock) {
	case Succeeded:
		to.workers[v].phase, to.workers[v].old, to.workers[v].new = phaseWon, 0, 0
		s.add(label{int8(v), "settles: ours,", w.task, false}, to)
	case PushAgain:
		if s.from.claims[t] != 0 {
			s.steals(t)
			to.taken |= 1 << tokenOf(s.all[s.from.claims[t]])
		}
		to.claims[t] = w.new
		to.workers[v].phase, to.workers[v].old, to.workers[v].new = phaseWon, 0, 0
		if s.from.over&(1<<w.token) != 0 && s.from.claims[t] != w.new {
			fail("(c) w%d pushes a claim of t%d that others, who saw the same object before, count as stale at once", v, t)
		}
		s.add(label{int8(v), "pushes again", w.task, false}, to)
	default:
		to.ended |= 1 << w.token
		to.workers[v] = w.idle()
		s.add(label{int8(v), "settles: lost,", w.task, false}, to)
	}
}

// lateArrival is a push that arrives after its worker stopped waiting for it.
func (s stepper) lateArrival() {
	to := *s.from
	t, number := int(s.from.late.task), s.from.late.new
	to.late = push{}
	if s.from.claims[t] == 0 { // it expected none: late steals are refused like late claims
		to.claims[t] = number
	}
	s.add(label{-1, "late push arrives for", int8(t), false}, to)
}

// confirm reads claim and target again after winning.
func (s stepper) confirm(v int, w simWorker) {
	t := int(w.task)
	release, refusal := s.protocol.Confirm(s.seen(s.from, v, t), simToken(w.token))
	to := *s.from
	if refusal == "" {
		if status := s.from.tasks[t].status; status != 'p' && status != 's' {
			fail("(e) w%d works on t%d, which the target shows as %c", v, t, s.from.tasks[t].status)
		}
		to.workers[v].phase, to.workers[v].attempt = phaseWorking, s.from.tasks[t].attempt
		if s.prepares {
			to.workers[v].phase = phasePreparing
		}
		s.add(label{int8(v), "reads again, and works on", w.task, false}, to)
		return
	}
	if release.ID != "" {
		to.claims[t] = 0
	}
	to.ended |= 1 << w.token
	to.workers[v] = w.idle()
	s.add(label{int8(v), "passes over", w.task, false}, to)
}

// finish is `done` on the worker's branch, of its task and perhaps another.
func (s stepper) finish(v int, w simWorker) {
	t := int(w.task)
	for _, extra := range []bool{false, true} {
		to := *s.from
		if extra {
			if to.budget[faultExtra] == 0 || to.tasks[1-t].status != 'p' {
				continue
			}
			to.budget[faultExtra]--
		}
		to.workers[v] = w.idle()
		batch, refusal := s.protocol.Finish(s.held(t, s.from.claims[t]), simToken(w.token), s.work(v, w, extra))
		if refusal != "" || s.from.claims[t] == 0 {
			to.ended |= 1 << w.token
			s.add(label{int8(v), "is refused done of", w.task, extra}, to)
			continue
		}
		to.claims[t] = s.number(batch.Changes[0].New)
		s.add(label{int8(v), map[bool]string{false: "has done", true: "has done both, claimed"}[extra], w.task, extra}, to)
	}
}

// renew keeps a claim fresh, after a stop or without need.
func (s stepper) renew(v int, w simWorker) {
	t := int(w.task)
	to, ok := s.allowed(faultRenew)
	if s.from.aged[t] {
		to, ok = *s.from, true
	}
	change, refusal := s.protocol.Renew(s.held(t, s.from.claims[t]), simToken(w.token))
	if !ok || refusal != "" || change.ID == "" {
		return
	}
	to.claims[t] = s.number(change.New)
	s.add(label{int8(v), "renews", w.task, false}, to)
}

// renewed reports whether the holder of a claim keeps it fresh: it runs, and the push that renews the claims of its clone does.
func (s stepper) renewed(t int) bool {
	c := s.all[s.from.claims[t]]
	token := tokenOf(c)
	holder := owner(token)
	switch h := s.from.workers[holder]; {
	case h.life == alive && h.phase == phaseStarting && h.token == token:
		return true
	case h.life != alive || !h.busy(t, token), h.phase == phasePreparing && s.rules.lateRenewal:
		return false
	}
	var changes []Change
	at := 0
	for v, w := range s.from.workers {
		if s.clones[v] != s.clones[holder] || w.life != alive || w.phase != phaseWorking && w.phase != phasePreparing && v != holder {
			continue
		}
		known := Held{ID: simID(int(w.task)), Object: "lost", Claim: Claim{Token: simToken(w.token), State: Working}}
		if h := s.held(int(w.task), s.from.claims[w.task]); h.Is(simToken(w.token)) {
			known = h
		}
		if v == holder {
			at = len(changes)
		}
		change, _ := s.protocol.Renew(known, simToken(w.token))
		changes = append(changes, change)
	}
	current := func(id string) string { return s.objects[s.from.claims[slices.Index([]string{"t-0", "t-1"}, id)]] }
	return s.protocol.Renewals(changes).Outcomes(current, true)[at] == Done
}

// time passes: leases run out that nobody renews.
func (s stepper) time() {
	for t := range simTasks {
		c := s.all[s.from.claims[t]]
		if s.from.claims[t] == 0 || c.State != Working || c.Lease == 0 || s.from.aged[t] || s.renewed(t) {
			continue
		}
		token := tokenOf(c)
		if h := s.from.workers[owner(token)]; h.life == alive && h.busy(t, token) && s.target(s.from.tasks).Round(c) {
			fail("(c) the lease of t%d runs out although its holder renews it", t)
		}
		to := *s.from
		to.aged[t] = true
		to.over |= 1 << token
		s.add(label{-1, "lease runs out of", int8(t), false}, to)
	}
}
