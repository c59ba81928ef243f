package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// applyReport checks what the agent reported by a block, and applies it as one transaction. What cannot be used is told
// to the next agent; an error is one that is not the agent's.
func (it *iteration) applyReport(ctx context.Context, now state) error {
	r, err := findReport(it.outcome.Words, it.prompt)
	if err == nil && !r.empty() {
		err = it.apply(ctx, now, r)
	}
	if err == nil || !isAgents(err) {
		return err
	}
	it.feedback = feedback{it.stage(), it.feedbackID(), err.Error()}
	return nil
}

func (it *iteration) feedbackID() string { return idOf(it.before.next) }

// isAgents tells whether an error came of what the agent reported, so that another answer would mend it.
func isAgents(err error) bool {
	if errors.Is(err, errReport) || errors.Is(err, git.ErrCommitRefused) || errors.Is(err, plan.ErrNoSubtasks) || errors.Is(err, plan.ErrNoSpec) {
		return true
	}
	_, field := errors.AsType[*plan.FieldError](err)
	_, cycle := errors.AsType[*plan.CycleError](err)
	_, unknown := errors.AsType[*plan.UnknownIDError](err)
	_, ambiguous := errors.AsType[*plan.AmbiguousIDError](err)
	_, state := errors.AsType[*plan.StateError](err)
	_, blocked := errors.AsType[*plan.BlockedError](err)
	_, needed := errors.AsType[*plan.DependantsError](err)
	return field || cycle || unknown || ambiguous || state || blocked || needed
}

func (it *iteration) apply(ctx context.Context, now state, r report) error {
	switch it.stage() {
	case schedule.Build:
		return it.applyBuild(ctx, now, r)
	case schedule.Verify:
		return it.applyVerify(ctx, r)
	case schedule.Investigate:
		return it.applyInvestigate(ctx, r)
	case schedule.Decompose:
		return it.applyDecompose(ctx, now, r)
	case schedule.Plan:
		return it.applyPlan(ctx, r)
	}
	return nil
}

// update runs one transaction. Nothing to do is no error.
func (it *iteration) update(ctx context.Context, r store.Request) error {
	_, err := it.Store.Update(ctx, r)
	if errors.Is(err, plan.ErrNothing) {
		return nil
	}
	return err
}

// applyBuild takes {"verdict": "done" | "blocked", "summary", "reason", "issues", "files"}.
func (it *iteration) applyBuild(ctx context.Context, now state, r report) error {
	task, found := now.plan.Task(it.id())
	pending := found && task.Pending()
	issues, err := r.texts("issues")
	if err != nil {
		return err
	}
	switch verdict := r.text("verdict"); {
	case verdict == "done" && pending:
		return it.applyDone(ctx, task, r, issues)
	case verdict == "blocked" && pending:
		return it.setAside(ctx, task.ID(), "blocked: "+orUnsaid(r.text("reason")), issues)
	case verdict == "done" || verdict == "blocked": // it told the plan itself
		return it.addIssues(ctx, issues)
	default:
		return unusable("\"verdict\" is %q, expected \"done\" or \"blocked\"", verdict)
	}
}

func orUnsaid(reason string) string {
	if reason == "" {
		return "the agent did not say why"
	}
	return reason
}

func (it *iteration) addIssues(ctx context.Context, issues []string) error {
	if len(issues) == 0 {
		return nil
	}
	return it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return p.AddIssues(issueObjects(issues), in.Stamp)
	}})
}

func issueObjects(descriptions []string) []jsonl.Object {
	objects := make([]jsonl.Object, len(descriptions))
	for i, text := range descriptions {
		objects[i] = jsonl.Build([]jsonl.Member{{Name: "desc", Value: jsonl.Quote(text)}})
	}
	return objects
}

