package pipeline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A walker takes random items to the end, by whatever is possible at each step.
type walker struct {
	t    *testing.T
	r    *rand.Rand
	plan *plan.Plan
	ids  []string
	log  []string
	subs int
}

// Whatever happens on the way, all items come to an end, and planning them again adds nothing but what a person's moves call for.
func TestEveryItemComesToAnEnd(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		newWalker(t, r, randomPlan(r)).toTheEnd()
	}
}

func newWalker(t *testing.T, r *rand.Rand, items []string) *walker {
	for i := range items { // nobody plans what is to be split
		if strings.Contains(items[i], "Progress") || strings.Contains(items[i], "Review") {
			items[i] = strings.NewReplacer("=M", "=S", "=L", "=S", "=XL", "=S").Replace(items[i])
		}
	}
	w := &walker{t: t, r: r, plan: planOf(t, items...), log: items}
	for _, line := range items {
		id, _, _ := strings.Cut(line, " ")
		w.ids = append(w.ids, id)
	}
	w.answer()
	w.do("plan", func() (plan.Change, error) { return Extend(w.plan, w.ids, nil) })
	return w
}

// toTheEnd does what is possible until all items have come to an end.
func (w *walker) toTheEnd() {
	for steps := 0; w.step(); steps++ {
		if steps > 400 {
			w.fail("no end")
		}
	}
	for _, r := range w.plan.Of(plan.KindItem) {
		if state := Of(w.plan).State(r.ID()); !Final(state) && !Of(w.plan).Epic(r.ID()) {
			w.fail(fmt.Sprintf("%s is still %q", r.ID(), state))
		}
	}
}

func (w *walker) fail(why string) {
	w.t.Helper()
	w.t.Fatalf("%s after\n%s\nwith\n%s\n%s", why, strings.Join(w.log, "\n"), statesIn(w.plan), tasksIn(w.plan))
}

func (w *walker) do(what string, change func() (plan.Change, error)) {
	w.t.Helper()
	w.log = append(w.log, what)
	if _, err := change(); err != nil {
		w.fail(err.Error())
	}
	for range w.plan.Cycles(plan.KindTask) {
		w.fail("a cycle")
	}
}

// step does one thing, and reports whether there was one.
func (w *walker) step() bool {
	w.accept()
	if w.r.IntN(6) == 0 {
		w.again()
	}
	if w.r.IntN(12) == 0 {
		w.escalate()
	}
	if w.r.IntN(6) == 0 {
		w.reject()
	}
	if w.r.IntN(4) == 0 {
		w.follow()
	}
	ready := w.ready()
	if len(ready) == 0 {
		return w.answer()
	}
	w.finish(ready[w.r.IntN(len(ready))])
	return true
}

// ready returns the tasks that can be finished.
func (w *walker) ready() []*Task {
	b := newBuilder(w.plan, nil)
	var ready []*Task
	for i := range b.tasks {
		t := &b.tasks[i]
		if t.Pending() && (len(w.plan.BlockedBy(t.Record)) == 0 || t.Awaits() && len(b.needed(t)) == 0 && !isPending(b.planOf(t))) {
			ready = append(ready, t)
		}
	}
	return ready
}

// accept accepts some of what is done.
func (w *walker) accept() {
	for _, r := range w.plan.Of(plan.KindTask) {
		if r.Done() && w.r.IntN(3) == 0 {
			w.do("accept "+r.ID(), func() (plan.Change, error) { return w.plan.Accept([]string{r.ID()}) })
		}
	}
}

// again plans the items twice, which is the same as once.
func (w *walker) again() {
	w.do("plan", func() (plan.Change, error) { return Extend(w.plan, w.ids, nil) })
	before := tasksIn(w.plan)
	w.do("plan again", func() (plan.Change, error) { return Extend(w.plan, w.ids, nil) })
	if after := tasksIn(w.plan); after != before {
		w.fail("planning again changed\n" + before)
	}
}

// reject rejects an Implement that is done.
func (w *walker) reject() {
	for _, t := range newBuilder(w.plan, nil).tasks {
		if t.Step == StepImplement && t.Done() {
			w.do("reject "+t.ID(), func() (plan.Change, error) { return w.plan.Reject(t.ID(), "a gap") })
			return
		}
	}
}

// follow does what follows from landed work, which happens once.
func (w *walker) follow() {
	w.do("follow", func() (plan.Change, error) { return FollowLanding(w.plan, landing()) })
	before := tasksIn(w.plan)
	w.do("follow again", func() (plan.Change, error) { return FollowLanding(w.plan, landing()) })
	if after := tasksIn(w.plan); after != before {
		w.fail("following again changed\n" + before)
	}
}

// escalate leaves an item to a person.
func (w *walker) escalate() {
	it := Of(w.plan).all[w.r.IntN(len(Of(w.plan).all))]
	if CheckMove(it.State, HumanNeeded) == nil && !Of(w.plan).Epic(it.ID) {
		w.do("escalate "+it.ID, func() (plan.Change, error) { return Move(w.plan, it.ID, HumanNeeded, "why?", time.Time{}, nil) })
	}
}

// answer lets a person move the items that one is needed for, and plan what that calls for.
func (w *walker) answer() bool {
	found := false
	for _, it := range Of(w.plan).all {
		if it.State != HumanNeeded {
			continue
		}
		found = true
		moves := Moves(HumanNeeded)
		to := moves[w.r.IntN(len(moves))]
		w.do("answer "+it.ID+" "+to, func() (plan.Change, error) { return Move(w.plan, it.ID, to, "", time.Time{}, nil) })
	}
	if found {
		w.do("plan", func() (plan.Change, error) { return Extend(w.plan, w.ids, nil) })
	}
	return found
}

func (w *walker) finish(t *Task) {
	f := finishing(Result{Artifact: t.ID() + ".md"})
	ids := []string{t.ID()}
	switch t.Step {
	case StepTriage:
		f.Verdict = StepTriage.completes()[w.r.IntN(4)]
	case StepSplit:
		w.split(t.Item)
	case StepResearch:
		f.Files = []string{fmt.Sprint("f", w.r.IntN(3))}
	case StepReview:
		if t.Awaits() {
			w.do("approve "+t.Item, func() (plan.Change, error) {
				return Approve(w.plan, []string{t.Item}, finishing(Result{}), stamp())
			})
			return
		}
		f.Verdict, f.Gate = Approved, w.r.IntN(3) == 0
		if w.r.IntN(3) == 0 {
			f.Verdict, f.Reason = NeedsIteration, "a gap"
		}
	}
	w.do(fmt.Sprint("finish ", t.ID(), " ", f.Verdict), func() (plan.Change, error) { return Finish(w.plan, ids, f, stamp()) })
}

// split adds one or two small sub-items.
func (w *walker) split(id string) {
	for range 1 + w.r.IntN(2) {
		w.subs++
		sub := fmt.Sprintf("w-sub%d", w.subs)
		item := object(member("id", sub), member("name", sub), member("parent", id), jsonl.Member{Name: "estimate", Value: `"S"`})
		w.do("add "+sub+" to "+id, func() (plan.Change, error) { return w.plan.AddItems([]jsonl.Object{item}, stamp()) })
		w.ids = append(w.ids, sub)
	}
}

func isPending(t *Task) bool { return t != nil && t.Pending() }
