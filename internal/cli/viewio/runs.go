package viewio

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// A knownRun is a run that is over, as it was read.
type knownRun struct {
	view.Run
	of []string // the runs of its workers
}

// WithRuns returns data with the runs that the journals of all worktrees have, and with who is at work. A run of a team's worker is
// part of the team's.
func (w *Worktree) WithRuns(ctx context.Context, d *view.Data) (*view.Data, error) {
	all := *d
	_, st, err := w.open(ctx, &all)
	if err != nil {
		return nil, err
	}
	var runs []knownRun
	live := map[string]journal.Journal{} // by the run that is under way
	for _, dir := range gitDirs(st.Repo().CommonDir()) {
		j := journal.Of(dir)
		names := j.Runs()
		holder, running := j.Running() // a run has its lock before it is listed, so one that is listed and not running is over
		for ; len(names) > 0; names = names[1:] {
			under := 0
			if running && len(names) == 1 {
				under = holder.PID
				live[names[0]] = j
			}
			runs = append(runs, w.readRun(j, dir, names[0], under))
		}
	}
	all.Runs, all.Workers = nil, nil
	part := map[string]bool{}
	for _, r := range runs {
		for _, name := range r.of {
			part[name] = true
		}
	}
	for _, r := range runs {
		if !part[r.Name] {
			all.Runs = append(all.Runs, r.Run)
			if j, running := live[r.Name]; running {
				all.Workers = append(all.Workers, workersOf(j, r.Run)...)
			}
		}
	}
	slices.SortStableFunc(all.Runs, func(a, b view.Run) int { return strings.Compare(a.Name, b.Name) })
	return &all, nil
}

// gitDirs returns the git directories of all worktrees.
func gitDirs(common string) []string {
	dirs := []string{common}
	linked, _ := os.ReadDir(filepath.Join(common, "worktrees")) //nolint:errcheck // most repositories have none
	for _, e := range linked {
		dirs = append(dirs, filepath.Join(common, "worktrees", e.Name()))
	}
	return dirs
}

// readRun reads a run; pid is that of its process while it is under way. One that is over is read once.
func (w *Worktree) readRun(j journal.Journal, dir, name string, pid int) knownRun {
	key := filepath.Join(dir, name)
	w.mu.Lock()
	known, found := w.runs[key]
	w.mu.Unlock()
	if found && pid == 0 {
		return known
	}
	r := runReader{knownRun: knownRun{Run: view.Run{Name: name, Worktree: rootOf(dir), PID: pid}}, open: map[string]int{}}
	events, _ := j.Events(name) //nolint:errcheck // what cannot be read is left out: a view must not fail because of a log
	for _, e := range events {
		r.add(e)
	}
	if r.Why == "" && pid == 0 {
		r.Why = "killed" // its end was not written
	}
	if pid == 0 {
		w.mu.Lock()
		w.runs[key] = r.knownRun
		w.mu.Unlock()
	}
	return r.knownRun
}

// rootOf returns the root of the worktree with a git directory, "" where that cannot be found out.
func rootOf(dir string) string {
	link, err := os.ReadFile(filepath.Join(dir, "gitdir"))
	if err == nil {
		return filepath.Dir(strings.TrimSpace(string(link)))
	}
	if filepath.Base(dir) == ".git" {
		return filepath.Dir(dir)
	}
	return ""
}

// A runReader makes a run of its events.
type runReader struct {
	knownRun
	open map[string]int // by worker, the place of the iteration that has not ended
}

func (r *runReader) add(e jsonl.Object) {
	text := func(name string) string { return journal.Text(e, name) }
	at, _ := time.Parse(time.RFC3339, text("at")) //nolint:errcheck // then it is not known
	worker := text("worker")
	if r.Began.IsZero() {
		r.Began = at
	}
	switch loop.Kind(text("t")) {
	case loop.RunBegan:
		if worker == "" {
			r.Agent = text("agent")
		} else if name := text("run"); name != "" {
			r.of = append(r.of, name)
		}
	case loop.IterationBegan:
		r.open[worker] = len(r.Iterations)
		r.Iterations = append(r.Iterations, view.Iteration{
			Run: r.Name, Number: number(e, "iteration"), Worker: worker, Stage: text("stage"), ID: text("id"), Name: text("name"), Log: text("log"), Began: at,
		})
	case loop.IterationEnded:
		i, began := r.open[worker]
		if !began {
			i = len(r.Iterations)
			r.Iterations = append(r.Iterations, view.Iteration{Run: r.Name, Worker: worker, Stage: text("stage"), ID: text("id"), Name: text("name"), Began: at})
		}
		delete(r.open, worker)
		end(&r.Iterations[i], e)
	case loop.RunEnded:
		if worker == "" {
			r.Ended, r.Why, r.Text = at, text("why"), text("text")
		}
	}
}

// end sets how an iteration ended.
func end(i *view.Iteration, e jsonl.Object) {
	i.Result, i.Text, i.Took = journal.Text(e, "result"), journal.Text(e, "text"), time.Duration(number(e, "ms"))*time.Millisecond
	i.Commits, i.Tokens, i.Cost = number(e, "commits"), number(e, "tokens"), dollars(e)
	steps, _ := e.Get("steps")
	for step := range steps.All() {
		if o, err := jsonl.ParseObject(string(step)); err == nil {
			i.Steps = append(i.Steps, plan.Event{Name: plan.EventName(journal.Text(o, "what")), ID: journal.Text(o, "id"), Title: journal.Text(o, "name")})
		}
	}
}

func number(o jsonl.Object, name string) int {
	value, _ := o.Get(name)
	n, _ := strconv.Atoi(string(value)) //nolint:errcheck // then there is none
	return n
}

func dollars(o jsonl.Object) float64 {
	value, _ := o.Get("cost")
	cost, _ := strconv.ParseFloat(string(value), 64) //nolint:errcheck // then it is not known
	return cost
}

// workersOf returns who is at work in a run that is under way: the workers of a team, else the run itself.
func workersOf(j journal.Journal, r view.Run) (all []view.Worker) {
	live, found := j.Live(r.Name)
	if !found {
		return []view.Worker{{Name: r.Name, Worktree: r.Worktree}}
	}
	list, isTeam := live.Get("workers")
	if !isTeam {
		one := workerIn(live, r.Worktree)
		one.Name, one.Task = r.Name, journal.Text(live, "name")
		return []view.Worker{one}
	}
	for value := range list.All() {
		if o, err := jsonl.ParseObject(string(value)); err == nil {
			all = append(all, workerIn(o, r.Worktree))
		}
	}
	return all
}

// workerIn reads the progress of a worker, or of a run.
func workerIn(o jsonl.Object, worktree string) view.Worker {
	text := func(name string) string { return journal.Text(o, name) }
	began, _ := time.Parse(time.RFC3339, text("began")) //nolint:errcheck // it waits
	return view.Worker{
		Name: text("name"), Worktree: worktree, State: text("state"), Stage: text("stage"), ID: text("id"), Task: text("task"), Tool: text("tool"),
		Began: began, Tokens: number(o, "tokens"), Cost: dollars(o),
	}
}
