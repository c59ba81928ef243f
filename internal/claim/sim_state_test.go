package claim

import (
	"fmt"
	"strings"
	"time"
)

// The simulation runs every decision of this package, as it is, over a fake repository and clock. A state is a value that can be
// compared: what the target shows, what the references of claims point to, and where each worker is.

const (
	simWorkers = 3 // two in one clone; the third with the same boot id in another clone and pid namespace
	simTasks   = 2
)

// fault is something that does not have to happen. Each scenario allows a number of some.
type fault int

const (
	faultCrash    fault = iota // a worker is killed
	faultAgent                 // a worker is killed, and its agent goes on
	faultPause                 // a worker is stopped; it may continue
	faultLate                  // a push arrives later than the worker waits for it
	faultLost                  // a push arrives, and its reply does not
	faultReject                // a done task is rejected
	faultCancel                // a person cancels a task on the target
	faultDone                  // a person sets a task done on the target
	faultConflict              // a landing returns a branch
	faultRenew                 // a renewal without need
	faultExtra                 // an agent marks a second task done
	faultForge                 // a forge merges a branch as a squash
	faultForce                 // somebody steals a claim by force
	faultSleep                 // a worker waits
	faults
)

// simRules are the rules that are kept by those who call this package, and not by Protocol.
type simRules struct {
	noSwap      bool // a reference is written whatever it points to
	lockLater   bool // a worker's first claim is written before its lock is held
	targetFirst bool // the target is read before the claim that is to be deleted because it is over
	readAgain   bool // after targetFirst: what seems over is decided by the target as it is after the claim was read
	noVerify    bool // a person's change of the target does not verify that there is no claim
	lateRenewal bool // a claim is not renewed before the agent runs
	noSetAside  bool // a task that three left in vain stays as it is
}

// simTask is what the target shows: p pending, s set aside, d done, a accepted, x cancelled; and how often it was rejected.
type simTask struct {
	status  byte
	attempt int8
}

// phase is where a worker is.
type phase byte

const (
	phaseIdle      phase = 'i'
	phaseStarting  phase = '0' // it has a claim already and takes its lock
	phaseTaking    phase = 'v' // it has read claim and target, and decided to take
	phaseOpen      phase = 'u' // it has pushed a claim, and has no reply
	phaseWon       phase = 'w' // it has won, and has not read again
	phasePreparing phase = 'e' // it makes its worktree ready; only where a scenario has that
	phaseWorking   phase = 'k'
	phaseLanding   phase = 'p' // it has made the merge, and has not published it
	phaseClearing  phase = 'o' // it has read the target first; only without that rule
	phaseAsleep    phase = 'z'
)

// life of a worker's process.
const (
	dead = iota
	alive
	stopped
)

type simWorker struct {
	life    int8
	agent   bool // an agent that survived its worker holds the lock
	phase   phase
	task    int8
	token   int8  // of the claim that it works under, or tries to take
	next    int8  // number of its next token
	old     int16 // claim that it read
	new     int16 // claim that it wants to write
	attempt int8  // round that it works in
	target  [simTasks]simTask
	claims  [simTasks]int16
}

// push is one that hangs on its way.
type push struct {
	task int8
	new  int16 // 0: none
}

type simState struct {
	tasks   [simTasks]simTask
	claims  [simTasks]int16 // number of the claim, 0 for none
	aged    [simTasks]bool  // observers have seen the claim unchanged for longer than its lease
	workers [simWorkers]simWorker
	late    push
	person  int8   // task + 1 that a person has decided to change, having seen no claim
	how     byte   // x or d
	taken   uint64 // tokens whose claims others took
	ended   uint64 // tokens that were given up
	over    uint64 // tokens whose first attempt is longer ago than their lease
	budget  [faults]int8
}

// world is what a scenario is played in: who is where, and which rules hold. It remembers claims by number.
type world struct {
	protocol Protocol
	rules    simRules
	workers  int
	clones   [simWorkers]int
	lease    int
	prepares bool // workers make their worktree ready before their agent runs

	numbers map[Claim]int16
	all     []Claim
	objects []string
	works   map[string]simWork
	targets map[[simTasks]simTask]Target
}

// simWork is what a commit holds.
type simWork struct {
	task, token, attempt int8
	extra, carried       bool
	clone                int
}

