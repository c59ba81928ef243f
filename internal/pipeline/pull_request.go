package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A PullRequest is the tasks that take the code of some items to GitHub's default branch, and what they know of it.
type PullRequest struct {
	Task      Task  // creates it, or merges it
	Implement *Task // nil where it is not in the plan any more
	Create    *Task // the same
	Primary   *Item
	Members   []*Item // as the task has them
	Branch    string
	Commit    string // that was pushed from here; "": not known yet
	Number    int    // 0: there is none yet
	Refused   string // the commit at which GitHub refused to merge it although it looks ready; "": it did not
}

// A NoPullRequestError says that nothing in the plan creates, or merges, a pull request for something.
type NoPullRequestError struct {
	Name string
	Step Step
}

func (e *NoPullRequestError) Error() string {
	what := map[Step]string{StepPR: "Create PR", StepMerge: "Merge PR"}[e.Step]
	return fmt.Sprintf("invalid %q: want a pending task %q, or an item that has one", e.Name, what)
}

// FindPullRequest returns the pull request that a pending task of a step is about. name is the id of that task, or names an item.
func FindPullRequest(p *plan.Plan, name string, step Step) (*PullRequest, error) {
	b := newBuilder(p, nil)
	t := b.task(name)
	if t == nil {
		if id := b.items.idOf(jsonl.Quote(name)); id != "" {
			t = b.newest(step, func(t *Task) bool { return t.Pending() && slices.Contains(t.Members, id) })
		}
	}
	if t == nil || t.Step != step || !t.Pending() {
		return nil, &NoPullRequestError{name, step}
	}
	isSame := func(other *Task) bool { return other.Item == t.Item && slices.Equal(other.Members, t.Members) }
	r := &PullRequest{Task: *t, Implement: b.newest(StepImplement, isSame), Create: b.newest(StepPR, isSame), Primary: b.items.byID[t.Item]}
	for _, id := range t.Members {
		r.Members = append(r.Members, b.items.byID[id])
	}
	r.Branch = r.Primary.Ref().String()
	if r.Implement != nil {
		meta := r.Implement.Meta()
		r.Branch = CodeBranch(p, *r.Implement)
		r.Commit, r.Number = textIn(meta, plan.CodeCommit), numberIn(meta, plan.PullRequest)
	}
	return r, nil
}

// newest returns the task of a step with the highest round.
func (b *builder) newest(step Step, is func(*Task) bool) (found *Task) {
	for i := range b.tasks {
		if t := &b.tasks[i]; t.Step == step && is(t) && (found == nil || t.Round > found.Round) {
			found = t
		}
	}
	return found
}

// Keep notes in Implement where the code is. A number of 0 is not noted.
func (r *PullRequest) Keep(p *plan.Plan) (plan.Change, error) {
	if r.Implement == nil {
		return plan.Change{}, nil
	}
	meta := []jsonl.Member{jsonl.TextMember(plan.CodeBranch, r.Branch), jsonl.TextMember(plan.CodeCommit, r.Commit)}
	if r.Number > 0 {
		meta = append(meta, number(plan.PullRequest, r.Number))
	}
	return optional(p.Edit(r.Implement.ID(), nil, meta))
}

// optional returns a change that may have had nothing to do.
func optional(c plan.Change, err error) (plan.Change, error) {
	if _, unchanged := err.(*plan.UnchangedError); unchanged {
		return plan.Change{}, nil
	}
	return c, err
}

// Created finishes the task that creates the pull request.
func (r *PullRequest) Created(p *plan.Plan, f Finishing, stamp plan.Stamp) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		all, err := r.Keep(p)
		if err != nil {
			return plan.Change{}, err
		}
		f.Meta = append(slices.Clone(f.Meta), number(plan.PullRequest, r.Number))
		c, err := Finish(p, []string{r.Task.ID()}, f, stamp)
		all.Join(c)
		return all, err
	})
}

// Merged finishes the task that merges the pull request, and accepts what it has merged: the code is where it belongs.
func (r *PullRequest) Merged(p *plan.Plan, f Finishing, stamp plan.Stamp) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		all, err := Finish(p, []string{r.Task.ID()}, f, stamp)
		if err != nil {
			return plan.Change{}, err
		}
		var ids []string
		for _, t := range []*Task{r.Implement, r.Create, &r.Task} {
			if t == nil {
				continue
			}
			if task, found := p.Task(t.ID()); found && task.Done() {
				ids = append(ids, t.ID())
			}
		}
		c, err := p.Accept(ids)
		all.Join(c)
		return all, err
	})
}

