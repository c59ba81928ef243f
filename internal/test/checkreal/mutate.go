package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// step is one mutation and what it may touch.
type step struct {
	args   []string
	id     string   // of the task or issue that may change, come or go; "" where only a new record may appear
	fields []string // that may change in it
	spec   bool     // the spec record may change
}

// checkMutations plays the same scenario on each plan, in a clone of the mirror.
func checkMutations(ctx context.Context, r *report, p *place, plans []*planVersion) error {
	r.begin()
	clone := filepath.Join(p.dir, "clone")
	if _, err := p.git(ctx, p.dir, nil, "clone", "-q", "--no-checkout", p.mirror, clone); err != nil {
		return err
	}
	for _, v := range plans {
		if _, err := p.git(ctx, clone, nil, "checkout", "-q", "-f", "-B", "check-real", v.commit); err != nil {
			return err
		}
		if _, err := p.git(ctx, clone, nil, "config", "ralph.plan", v.path); err != nil {
			return err
		}
		s := &scenario{ctx: ctx, r: r, p: p, dir: clone, version: v}
		if err := s.play(); err != nil {
			r.fail("%s: %v", v, err)
		}
	}
	r.end(fmt.Sprintf("mutations on %d distinct plans", len(plans)))
	return nil
}

// scenario is a series of mutations on one plan.
type scenario struct {
	ctx     context.Context
	r       *report
	p       *place
	dir     string
	version *planVersion
}

// play runs the mutations one by one. It ends at the first that fails.
func (s *scenario) play() error {
	if s.version.invalid != "" {
		return s.refused()
	}
	if err := s.do(step{args: []string{"set-spec", "check-real.md"}, spec: true, fields: []string{"spec"}}); err != nil {
		return err
	}
	old := s.oldTask()
	first, err := s.add("task", "Check the first task")
	if err != nil {
		return err
	}
	second, err := s.add("task", "Check the second task")
	if err != nil {
		return err
	}
	issue, err := s.add("issue", "Check an issue")
	if err != nil {
		return err
	}
	steps := append(life(first), step{args: []string{"task", "cancel", second}, id: second}, step{args: []string{"issue", "done", issue}, id: issue})
	if old != "" {
		steps = append(steps, life(old)...)
	}
	for _, st := range steps {
		if err := s.do(st); err != nil {
			return err
		}
	}
	return nil
}

// life takes one pending task from an edit to acceptance.
func life(id string) []step {
	done := []string{"s", "done_at", "attempt", "kill", "kill_log"}
	rejected := []string{"s", "done_at", "attempt", "reject"}
	return []step{
		{args: []string{"task", "edit", id, "--notes", "Noted by the check"}, id: id, fields: []string{"notes"}},
		{args: []string{"task", "done", id, "--force"}, id: id, fields: done},
		{args: []string{"task", "reject", id, "Not good enough"}, id: id, fields: rejected},
		{args: []string{"task", "done", id, "--force"}, id: id, fields: done},
		{args: []string{"task", "accept", id}, id: id},
	}
}

// refused checks that an invalid plan is left as it is.
func (s *scenario) refused() error {
	res, code, err := s.p.ralph(s.ctx, s.dir, "task", "add", "Not to be added")
	if err != nil {
		return err
	}
	if code != exitInvalid {
		return fmt.Errorf("invalid plan: task add exits %d: %s", code, res.Stderr)
	}
	if status, err := s.p.git(s.ctx, s.dir, nil, "status", "--porcelain"); err != nil || status != "" {
		return fmt.Errorf("invalid plan: task add left %q %w", status, err)
	}
	s.r.note("invalid plan left alone", s.version.String())
	s.r.ok()
	return nil
}

// oldTask returns the id of a pending task that the plan already had; "" if there is none.
func (s *scenario) oldTask() string {
	for _, line := range s.lines() {
		if o := parseLine(line); o.text("t") == "task" && o.text("s") == "p" {
			return o.text("id")
		}
	}
	return ""
}

// add makes a task or an issue and returns its id.
func (s *scenario) add(what, name string) (string, error) {
	before := s.lines()
	if err := s.do(step{args: []string{what, "add", name}}); err != nil {
		return "", err
	}
	for _, line := range s.lines() {
		if !slices.Contains(before, line) {
			return parseLine(line).text("id"), nil
		}
	}
	return "", fmt.Errorf("%s add: no new record", what)
}

// do runs one mutation and compares the plan before and after.
func (s *scenario) do(st step) error {
	before := s.lines()
	head, err := s.head()
	if err != nil {
		return err
	}
	res, code, err := s.p.ralph(s.ctx, s.dir, st.args...)
	if err != nil {
		return err
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s: %s", strings.Join(st.args, " "), fmt.Sprintf(format, args...))
	}
	var said struct{ Committed bool }
	if code != 0 {
		return fail("exits %d: %s", code, res.Stderr)
	}
	if err := json.Unmarshal(res.Stdout, &said); err != nil || !said.Committed {
		return fail("does not say that it committed: %s", res.Stdout)
	}
	if err := s.oneCommit(head); err != nil {
		return fail("%v", err)
	}
	if err := compare(before, s.lines(), st); err != nil {
		return fail("%v", err)
	}
	s.r.ok()
	return nil
}

// oneCommit checks that there is one commit more, that it changed the plan alone, and that nothing is left uncommitted.
func (s *scenario) oneCommit(head string) error {
	parent, err := s.p.git(s.ctx, s.dir, nil, "rev-parse", "HEAD^")
	if err != nil {
		return err
	}
	if strings.TrimSpace(parent) != head {
		return fmt.Errorf("the commit does not follow %s", head)
	}
	changed, err := s.p.git(s.ctx, s.dir, nil, "diff", "--name-only", "-z", "HEAD^", "HEAD")
	if err != nil {
		return err
	}
	if changed != s.version.path+"\x00" {
		return fmt.Errorf("the commit changes %q", changed)
	}
	status, err := s.p.git(s.ctx, s.dir, nil, "status", "--porcelain")
	if err == nil && status != "" {
		err = fmt.Errorf("left uncommitted: %s", status)
	}
	return err
}

func (s *scenario) head() (string, error) {
	out, err := s.p.git(s.ctx, s.dir, nil, "rev-parse", "HEAD")
	return strings.TrimSpace(out), err
}
