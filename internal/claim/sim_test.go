package claim

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// scenario is a start and what may go wrong.
type scenario struct {
	name     string
	budget   map[fault]int8
	workers  int  // 3 where it is 0
	tasks    int  // 2 where it is 0
	together bool // two workers are in one clone
	first    bool // a worker that was not started yet has a claim
	steals   int  // how often that was taken in vain
	prepares bool // workers make their worktree ready before their agent runs
	person   bool // claims have no lease
	limit    int  // states; 0: all of them. Where all are seen, no task may be stuck in any
}

func (sc scenario) start(w *world) simState {
	s := simState{tasks: [simTasks]simTask{{status: 'p'}, {status: 'p'}}}
	if sc.tasks == 1 {
		s.tasks[1].status = 'a'
	}
	for v := range s.workers {
		s.workers[v] = simWorker{life: alive, phase: phaseIdle}
	}
	for v := w.workers; v < simWorkers; v++ {
		s.workers[v].life = dead
	}
	for f, n := range sc.budget {
		s.budget[f] = n
	}
	if sc.person {
		w.lease = 0
	}
	w.prepares = sc.prepares
	if sc.first {
		c := w.mine(0, 0, s.workers[0])
		c.State, c.Steals = Working, sc.steals
		s.claims[0] = w.number(c)
		s.workers[0] = simWorker{life: alive, phase: phaseStarting, next: 1}
	}
	return s
}

// explore looks at every state that can follow, the nearest first, and returns the first violation with its trace.
type explored struct {
	states    int
	violation string
	trace     []string
}

type edge struct{ from, to int32 }

type explorer struct {
	world   *world
	index   map[simState]int32
	states  []simState
	parents []int32
	labels  []label
	edges   []edge
	limit   int
}

func (sc scenario) explore(p Protocol, rules simRules) explored {
	w := newWorld(p, rules, max(sc.workers, 2))
	if sc.workers == 0 {
		w.workers = 3
	}
	if sc.workers == 2 && !sc.together {
		w.clones = [simWorkers]int{0, 1, 1}
	}
	e := &explorer{world: w, index: map[simState]int32{}, limit: sc.limit}
	e.reach(sc.start(w), -1, label{})
	for at := 0; at < len(e.states); at++ {
		if why := e.step(int32(at)); why != "" {
			return explored{len(e.states), why, e.trace(int32(at))}
		}
		if e.limit > 0 && len(e.states) > e.limit {
			return explored{states: len(e.states)}
		}
	}
	if at := e.stuck(); at >= 0 {
		return explored{len(e.states), "(d) stuck", e.trace(at)}
	}
	return explored{states: len(e.states)}
}

func (e *explorer) reach(s simState, from int32, l label) {
	n, known := e.index[s]
	if !known {
		n = int32(len(e.states))
		e.index[s] = n
		e.states, e.parents, e.labels = append(e.states, s), append(e.parents, from), append(e.labels, l)
	}
	if from >= 0 && !l.fault {
		e.edges = append(e.edges, edge{from, n})
	}
}

func (e *explorer) step(at int32) (why string) {
	defer func() {
		if r := recover(); r != nil {
			v, ok := r.(violation)
			if !ok {
				panic(r)
			}
			why = string(v)
		}
	}()
	from := e.states[at]
	e.world.next(&from, func(l label, to simState) { e.reach(to, at, l) })
	return ""
}

func (e *explorer) trace(at int32) []string {
	var trace []string
	for ; e.parents[at] >= 0; at = e.parents[at] {
		trace = append([]string{e.labels[at].String()}, trace...)
	}
	return trace
}

// stuck returns the first state with a live worker from which the work cannot be ended without further faults, -1 for none.
func (e *explorer) stuck() int32 {
	into := make([][]int32, len(e.states))
	for _, g := range e.edges {
		into[g.to] = append(into[g.to], g.from)
	}
	good := make([]bool, len(e.states))
	var open []int32
	for i, s := range e.states {
		if ended(s.tasks[0]) && ended(s.tasks[1]) {
			good[i] = true
			open = append(open, int32(i))
		}
	}
	for len(open) > 0 {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		for _, from := range into[at] {
			if !good[from] {
				good[from] = true
				open = append(open, from)
			}
		}
	}
	for i, s := range e.states {
		if !good[i] && (s.workers[0].life == alive || s.workers[1].life == alive || s.workers[2].life == alive) {
			return int32(i)
		}
	}
	return -1
}

