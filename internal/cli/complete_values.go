package cli

import (
	"io/fs"
	"path/filepath"
	"slices"

	"git-ralph/internal/agent"
	"git-ralph/internal/history"
	"git-ralph/internal/install"
	"git-ralph/internal/plan"
)

// argumentsOf offers what a command, such as "task done", takes next.
func (c *completer) argumentsOf(command string) {
	isFirst := len(c.line.args) == 0
	switch command {
	case "task done":
		c.records(c.pending)
	case "task cancel":
		c.records(c.pending)
		c.records(c.others)
	case "task accept":
		c.records(c.done)
	case "issue done":
		c.records(c.issues)
	case "issue edit", "issue show":
		c.recordsIf(isFirst || command == "issue show", c.issues)
	case "log":
		c.recordsIf(isFirst, c.tasks)
		c.recordsIf(isFirst, c.issues)
		c.gone(isFirst, anyID)
	case "restore":
		c.gone(true, func(id string, accepted bool) bool { return !accepted && plan.ValidID(plan.KindTask, id) })
	case "task edit", "task show":
		c.recordsIf(isFirst || command == "task show", c.tasks)
	case "show":
		c.recordsIf(isFirst, c.tasks)
		c.recordsIf(isFirst, c.issues)
		c.gone(isFirst, anyID)
	case "task decompose":
		c.recordsIf(isFirst, c.pending)
	case "task reject":
		c.recordsIf(isFirst, c.done)
	case "task kill":
		c.recordsIf(isFirst, c.pending)
		if len(c.line.args) == 1 {
			c.offer("timeout", "it ran too long")
			c.offer("context", "it outgrew the agent's context")
		}
	case "set-spec", "plan":
		c.specs()
	case "prompt show", "prompt render", "prompt eject":
		c.offerAll("plan", "build", "decompose", "verify", "investigate")
	case "completion":
		c.offerAll(shellNames()...)
	case "help":
		c.helpTopics()
	case "check":
		c.leave(completeRevs, completeFiles)
	case "diff", "merge-preview":
		c.leave(completeRevs)
	case "resolve":
		c.recordsIf(isFirst, c.conflicts)
	case "textconv", "merge-driver":
		c.leave(completeFiles)
	case "man":
		c.leave(completeDirs)
	}
}

// values offers what may be the value of a flag.
func (c *completer) values(flag string) {
	switch flag {
	case "priority":
		c.offerAll("high", "medium", "low")
	case "status":
		if c.line.command().Name == "log" {
			c.offerAll("pending", "done", "accepted", "rejected", "cancelled", "decomposed", "lost")
		} else {
			c.offerAll(append(taskStatuses(), "all")...)
		}
	case "sort":
		c.offerAll("work", "created", "priority", "name", "id")
	case "label", "add-label", "remove-label":
		c.labels()
	case "format":
		c.offerAll("text", "json", "jsonl")
	case "branch", "range", "since", "until":
		c.leave(completeRevs)
	case "task":
		if c.line.command().Name == "build" {
			c.records(c.pending)
			return
		}
		c.records(c.tasks)
		c.records(c.issues)
		c.gone(true, anyID)
	case "into":
		c.offerAll(string(install.Husky), string(install.Lefthook), string(install.PreCommit))
	case "spec":
		c.specs()
	case "dep", "add-dep", "remove-dep":
		c.records(c.tasks)
		c.records(c.issues)
	case "parent", "supersedes":
		c.records(c.tasks)
	case "created-from":
		c.records(c.issues)
	case "role":
		c.used("role")
	case "agent":
		c.offerAll(agent.Names()...)
	case "stage":
		c.offerAll("BUILD", "DECOMPOSE", "VERIFY", "INVESTIGATE")
	case "rev":
		c.leave(completeRevs)
	case "plan", "log":
		c.leave(completeFiles)
	case "C":
		c.leave(completeDirs)
	}
}

