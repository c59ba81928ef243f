package team

import (
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// A Job is what a fresh worker is started for: a task; or, where Task is "", what needs no claim: a review by its role or, for the
// integrator, to land what waits.
type Job struct {
	Role Role
	Task string

	key string   // what it is about; another one once a task was rejected, returned or changed
	by  []string // the workers whose work waits to land
}

// addJobs lists what can be begun: to land, the ready tasks in the order of work, the reviews.
func (b *Board) addJobs(ready, done, issues []*plan.Record, claimOf func(id string) string) {
	if b.Landing > 0 || b.Follows {
		b.jobs = append(b.jobs, Job{Role: Integrator, key: "land" + b.landing, by: b.finishers})
	}
	for _, task := range ready {
		b.jobs = append(b.jobs, Job{Role: Role(task.Role()), Task: task.ID(), key: task.JSON() + claimOf(task.ID())})
	}
	if len(done) > 0 {
		b.jobs = append(b.jobs, Job{Role: Validator, key: textOf(done)})
	}
	if len(issues) > 0 {
		b.jobs = append(b.jobs, Job{Role: Analyst, key: textOf(issues)})
	}
	for _, j := range b.jobs {
		b.work[j.Role] = true
	}
}

func textOf(records []*plan.Record) string {
	var b strings.Builder
	for _, r := range records {
		b.WriteString(r.JSON())
	}
	return b.String()
}

// readyFor returns the ready tasks of a role.
func (b *Board) readyFor(role Role) (ids []string) {
	for _, j := range b.jobs {
		if j.Role == role && j.Task != "" {
			ids = append(ids, j.Task)
		}
	}
	return ids
}

// An Assignment is what a worker is started for.
type Assignment struct {
	Member
	Job Job // zero where it takes all work of its role, one after the other
}

// Assign returns what workers that are started for one job at a time would be started for, in the order of work.
func (b *Board) Assign(members []Member) (all []Assignment) {
	next := map[Role]int{}
	for _, j := range b.jobs {
		of := slices.DeleteFunc(slices.Clone(members), func(m Member) bool { return m.Role != j.Role })
		if len(of) > 0 {
			all = append(all, Assignment{of[next[j.Role]%len(of)], j})
			next[j.Role]++
		}
	}
	return all
}

// always is the board's state for a job that an agent got nowhere with: however else the board changes, it is not begun again.
const always = "always"

// nextJob returns the next job of a worker that is started for one job at a time. Analysts work beside others; the others, who change
// the same files, one after the other in the order of the jobs.
func (t *Team) nextJob(w *worker, b Board) (Job, bool) {
	serial := func(role Role) bool { return role != Analyst }
	if serial(w.Role) && t.anyRuns(func(other *worker) bool { return serial(other.Role) }) {
		return Job{}, false
	}
	for _, j := range b.jobs {
		switch {
		case !t.isDue(j, b):
		case j.Role == w.Role:
			return j, true
		case serial(w.Role) && serial(j.Role) && t.canDo(j.Role):
			return Job{}, false // it comes first
		}
	}
	return Job{}, false
}

// canDo reports whether a worker of the role may be started.
func (t *Team) canDo(role Role) bool {
	return slices.ContainsFunc(t.workers, func(w *worker) bool { return w.Role == role && w.gone == "" })
}

// isDue reports whether nobody is at a job, or tried it in vain since something has changed. A worker lands what it has finished itself.
func (t *Team) isDue(j Job, b Board) bool {
	asks := j.Role == Integrator && j.Task == "" && b.Pulls && t.Now().Sub(t.asked) >= t.Again
	if was, found := t.tried[j.key]; found && !asks && (was == always || was == b.state) {
		return false
	}
	return !t.anyRuns(func(w *worker) bool { return w.job.key == j.key || slices.Contains(j.by, w.Name) })
}

func (t *Team) anyRuns(is func(w *worker) bool) bool {
	return slices.ContainsFunc(t.workers, func(w *worker) bool { return w.child != nil && is(w) })
}

// gotNowhere names the ready tasks that are not begun again, "" for none.
func (t *Team) gotNowhere(b Board) string {
	var ids []string
	for _, j := range b.jobs {
		if j.Task != "" && t.tried[j.key] == always {
			ids = append(ids, j.Task)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return "agents got nowhere with " + strings.Join(ids[:min(3, len(ids))], ", ")
}
