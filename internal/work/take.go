package work

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/land"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// The roles of workers.
const (
	Any        = "any"     // takes all tasks
	Builder    = "builder" // also the role of a task that names none
	analyst    = "analyst"
	validator  = "validator"
	Integrator = "integrator"
)

// Roles lists the roles of workers.
func Roles() []string { return []string{Any, analyst, Builder, validator, Integrator} }

// takes reports whether a task is for this worker.
func (w *Worker) takes(task *plan.Record) bool {
	if w.Task != "" {
		return task.ID() == w.Task
	}
	return !w.Rest && takes(w.Role, task)
}

// takes reports whether a task is for workers of a role.
func takes(role string, task *plan.Record) bool { return role == Any || role == task.Role() }

// resolveTask replaces a shortened id of the task by the full one. One that the target does not have is not pending there.
func (w *Worker) resolveTask() error {
	id, err := w.target.plan.ResolveID(plan.KindTask, w.Task)
	switch _, unknown := errors.AsType[*plan.UnknownIDError](err); {
	case unknown:
		return nil
	case err == nil:
		w.Task = id
	}
	return err
}

// owned is a claim of this worker.
type owned struct {
	token string
	lock  *authority.Lock
}

// taken is a task that this worker is to work on now.
type taken struct {
	task   plan.Record
	held   claim.Held
	before claim.Claim // that it was taken over from
}

// survey is what there is to do.
type survey struct {
	seen    map[string]claim.Seen
	own     []*plan.Record // tasks that a landing returned to us
	ready   []*plan.Record
	left    int // pending tasks of the role
	passed  int // of these, those that got nowhere with us
	claimed int // of these, those that others have
	landing int // of these, those that wait to land
	blocked []*plan.Record
}

// look reads claims and target, and deletes claims that are over.
func (w *Worker) look(ctx context.Context) (survey, error) {
	seen, err := w.see(ctx)
	if err != nil {
		return survey{}, err
	}
	if _, err := w.Claims.Clear(ctx, seen); err != nil {
		return survey{}, err
	}
	w.forgetEnded(seen)
	return w.survey(seen), nil
}

// see reads claims and target.
func (w *Worker) see(ctx context.Context) (map[string]claim.Seen, error) {
	seen, err := w.Claims.See(ctx, w.into())
	for id, s := range seen {
		if c := s.Held.Claim; c.Into != "" && c.Into != w.Into { // it is not for our target to say whether it is over
			s.Target = nil
			seen[id] = s
		}
	}
	return seen, err
}

// survey sorts the pending tasks of the role by what can be done with them.
func (w *Worker) survey(seen map[string]claim.Seen) survey {
	s := survey{seen: seen}
	sched := schedule.Of(w.target.plan)
	for _, task := range sched.Pending() {
		if w.takes(task) && sched.ForAgents(task) {
			s.add(w, sched, task)
		}
	}
	return s
}

// candidates are the tasks among which the worker chooses.
func (s survey) candidates() []*plan.Record {
	return claim.Candidates(s.ready, func(r *plan.Record) int { return plan.PriorityRank(r.Priority()) }, len(s.seen))
}

// Preview returns the tasks of which Run would claim one; without any, why it would end, which is "" where it would wait. It
// changes nothing.
func (w *Worker) Preview(ctx context.Context) (tasks []*plan.Record, why loop.Reason, text string, err error) {
	seen, err := w.see(ctx)
	if err == nil {
		err = w.resolveTask()
	}
	if err != nil {
		return nil, "", "", err
	}
	s := w.survey(seen)
	if len(s.ready) > 0 {
		return s.candidates(), "", "", nil
	}
	why, text = w.idle(s)
	return nil, why, text, nil
}

// forgetEnded gives up the locks of claims that have ended.
func (w *Worker) forgetEnded(seen map[string]claim.Seen) {
	maps.DeleteFunc(w.own, func(id string, o owned) bool {
		s := seen[id]
		gone := !s.Held.Is(o.token) || w.Claims.Protocol().Over(s)
		if gone {
			o.lock.Release()
		}
		return gone
	})
}

// add sorts a pending task.
func (s *survey) add(w *Worker, sched *schedule.Schedule, task *plan.Record) {
	s.left++
	now, held := w.Claims.Protocol(), s.seen[task.ID()]
	live := held.Held.Exists() && !now.Over(held) && now.Stale(held) == claim.Fresh
	switch {
	case w.passed[task.ID()] == w.target.shows[task.ID()].After+" ":
		s.passed++
	case live && held.Held.Is(w.own[task.ID()].token) && held.Held.Claim.State == claim.Working:
		s.own = append(s.own, task)
	case live && held.Held.Bad == "" && held.Held.Claim.State == claim.Landing:
		s.landing++
	case live:
		s.claimed++
	case len(sched.BlockedBy(task)) > 0:
		s.blocked = append(s.blocked, task)
	default:
		s.ready = append(s.ready, task)
	}
}

// take claims the next task; nil where there is none.
func (w *Worker) take(ctx context.Context) (*taken, survey, error) {
	for {
		s, err := w.look(ctx)
		if err != nil {
			return nil, s, err
		}
		if len(s.own) > 0 {
			task := *s.own[0]
			return &taken{task: task, held: s.seen[task.ID()].Held}, s, nil
		}
		if len(s.ready) == 0 {
			return nil, s, nil
		}
		candidates := s.candidates()
		task := *candidates[w.Random(len(candidates))]
		got, err := w.Claims.Take(ctx, w.into(), w.holder(), authority.TakeOptions{
			Progress: func(abandoned claim.Claim) bool { return w.hasCommits(ctx, abandoned) },
		}, task.ID())
		if err != nil {
			return nil, s, err
		}
		switch got[0].Refusal {
		case "":
			w.own[task.ID()] = owned{got[0].Held.Claim.Token, got[0].Lock}
			return &taken{task, got[0].Held, s.seen[task.ID()].Held.Claim}, s, nil
		case claim.Exhausted:
			w.setTaskAside(ctx, got[0].Held)
		}
		if err := ctx.Err(); err != nil {
			return nil, s, err
		}
	}
}

// setTaskAside makes a task that workers in a row left in vain wait for an issue. Where that cannot be written it is passed over.
func (w *Worker) setTaskAside(ctx context.Context, abandoned claim.Held) {
	text := "three workers in a row left it without a commit; it "
	did, err := land.SetAside(ctx, w.Store, w.Claims, w.landing(), abandoned)
	switch {
	case err != nil:
		w.warn(abandoned.ID, text+"is passed over, since it cannot be set aside: "+err.Error())
		w.pass(abandoned.ID)
	case did:
		w.warn(abandoned.ID, text+"is set aside")
	}
}

// pass leaves a task to others, until it is rejected or changed.
func (w *Worker) pass(id string) { w.passed[id] = w.target.shows[id].After + " " }

func (w *Worker) holder() authority.Holder {
	return authority.Holder{Worker: w.place.name, Role: w.Role, By: w.By, Into: w.Into, Lease: w.Lease, Lock: true}
}

// release deletes a claim of ours, and gives up its lock.
func (w *Worker) release(ctx context.Context, id string) error {
	o := w.own[id]
	delete(w.own, id)
	_, err := w.Claims.Release(ctx, authority.Own{id: o.token})
	o.lock.Release()
	return err
}

// ids lists tasks for a message.
func ids(tasks []*plan.Record) string {
	var all []string
	for _, t := range tasks {
		all = append(all, t.ID())
	}
	slices.Sort(all)
	if len(all) > 3 {
		return strings.Join(all[:3], ", ") + " and more"
	}
	return strings.Join(all, ", ")
}