// helpTopics offers the commands below those that are named already.
func (c *completer) helpTopics() {
	topic := &line{root: c.line.root}
	for _, word := range c.line.args {
		if topic.descend(word) != nil {
			return
		}
	}
	c.commands(topic.commands())
}

// plan reads the worktree's plan; nothing can be offered from one that cannot
// be read.
func (c *completer) plan() (view, bool) {
	v, err := source{}.view(c.ctx, c.env)
	return v, err == nil
}

func (c *completer) pending(v view) []*plan.Record { return v.Pending() }

func (c *completer) done(v view) []*plan.Record { return v.Done() }

func (c *completer) others(v view) []*plan.Record { return v.Others() }

func (c *completer) tasks(v view) []*plan.Record { return v.Tasks() }

func (c *completer) conflicts(v view) []*plan.Record {
	var found []*plan.Record
	for _, r := range v.state().conflicts() {
		found = append(found, &r)
	}
	return found
}

func (c *completer) issues(v view) []*plan.Record { return v.Issues() }

// records offers the ids of records that are not on the line yet. An id of
// another form is not offered: it could be anything.
func (c *completer) records(of func(view) []*plan.Record) {
	v, ok := c.plan()
	if !ok {
		return
	}
	for _, r := range of(v) {
		if plan.ValidID(r.Kind(), r.ID()) && !slices.Contains(c.line.args, r.ID()) {
			c.offer(r.ID(), r.Name())
		}
	}
}

func (c *completer) recordsIf(wanted bool, of func(view) []*plan.Record) {
	if wanted {
		c.records(of)
	}
}

// used offers the values that a field has in the plan.
func (c *completer) used(field string) {
	v, ok := c.plan()
	if !ok {
		return
	}
	var values []string
	for _, r := range v.Plan.Records() {
		values = append(values, r.Text(field))
	}
	slices.Sort(values)
	c.offerAll(slices.Compact(values)...)
}

// labels offers those that records have.
func (c *completer) labels() {
	v, ok := c.plan()
	if !ok {
		return
	}
	var labels []string
	for _, r := range v.Plan.Records() {
		labels = append(labels, r.Texts("labels")...)
	}
	slices.Sort(labels)
	c.offerAll(slices.Compact(labels)...)
}

// anyID wants every id that can be typed.
func anyID(id string, _ bool) bool {
	return plan.ValidID(plan.KindTask, id) || plan.ValidID(plan.KindIssue, id)
}

// gone offers ids that have left the plan, as far as the history cache knows
// them.
func (c *completer) gone(wanted bool, isWanted func(id string, accepted bool) bool) {
	v, ok := c.plan()
	st, err := c.env.open(c.ctx)
	if !wanted || !ok || err != nil {
		return
	}
	var ids []string
	for id, accepted := range history.KnownIDs(c.env.historyOf(st)) {
		if !isWanted(id, accepted) {
			continue
		}
		_, there := v.Plan.Task(id)
		_, open := v.Plan.Issue(id)
		if !there && !open && !slices.Contains(c.line.args, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	c.offerAll(ids...)
}

// mostSpecs bounds how many files of the folder of specs are looked at.
const mostSpecs = 1000

// specs offers the files in the folder of specs, and those that the plan names.
func (c *completer) specs() {
	s, err := c.env.open(c.ctx)
	if err != nil {
		return
	}
	var names []string
	if snap, err := s.View(c.ctx); err == nil {
		for _, r := range snap.Plan.Records() {
			names = append(names, r.Spec())
		}
	}
	place, _ := s.SpecPath("")
	folder := filepath.Join(s.Repo().Root(), filepath.FromSlash(place))
	looked := 0
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if looked++; err != nil || looked > mostSpecs {
			return fs.SkipAll
		}
		if name, err := filepath.Rel(folder, path); err == nil && d.Type().IsRegular() {
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	slices.Sort(names)
	c.offerAll(slices.Compact(names)...)
}