func ended(t simTask) bool { return t.status == 'a' || t.status == 'x' }

type faultsAllowed = map[fault]int8

func scenarios() []scenario {
	return []scenario{
		{name: "crash and stop", budget: faultsAllowed{faultCrash: 1, faultPause: 1}},
		{name: "two crashes", budget: faultsAllowed{faultCrash: 2}},
		{name: "agent goes on", budget: faultsAllowed{faultAgent: 1}},
		{name: "replies", budget: faultsAllowed{faultLost: 1, faultLate: 1, faultCrash: 1}},
		{name: "late push, rejection", budget: faultsAllowed{faultLate: 1, faultReject: 1}},
		{name: "person", budget: faultsAllowed{faultCancel: 1, faultDone: 1, faultPause: 1}},
		{name: "conflict", budget: faultsAllowed{faultConflict: 2, faultCrash: 1}},
		{name: "stop, rejection", budget: faultsAllowed{faultReject: 1, faultPause: 1}},
		{name: "forge", budget: faultsAllowed{faultForge: 1, faultReject: 1}},
		{name: "second task", budget: faultsAllowed{faultExtra: 2, faultCrash: 1}},
		{name: "sleep", budget: faultsAllowed{faultSleep: 2, faultCrash: 1}},
		{name: "force", budget: faultsAllowed{faultForce: 1, faultPause: 1, faultRenew: 1}},
		{name: "first claim", budget: faultsAllowed{faultCrash: 1}, first: true},
		{name: "steal limit", budget: faultsAllowed{faultCrash: 2}, first: true, steals: MaxSteals - 1},
		{name: "before the agent runs", budget: faultsAllowed{faultCrash: 1, faultPause: 1}, prepares: true},
		{name: "claims without a lease", budget: faultsAllowed{faultLate: 1, faultReject: 1}, person: true},
		{name: "claims without a lease, crash", budget: faultsAllowed{faultLate: 1, faultCrash: 1}, person: true, together: true},
	}
}

// size says how much is simulated: GIT_RALPH_SIMULATE=n gives n times as many random orders as `make test`, and n times as many states,
// up to what the memory of a machine holds.
func size(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("GIT_RALPH_SIMULATE"))
	if err != nil {
		return 1
	}
	return n
}

// states is size for what is kept in memory: about 600 bytes for each state, and up to 1.6 million states at once.
func states(t *testing.T) int { return min(size(t), 10) }

// No task lands twice, no live holder loses its claim, and no task is stuck: in every order of events within each scenario.
func TestEveryOrder(t *testing.T) {
	began, count := time.Now(), 0
	for _, sc := range scenarios() {
		one, two, three := sc, sc, sc
		one.tasks, one.name = 1, sc.name+", one task"
		one.limit = 160_000 * states(t)
		two.workers, two.name = 2, sc.name+", two workers"
		two.limit = 20_000 * states(t)
		three.limit = 20_000 * states(t)
		all := []scenario{one, two, three}
		if sc.together {
			one.workers = 2
			all = []scenario{one, two}
		}
		for _, sc := range all {
			got := sc.explore(Protocol{}, simRules{})
			count += got.states
			t.Logf("%s: %d states", sc.name, got.states)
			if got.violation != "" {
				t.Errorf("%s: %s\n  %s", sc.name, got.violation, strings.Join(got.trace, "\n  "))
			}
		}
	}
	t.Logf("%d states in %v", count, time.Since(began).Round(time.Millisecond))
}

// The same holds where one fetch reads target and claims, the target first, as long as what seems over is decided by the target as it
// is afterwards.
func TestReadTogether(t *testing.T) {
	for _, sc := range scenarios() {
		sc.tasks, sc.limit = 1, 40_000*states(t)
		if sc.together {
			sc.workers = 2
		}
		if got := sc.explore(Protocol{}, simRules{targetFirst: true, readAgain: true}); got.violation != "" {
			t.Errorf("%s: %s\n  %s", sc.name, got.violation, strings.Join(got.trace, "\n  "))
		}
	}
}

