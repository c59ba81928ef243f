package loop

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"git-ralph/internal/agent"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// What is done about tasks that do not get on. Nothing is kept in memory: a run that is broken off and started again
// counts on from what the plan says.

const (
	maxDepth   = 3 // how often what was cut out of a task may be cut up itself
	maxRejects = 3 // how often a task is rejected before it is set aside
	depthMeta  = "depth"
)

// kill notes on the task that work on it was stopped, so that it is cut up next. One that was cut out of others too often
// is set aside instead. VERIFY works on many tasks: the next one gets fewer.
func (it *iteration) kill(ctx context.Context, now state) error {
	if it.stage() == schedule.Verify {
		it.verifyFewer()
	}
	task, found := now.plan.Task(it.id())
	if !found || !task.Pending() {
		return nil // it was done before the end came, or the stage works on many
	}
	why := "timeout"
	if it.outcome.End == agent.OutOfBounds {
		why = "context"
	}
	if task.Text("kill") != "" {
		return nil // stopped while cutting it up; the next agent tries again
	}
	if depthOf(task) >= maxDepth {
		return it.setAside(ctx, task.ID(), fmt.Sprintf("stopped (%s) although it was cut out of larger tasks %d times; log %s", why, maxDepth, it.log()))
	}
	return it.update(ctx, store.Request{Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		return p.Kill(task.ID(), why, it.log())
	}})
}

// depthOf returns how often a task was cut out of another one.
func depthOf(task plan.Record) int { return countIn(task, depthMeta) }

// countIn returns a number in a task's "meta", 0 where there is none.
func countIn(task plan.Record, name string) int {
	value, _ := task.Get("meta")
	meta, err := jsonl.ParseObject(string(value))
	if err != nil {
		return 0
	}
	number := get(meta, name)
	text, ok := number.Str()
	if !ok {
		text = string(number)
	}
	n, _ := strconv.Atoi(text)
	return n
}

// withDepth notes on a task that is to be added how often it was cut out of another one.
func withDepth(task jsonl.Object, depth int) jsonl.Object {
	meta := jsonl.Build([]jsonl.Member{{Name: depthMeta, Value: jsonl.Value(strconv.Itoa(depth))}})
	return jsonl.Build(append(task.Members(), jsonl.Member{Name: "meta", Value: jsonl.Value(meta.Text())}))
}

// setAside makes a task wait for a new issue that says why it does not get on.
func (it *iteration) setAside(ctx context.Context, id, why string) error {
	return it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		task, found := p.Task(id)
		if !found {
			return plan.Change{}, plan.ErrNothing
		}
		return setAside(p, in, task, why, nil)
	}})
}

// setAside is the change of the method; it also adds further issues.
func setAside(p *plan.Plan, in store.Inputs, task plan.Record, why string, issues []string) (plan.Change, error) {
	added, err := p.AddIssues(issueObjects(append([]string{task.ID() + " " + task.Name() + ": " + why}, issues...)), in.Stamp)
	if err != nil {
		return plan.Change{}, err
	}
	deps := append(task.Deps(), added.Records[0].ID())
	waiting, err := p.Edit(task.ID(), []jsonl.Member{{Name: "deps", Value: jsonl.List(deps)}}, nil)
	return joined(added, waiting), err
}

// guardTasks looks at what the iteration did to tasks, whoever did it: one that was blocked is counted, those that were
// rejected too often are set aside, and those that were cut out of another one learn how deep they are.
func (it *iteration) guardTasks(ctx context.Context, now state) error {
	before, after := catalogueOf(it.before.plan), catalogueOf(now.plan)
	if err := it.guardBlocked(ctx, before, after); err != nil {
		return err
	}
	if err := it.guardRejected(ctx, before, after); err != nil {
		return err
	}
	return it.noteDepth(ctx, before, after)
}