// applyDone makes the task done, and commits what the agent left uncommitted together with the plan.
func (it *iteration) applyDone(ctx context.Context, task plan.Record, r report, issues []string) error {
	named, err := r.texts("files")
	if err != nil {
		return err
	}
	files, err := it.work(ctx, named)
	if err != nil {
		return err
	}
	return it.update(ctx, store.Request{
		Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			change, err := p.Done([]string{task.ID()}, plan.DoneOptions{Head: in.Head}, in.Stamp)
			if err != nil || len(issues) == 0 {
				return change, err
			}
			added, err := p.AddIssues(issueObjects(issues), in.Stamp)
			return joined(change, added), err
		},
		Files: files, Message: commitMessage(task.Name(), r.text("summary")),
	})
}

// subjectWidth is how long a commit's subject is at most, in characters.
const subjectWidth = 72

// commitMessage makes a message of a task's name and what the agent says of its work. It cannot forge a trailer: what it
// says is indented where it looks like one.
func commitMessage(name, summary string) string {
	subject := strings.Join(strings.Fields(name), " ")
	if runes := []rune(subject); len(runes) > subjectWidth {
		subject = string(runes[:subjectWidth-1]) + "…"
	}
	if summary == "" {
		return subject
	}
	return subject + "\n\n" + strings.ReplaceAll(strings.Join(strings.Fields(summary), " "), "Ralph-", "ralph-")
}

func joined(changes ...plan.Change) plan.Change {
	var all plan.Change
	for _, c := range changes {
		all.Events = append(all.Events, c.Events...)
		all.Records = append(all.Records, c.Records...)
		all.Removed = append(all.Removed, c.Removed...)
	}
	return all
}

// applyVerify takes {"results": [{"task_id", "passed", "reason"}], "new_tasks"}.
func (it *iteration) applyVerify(ctx context.Context, r report) error {
	verdicts, err := r.verdicts()
	if err != nil {
		return err
	}
	tasks, err := r.tasks("new_tasks")
	if err != nil {
		return err
	}
	return it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return judgeTasks(p, verdicts, tasks, in)
	}})
}

// A verdict is what VERIFY says of one task.
type verdict struct {
	id     string
	passed bool
	reason string
}

func (r report) verdicts() ([]verdict, error) {
	results, err := r.objects("results")
	if err != nil {
		return nil, err
	}
	list := make([]verdict, len(results))
	for i, object := range results {
		one := report{object}
		passed := get(object, "passed")
		v := verdict{id: one.text("task_id"), passed: passed == "true", reason: one.text("reason")}
		switch {
		case v.id == "":
			return nil, unusable("result %d names no task in \"task_id\"", i+1)
		case passed.Kind() != jsonl.Bool:
			return nil, unusable("the result for %s says neither true nor false in \"passed\"", v.id)
		case !v.passed && v.reason == "":
			return nil, unusable("the result for %s gives no \"reason\", which is all that the next agent would know", v.id)
		}
		list[i] = v
	}
	return list, nil
}

// judgeTasks accepts, rejects and adds. Tasks that the agent judged itself already are left out.
func judgeTasks(p *plan.Plan, verdicts []verdict, tasks []jsonl.Object, in store.Inputs) (plan.Change, error) {
	var all plan.Change
	for _, v := range verdicts {
		task, found := p.Task(v.id)
		if !found || !task.Done() {
			continue
		}
		var one plan.Change
		var err error
		if v.passed {
			one, err = p.Accept([]string{v.id})
		} else {
			one, err = p.Reject(v.id, v.reason)
		}
		if err != nil {
			return plan.Change{}, err
		}
		all = joined(all, one)
	}
	if len(tasks) == 0 {
		return all, nil
	}
	added, err := p.AddTasks(tasks, in.Stamp)
	return joined(all, added), err
}

// applyPlan takes {"tasks"}. All are added in one commit, or none. An empty list says that the spec is fulfilled.
func (it *iteration) applyPlan(ctx context.Context, r report) error {
	tasks, err := r.tasks("tasks")
	if err != nil {
		return err
	}
	if get(r.object, "tasks").Kind() != jsonl.Array {
		return unusable("there is no list \"tasks\"")
	}
	var doubts []string
	if len(tasks) > 0 {
		err = it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			change, err := p.AddTasks(tasks, in.Stamp)
			if doubts = doubtsAbout(p, change.Records); err == nil && it.Goals.Strict && len(doubts) > 0 {
				err = unusable("these tasks cannot be checked by anybody, so nothing was added:\n%s", strings.Join(doubts, "\n"))
			}
			return change, err
		}})
	}
	if err == nil {
		it.planned = true
		for _, doubt := range doubts {
			it.warn(it.n, "%s", doubt)
		}
	}
	return err
}

