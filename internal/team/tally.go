package team

import (
	"slices"
	"strings"
	"time"

	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/work"
)

// A Summary is the result of a team's run.
type Summary struct {
	loop.Summary
	Landed   int // tasks
	Returned int // tasks that could not land
	Workers  []WorkerSummary
	Tasks    []TaskSummary
}

// A WorkerSummary is what a worker did.
type WorkerSummary struct {
	Member
	Starts     int
	Iterations int
	Finished   int // tasks
	Tokens     int
	Cost       float64
	Took       time.Duration // of its iterations
}

// A TaskSummary is what became of a task.
type TaskSummary struct {
	ID, Name   string
	Workers    []string
	Landed     int
	Returned   int
	Rejected   int
	Accepted   int
	Iterations int
	Tokens     int
	Cost       float64
	Took       time.Duration
}

// worker returns the summary of a worker, nil where it is not of the team.
func (s *Summary) worker(name string) *WorkerSummary {
	at := slices.IndexFunc(s.Workers, func(w WorkerSummary) bool { return w.Name == name })
	if at < 0 {
		return nil
	}
	return &s.Workers[at]
}

// task returns the summary of a task, in the order in which tasks were begun.
func (s *Summary) task(id, name string) *TaskSummary {
	at := slices.IndexFunc(s.Tasks, func(t TaskSummary) bool { return t.ID == id })
	if at < 0 {
		at = len(s.Tasks)
		s.Tasks = append(s.Tasks, TaskSummary{ID: id})
	}
	t := &s.Tasks[at]
	if name != "" {
		t.Name = name
	}
	return t
}

// by notes that a worker had the task.
func (t *TaskSummary) by(worker string) {
	if !slices.Contains(t.Workers, worker) {
		t.Workers = append(t.Workers, worker)
	}
}

// add counts an event.
func (s *Summary) add(e Event) {
	switch e.Kind {
	case WorkerBegan:
		s.worker(e.Worker).Starts++
	case work.Claimed:
		s.task(e.ID, e.Event.Name).by(e.Worker)
	case work.Finished:
		s.worker(e.Worker).Finished++
	case work.Landed:
		for _, id := range idsOf(e) {
			s.Landed++
			s.task(id, "").Landed++
		}
	case work.Unlanded:
		for _, id := range idsOf(e) {
			s.Returned++
			s.task(id, "").Returned++
		}
	case loop.IterationEnded:
		s.addIteration(e)
	}
}

// idsOf returns the tasks of a branch.
func idsOf(e Event) []string {
	return strings.FieldsFunc(e.ID, func(r rune) bool { return r == ',' || r == ' ' })
}

func (s *Summary) addIteration(e Event) {
	s.Iterations++
	s.Commits += e.Commits
	s.Tokens += e.Tokens
	s.Cost += e.Cost
	w := s.worker(e.Worker)
	w.Iterations++
	w.Tokens += e.Tokens
	w.Cost += e.Cost
	w.Took += e.Took
	if e.ID != "" {
		t := s.task(e.ID, e.Event.Name)
		t.by(e.Worker)
		t.Iterations++
		t.Tokens += e.Tokens
		t.Cost += e.Cost
		t.Took += e.Took
	}
	for _, step := range e.Steps {
		switch step.Name {
		case plan.EventDone:
			s.Done++
		case plan.EventAccepted:
			s.Accepted++
			s.task(step.ID, step.Title).Accepted++
		case plan.EventRejected:
			s.Rejected++
			s.task(step.ID, step.Title).Rejected++
		case plan.EventKilled:
			s.Killed++
		}
	}
}