// Await makes the task wait for an issue until the pull request is ready. Whoever asks GitHub closes it; agents do not look into it.
func (r *PullRequest) Await(p *plan.Plan, why string, stamp plan.Stamp) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		all, err := r.Keep(p)
		if err != nil {
			return plan.Change{}, err
		}
		if waits := r.awaited(p); waits != "" {
			return all, nil
		}
		members := []jsonl.Member{{Name: metaItem, Value: r.Primary.ref()}, number(plan.PullRequest, r.Number), jsonl.TextMember("commit", r.Commit)}
		if r.Refused != "" {
			members = append(members, jsonl.TextMember(metaRefused, r.Refused))
		}
		meta := jsonl.Build(members)
		added, err := p.AddIssues([]jsonl.Object{jsonl.Build([]jsonl.Member{
			jsonl.TextMember("desc", fmt.Sprintf("pull request #%d of %s waits: %s (git ralph closes this issue when it is ready)", r.Number, r.Primary.Ref(), why)),
			{Name: "meta", Value: jsonl.Value(meta.Text())},
		})}, stamp)
		if err != nil {
			return plan.Change{}, err
		}
		all.Join(added)
		id := added.Records[0].ID()
		left, err := p.LeaveIssuesToPerson([]string{id})
		if err != nil {
			return plan.Change{}, err
		}
		all.Join(left)
		waiting, err := p.Edit(r.Task.ID(), []jsonl.Member{jsonl.ListMember("deps", append(r.Task.Deps(), id))}, nil)
		all.Join(waiting)
		return all, err
	})
}

// awaited returns the issue that the task waits for, because the pull request is not ready; "" where there is none.
func (r *PullRequest) awaited(p *plan.Plan) string {
	for _, id := range r.Task.Deps() {
		if issue, open := p.Issue(id); open && numberIn(issue.Meta(), plan.PullRequest) > 0 {
			return id
		}
	}
	return ""
}

// Escalate makes the items Human Needed. The verdict in the task says that there is something to land.
func (r *PullRequest) Escalate(p *plan.Plan, why string, stamp plan.Stamp) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		all, err := p.Edit(r.Task.ID(), nil, []jsonl.Member{jsonl.TextMember(metaVerdict, HumanNeeded), jsonl.TextMember(metaReason, why)})
		if all, err = optional(all, err); err != nil {
			return plan.Change{}, err
		}
		for _, it := range r.Members {
			if Final(it.State) || it.State == HumanNeeded {
				continue
			}
			c, err := p.MoveItem(it.ID, HumanNeeded, why, stamp.Now)
			if err != nil {
				return plan.Change{}, err
			}
			all.Join(c)
		}
		return all, nil
	})
}

// SendBack rejects Implement, whose checks fail. The verdict in the task says that there is something to land.
func (r *PullRequest) SendBack(p *plan.Plan, why string) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		all, err := p.Edit(r.Task.ID(), nil, []jsonl.Member{jsonl.TextMember(metaVerdict, NeedsIteration), jsonl.TextMember(metaReason, why)})
		if all, err = optional(all, err); err != nil {
			return plan.Change{}, err
		}
		c, err := p.Reject(r.Implement.ID(), why)
		all.Join(c)
		return all, err
	})
}

// An AwaitedPull is an issue that waits for a pull request.
type AwaitedPull struct {
	Issue  string
	Number int
	Commit string // that was pushed for it from here

	refused string    // the commit at which GitHub refused to merge it
	since   time.Time // when it did
}

// pauseOfRefused is how long a merge is not tried again that GitHub refused although the pull request looks ready.
const pauseOfRefused = time.Hour

// Pauses reports whether a pull request that looks ready, at a commit, is not to be merged yet, since GitHub has just refused that.
func (a AwaitedPull) Pauses(head string, now time.Time) bool {
	return a.refused != "" && a.refused == head && now.Sub(a.since).Abs() < pauseOfRefused // another clone's clock may be ahead
}

// AwaitedPulls returns the issues of a plan that wait for pull requests.
func AwaitedPulls(p *plan.Plan) (all []AwaitedPull) {
	for _, issue := range p.Of(plan.KindIssue) {
		if n := numberIn(issue.Meta(), plan.PullRequest); n > 0 {
			since, _ := time.Parse(time.RFC3339, issue.CreatedAt()) //nolint:errcheck // one that cannot be read was long ago
			all = append(all, AwaitedPull{issue.ID(), n, textIn(issue.Meta(), "commit"), textIn(issue.Meta(), metaRefused), since})
		}
	}
	return all
}

// String names the pull request for people.
func (r *PullRequest) String() string {
	return "#" + strconv.Itoa(r.Number) + " of " + r.Primary.Ref().String()
}

// DuePulls returns the tasks of a plan that create or merge a pull request, and wait for nothing.
func DuePulls(p *plan.Plan) (due []Task) {
	for _, t := range TasksOf(p) {
		if t.Step.isIntegration() && t.Pending() && len(p.BlockedBy(t.Record)) == 0 {
			due = append(due, t)
		}
	}
	return due
}

// CodeBranch returns the name of the branch for the code of a task's items: as the task says, else that of the first item.
func CodeBranch(p *plan.Plan, t Task) string {
	return cmp.Or(textIn(t.Meta(), plan.CodeBranch), Of(p).byID[t.Item].Ref().String())
}

// PullsLeft reports whether a pull request is to be created or merged, or asked about, by whoever does that.
func PullsLeft(p *plan.Plan, by Integration) bool {
	return by == ByPullRequests && len(AwaitedPulls(p))+len(DuePulls(p)) > 0
}