// doubtsAbout looks at new tasks a second time: what cannot be checked will be called done too early.
func doubtsAbout(p *plan.Plan, added []plan.Record) []string {
	vague := p.Vague()
	var doubts []string
	for _, r := range added {
		if why, found := vague[r.ID()]; found {
			doubts = append(doubts, r.ID()+" "+r.Name()+": "+why)
		}
	}
	return doubts
}

// applyInvestigate takes {"tasks", "resolved": [{"issue_id", "reason"} | "i-…"]}. What waited for an issue that became
// tasks waits for these.
func (it *iteration) applyInvestigate(ctx context.Context, r report) error {
	tasks, err := r.tasks("tasks")
	if err != nil {
		return err
	}
	resolved, err := r.issueIDs("resolved")
	if err != nil {
		return err
	}
	return it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return settleIssues(p, tasks, resolved, in)
	}})
}

// issueIDs returns a list of ids, which may stand alone or in objects.
func (r report) issueIDs(name string) ([]string, error) {
	elements, _ := get(r.object, name).Elements()
	var ids []string
	for _, e := range elements {
		id, ok := e.Str()
		if object, err := jsonl.ParseObject(string(e)); err == nil {
			id, ok = firstText(object, "issue_id", "id"), true
		}
		if !ok || id == "" {
			return nil, unusable("%q holds something that names no issue: %s", name, e)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func settleIssues(p *plan.Plan, tasks []jsonl.Object, resolved []string, in store.Inputs) (plan.Change, error) {
	var all plan.Change
	if len(tasks) > 0 {
		added, err := p.AddTasks(tasks, in.Stamp)
		if err != nil {
			return plan.Change{}, err
		}
		all = added
	}
	for _, id := range resolved {
		if _, open := p.Issue(id); !open {
			continue
		}
		moved, err := waitForTasks(p, id, all.Records)
		if err != nil {
			return plan.Change{}, err
		}
		closed, err := p.CloseIssues([]string{id})
		if err != nil {
			return plan.Change{}, err
		}
		all = joined(all, moved, closed)
	}
	return all, nil
}

// waitForTasks lets what waits for an issue wait for the tasks that were made of it instead.
func waitForTasks(p *plan.Plan, issue string, added []plan.Record) (plan.Change, error) {
	var made []string
	for _, r := range added {
		if r.Text("created_from") == issue {
			made = append(made, r.ID())
		}
	}
	var all plan.Change
	for _, task := range p.Of(plan.KindTask) {
		deps := task.Deps()
		at := slices.Index(deps, issue)
		if at < 0 || slices.Contains(made, task.ID()) {
			continue
		}
		deps = slices.Replace(slices.Clone(deps), at, at+1, made...)
		changed, err := p.Edit(task.ID(), []jsonl.Member{{Name: "deps", Value: jsonl.List(deps)}}, nil)
		if err != nil {
			return plan.Change{}, err
		}
		all = joined(all, changed)
	}
	return all, nil
}

// applyDecompose takes {"tasks"}: they take the place of the task.
func (it *iteration) applyDecompose(ctx context.Context, now state, r report) error {
	parent, found := now.plan.Task(it.id())
	if !found || !parent.Pending() {
		return nil // the agent cut it up itself
	}
	tasks, err := r.tasks("tasks")
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return fmt.Errorf("%w: %w", errReport, plan.ErrNoSubtasks)
	}
	for i, task := range tasks {
		tasks[i] = withDepth(task, depthOf(parent)+1)
	}
	return it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return p.Decompose(it.id(), tasks, in.Stamp)
	}})
}