const simSkew = time.Minute

func newWorld(protocol Protocol, rules simRules, workers int) *world {
	return &world{
		protocol: protocol, rules: rules, workers: workers, clones: [simWorkers]int{0, 0, 1}, lease: 900,
		numbers: map[Claim]int16{}, all: []Claim{{}}, objects: []string{""},
		works: map[string]simWork{}, targets: map[[simTasks]simTask]Target{},
	}
}

// number returns the number of a claim.
func (w *world) number(c Claim) int16 {
	n, known := w.numbers[c]
	if !known {
		n = int16(len(w.all))
		w.numbers[c], w.all, w.objects = n, append(w.all, c), append(w.objects, fmt.Sprint("object ", n))
	}
	return n
}

func simID(t int) string { return [...]string{"t-0", "t-1"}[t] }

func simToken(token int8) string { return fmt.Sprintf("token%03d", token) }

func tokenOf(c Claim) int8 {
	n := 0
	for _, digit := range strings.TrimPrefix(c.Token, "token") {
		n = n*10 + int(digit-'0')
	}
	return int8(n)
}

const tokensEach = 16

func owner(token int8) int { return int(token) / tokensEach }

// mine returns the claim that a worker wants to hold.
func (w *world) mine(v int, t int, worker simWorker) Claim {
	token := simToken(int8(v*tokensEach) + worker.next)
	mine := Claim{ID: simID(t), Token: token, Lease: w.lease, Boot: "boot", Lock: token}
	if w.lease == 0 {
		mine.Lock = "" // a person's
	}
	return mine
}

// held returns what a reference points to.
func (w *world) held(t int, number int16) Held {
	return Held{ID: simID(t), Object: w.objects[number], Claim: w.all[number]}
}

// target returns what the target shows.
func (w *world) target(tasks [simTasks]simTask) Target {
	shown, known := w.targets[tasks]
	if !known {
		shown = Target{}
		for t, task := range tasks {
			if task.status == 'p' || task.status == 's' || task.status == 'd' {
				shown[simID(t)] = Task{Pending: task.status != 'd', After: attemptOf(task.attempt)}
			}
		}
		w.targets[tasks] = shown
	}
	return shown
}

func attemptOf(n int8) string {
	return [...]string{"", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"}[n]
}

// seen is what a worker finds out about a task's claim.
func (w *world) seen(s *simState, v, t int) Seen {
	h := w.held(t, s.claims[t])
	e := Evidence{Clock: Clock{Boot: "boot"}, Skew: simSkew, Sighting: Sighting{Object: h.Object, Boot: "boot"}}
	if s.aged[t] {
		e.Clock.Now = time.Duration(w.lease)*time.Second + simSkew
	}
	if h.Exists() {
		e.Lock = w.probe(s, v, tokenOf(h.Claim))
	}
	return Seen{Held: h, Target: w.target(s.tasks), Evidence: e}
}

// probe looks at the lock file of a token: it is missing in the other pid namespace.
func (w *world) probe(s *simState, v int, token int8) LockProof {
	holder := s.workers[owner(token)]
	switch {
	case w.clones[v] != w.clones[owner(token)]:
		return LockMissing
	case holder.phase == phaseStarting && !w.rules.lockLater:
		return LockHeld
	case holder.phase == phaseStarting || holder.life == dead && !holder.agent:
		return LockFree
	}
	return LockHeld
}

// busy reports whether a worker is at a task with a token.
func (w simWorker) busy(t int, token int8) bool {
	return w.holds() && int(w.task) == t && w.token == token
}

// holds reports whether a worker is at a task.
func (w simWorker) holds() bool {
	return w.phase == phaseWon || w.phase == phasePreparing || w.phase == phaseWorking
}

// work returns the commit with what a worker did.
func (w *world) work(v int, worker simWorker, extra bool) Work {
	carried := false
	if b, refusal := w.protocol.Finish(Held{Object: "o", Claim: Claim{Token: "t"}}, "t", Work{}); refusal == "" {
		carried = len(b.Moves) > 0
	}
	made := simWork{worker.task, worker.token, worker.attempt, extra, carried, w.clones[v]}
	commit := fmt.Sprint("commit ", made)
	w.works[commit] = made
	return Work{Branch: "refs/heads/" + simToken(worker.token), Commit: commit}
}