// Each rule is needed: without it, a scenario ends in a violation.
func TestEachRuleIsNeeded(t *testing.T) {
	one := func(budget faultsAllowed) scenario { return scenario{budget: budget, tasks: 1} }
	people := one(faultsAllowed{faultLate: 1, faultCrash: 1})
	people.person, people.workers, people.together = true, 2, true
	worn := one(faultsAllowed{faultCrash: 1})
	worn.first, worn.steals = true, MaxSteals
	for _, test := range []struct {
		without  rule
		rules    simRules
		scenario scenario
		want     string // what the violation begins with
	}{
		{rules: simRules{noSwap: true}, scenario: one(nil), want: "(c)"},
		{without: ruleReread, scenario: one(nil), want: "(e)"},
		{without: ruleFence, scenario: one(faultsAllowed{faultConflict: 1}), want: "(b)"},
		{without: ruleEvery, scenario: scenario{budget: faultsAllowed{faultExtra: 1}}, want: "(b)"},
		{without: rulePending, scenario: one(faultsAllowed{faultForge: 1, faultReject: 1}), want: "(a"},
		{without: ruleCarry, scenario: one(faultsAllowed{faultCrash: 1}), want: "(d)"},
		{without: ruleLanding, scenario: one(faultsAllowed{faultCrash: 1}), want: "(c)"},
		{without: ruleReturn, scenario: one(faultsAllowed{faultConflict: 1, faultCrash: 1}), want: "(d)"},
		{without: ruleOver, scenario: one(faultsAllowed{faultForge: 1, faultReject: 1}), want: "(d)"},
		{rules: simRules{targetFirst: true}, scenario: one(faultsAllowed{faultReject: 1}), want: "(c)"},
		{rules: simRules{lockLater: true}, scenario: scenario{first: true}, want: "(c)"},
		{without: ruleMissing, scenario: one(nil), want: "(c)"},
		{without: ruleSeparately, scenario: scenario{budget: faultsAllowed{faultPause: 1}, limit: 1_000_000}, want: "(c)"},
		{without: ruleSettle, scenario: one(faultsAllowed{faultLost: 1}), want: "(c)"},
		{without: ruleEnded, scenario: people, want: "(d)"},
		{without: ruleWake, scenario: one(faultsAllowed{faultSleep: 2, faultCrash: 1}), want: "(d)"},
		{rules: simRules{noVerify: true}, scenario: one(faultsAllowed{faultDone: 1}), want: "(c)"},
		{rules: simRules{lateRenewal: true}, scenario: scenario{tasks: 1, prepares: true}, want: "(c)"},
		{rules: simRules{noSetAside: true}, scenario: worn, want: "(d)"},
		{without: ruleLimit, scenario: worn, want: "(f)"},
	} {
		name := fmt.Sprintf("%s%+v", test.without, test.rules)
		got := test.scenario.explore(Protocol{test.without}, test.rules)
		if test.want != "(d)" {
			test.scenario.limit = got.states
		}
		if sound := test.scenario.explore(Protocol{}, simRules{}); sound.violation != "" {
			t.Errorf("%s: %s with all rules", name, sound.violation)
		}
		t.Logf("%s: %d states: %s\n  %s", name, got.states, got.violation, strings.Join(got.trace, "\n  "))
		if got.violation == "" || !strings.HasPrefix(got.violation, test.want) {
			t.Errorf("without %s: %d states, violation %q; want one that begins with %s", name, got.states, got.violation, test.want)
		}
	}
}

// walk goes through a scenario at random.
func (sc scenario) walk(p Protocol, rules simRules, seed uint64, steps int) (violated string, trace []string) {
	w := newWorld(p, rules, 3)
	random := rand.New(rand.NewPCG(seed, 1))
	s := sc.start(w)
	defer func() {
		if r := recover(); r != nil {
			violated = fmt.Sprint(r)
		}
	}()
	for range steps {
		var labels []label
		var states []simState
		w.next(&s, func(l label, to simState) { labels, states = append(labels, l), append(states, to) })
		if len(states) == 0 {
			break
		}
		i := random.IntN(len(states))
		if labels[i].fault && random.IntN(3) > 0 {
			i = random.IntN(len(states))
		}
		s = states[i]
		trace = append(trace, labels[i].String())
	}
	return "", trace
}

// The same holds at random beyond that: all faults, several times each.
func TestRandomOrders(t *testing.T) {
	budget := faultsAllowed{}
	for f := range faults {
		budget[f] = 2
	}
	sc := scenario{name: "everything", budget: budget, prepares: true}
	for seed := range uint64(1000 * size(t)) {
		if violated, trace := sc.walk(Protocol{}, simRules{}, seed, 200); violated != "" {
			t.Fatalf("seed %d: %s\n  %s", seed, violated, strings.Join(trace, "\n  "))
		}
	}
}