// guardRejected sets tasks aside that were rejected too often. A task and those whose place it took count as one: else a
// task that is given another id each time would never be.
func (it *iteration) guardRejected(ctx context.Context, before, after *catalogue) error {
	var past Rejections
	for _, task := range after.tasks {
		fresh := after.freshRejections(task, before)
		if fresh == 0 || !task.Pending() {
			continue
		}
		if past == nil {
			past = it.past(ctx, task.ID())
		}
		reasons := past(task.ID())
		if told := after.reasons(task); len(told) > len(reasons) { // not all may be committed
			reasons = told
		}
		n := len(reasons)
		if n/maxRejects == (n-fresh)/maxRejects {
			continue
		}
		why := fmt.Sprintf("rejected %d times, last: %s", n, cmp.Or(task.Text("reject"), reasons[n-1]))
		if err := it.setAside(ctx, task.ID(), why); err != nil {
			return err
		}
	}
	return nil
}

// noteDepth writes the depth of subtasks that the agent added by itself into their "meta".
func (it *iteration) noteDepth(ctx context.Context, before, after *catalogue) error {
	deeper := map[string]int{}
	for _, task := range after.tasks {
		if _, old := before.task(task.ID()); old || depthOf(task) > 0 {
			continue
		}
		if parent, found := before.task(task.Text("parent")); found {
			deeper[task.ID()] = depthOf(parent) + 1
		}
	}
	if len(deeper) == 0 {
		return nil
	}
	return it.update(ctx, store.Request{Subject: "note how deep subtasks are", Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		var all plan.Change
		for _, task := range p.Of(plan.KindTask) {
			depth, ok := deeper[task.ID()]
			if !ok {
				continue
			}
			one, err := p.Edit(task.ID(), nil, []jsonl.Member{{Name: depthMeta, Value: jsonl.Value(strconv.Itoa(depth))}})
			if err != nil {
				return plan.Change{}, err
			}
			all = joined(all, one)
		}
		return all, nil
	}})
}

// A service that says "in 0.1 s" again and again, or a backoff of 0, must not start thousands of agents: waits in a row
// double until they are as long as ralph.backoff, and leastBackoff where that is shorter.
const (
	leastWait    = time.Millisecond
	leastBackoff = time.Second
)

// maxWaits is how often in a row a limit is waited out, without any answer of the agent's service, before that counts as a
// failure of the agent.
const maxWaits = 3

// countWait counts a limit that was met, and returns how often the agent failed by now.
func (l *Loop) countWait(it *iteration) (failed int) {
	if it.outcome.Worked {
		l.waits = 0
	}
	if l.waits++; l.waits > maxWaits {
		l.waits = 1
		l.failed++
	}
	return l.failed
}

// waitOut waits until a limit of the agent's service is likely to be over: as long as it says, else twice as long each
// time. It ends with the run.
func (l *Loop) waitOut(ctx context.Context, it *iteration) (why Reason, text string) {
	now := l.Now()
	until, told := agent.LimitEnds(it.outcome.Limit, it.outcome.LimitAt)
	if !told || until.Before(now) {
		until = now.Add(max(l.Settings.Backoff, l.waited))
	}
	wait := max(until.Sub(now), min(l.waited, max(l.Settings.Backoff, leastBackoff)), leastWait)
	until = now.Add(wait)
	if l.waited += wait; l.Settings.MaxWait > 0 && l.waited > l.Settings.MaxWait {
		return AgentFails, "the agent's service still refuses: " + it.text
	}
	if l.Goals.Time > 0 && until.Sub(l.began) >= l.Goals.Time {
		return LimitHit, timeText(l.Goals.Time) + ", and the agent's service refuses for longer: " + it.text
	}
	l.total.Iterations-- // nothing was done in it
	l.report(Event{Kind: Waiting, Iteration: it.n, Text: it.text, Until: until})
	if l.sleep(ctx, wait, Live{Iteration: it.n, Tool: it.text, Until: until}) {
		return "", ""
	}
	return Interrupted, ""
}

// countdown is how often a wait is told.
const countdown = time.Second

// sleep waits, and tells so. It is false where the run is to end meanwhile.
func (l *Loop) sleep(ctx context.Context, wait time.Duration, live Live) bool {
	over := time.After(wait)
	tick := time.NewTicker(countdown)
	defer tick.Stop()
	for {
		l.Reporter.Progress(live)
		select {
		case <-over:
			return true
		case <-l.Soft:
			return false
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
}
