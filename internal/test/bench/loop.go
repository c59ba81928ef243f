package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/proc"
)

const (
	loopTasks    = 1000
	iterations   = 21 // of which the first is not counted
	limitReached = 6  // the exit code of a run that a limit ended
)

// measureLoop: what the loop adds to the time of its agents.
func measureLoop(ctx context.Context, l *lab) ([]row, error) {
	var rows []row
	for _, measure := range []func(context.Context) (row, error){
		func(ctx context.Context) (row, error) { return l.overhead(ctx, "of the plan alone", l.trivial) },
		func(ctx context.Context) (row, error) { return l.overhead(ctx, "of code and plan", l.diligent) },
		func(ctx context.Context) (row, error) { return l.startedEach(ctx, "of the plan alone", l.trivial) },
		func(ctx context.Context) (row, error) { return l.startedEach(ctx, "of code and plan", l.diligent) },
		func(ctx context.Context) (row, error) { return l.listening(ctx, "plain") },
		func(ctx context.Context) (row, error) { return l.listening(ctx, "claude") },
	} {
		r, err := measure(ctx)
		if err != nil {
			return nil, err
		}
		if r.what != "" {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// trivial is an agent that says at once that its task is done.
func (l *lab) trivial() (agent string, err error) {
	path := filepath.Join(l.dir, "loop-report")
	return "cat '" + path + "'", os.WriteFile(path, []byte("[RALPH_OUTPUT]{\"verdict\": \"done\"}[/RALPH_OUTPUT]\n"), 0o600)
}

// diligent is one that changes a file before, and leaves it to be committed.
func (l *lab) diligent() (agent string, err error) {
	path := filepath.Join(l.dir, "loop-work")
	if _, err := l.trivial(); err != nil {
		return "", err
	}
	script := "echo more >>" + fileName(1) + "\nexec cat '" + filepath.Join(l.dir, "loop-report") + "'\n"
	return "sh '" + path + "'", os.WriteFile(path, []byte(script), 0o600)
}

// workplace is a repository in which agents may be started.
func (l *lab) workplace(ctx context.Context) (string, error) {
	repo, err := l.repo(ctx, 2000, loopTasks)
	if err != nil {
		return "", err
	}
	_, err = proc.Run(ctx, proc.Cmd{Name: l.bin, Args: []string{"trust", "--yes"}, Dir: repo, Env: l.env})
	return repo, err
}

// overhead is the time from one agent's start to the next one's, where the agent does next to nothing.
func (l *lab) overhead(ctx context.Context, kind string, maker func() (string, error)) (row, error) {
	repo, err := l.workplace(ctx)
	if err != nil {
		return row{}, err
	}
	agent, err := maker()
	if err != nil {
		return row{}, err
	}
	args := []string{"build", "--json", "--agent", agent, "--max-iterations", strconv.Itoa(iterations)}
	res, err := proc.Run(ctx, proc.Cmd{Name: l.bin, Args: args, Dir: repo, Env: l.env})
	if proc.ExitCode(err) != limitReached {
		return row{}, fmt.Errorf("the run did not go on: %w\n%s", err, res.Stdout)
	}
	times := apart(res.Stdout)
	if len(times) != iterations-1 {
		return row{}, fmt.Errorf("%d iterations:\n%s", len(times)+1, res.Stdout)
	}
	took := median(times)
	what := fmt.Sprintf("an iteration's overhead, %d tasks, %s, ms", loopTasks, kind)
	return row{what: what, ours: millis(took), value: float64(took) / float64(time.Millisecond), goal: 150}, nil
}

// apart reads from a run's events how far apart its iterations began.
func apart(events []byte) []time.Duration {
	var times []time.Duration
	var last time.Time
	for line := range bytes.Lines(events) {
		var e struct {
			T  string
			At time.Time
		}
		if json.Unmarshal(line, &e) != nil || e.T != "iteration" {
			continue
		}
		if !last.IsZero() {
			times = append(times, e.At.Sub(last))
		}
		last = e.At
	}
	return times
}

// startedEach counts the processes of an iteration; of its agent a shell at most.
func (l *lab) startedEach(ctx context.Context, kind string, maker func() (string, error)) (row, error) {
	agent, err := maker()
	if err != nil {
		return row{}, err
	}
	count := func(n int) (int, error) {
		repo, err := l.workplace(ctx)
		if err != nil {
			return 0, err
		}
		return l.processes(ctx, repo, []string{"build", "--agent", agent, "--max-iterations", strconv.Itoa(n)})
	}
	one, err := count(1)
	if err != nil {
		return row{}, err
	}
	many, err := count(iterations)
	each := float64(many-one) / (iterations - 1)
	return row{what: "processes of an iteration, " + kind, ours: fmt.Sprintf("%.1f", each), value: each, goal: 12}, err
}

// How an agent prints that is talkative.
const (
	talkTime = 5 * time.Second
	talkRate = 10 << 20 // bytes a second
	talkStep = 20 * time.Millisecond
)

// listening is how much of one core the loop takes, in percent, while its agent prints 10 MB/s. The zero row where the system
// does not report.
func (l *lab) listening(ctx context.Context, format string) (row, error) {
	if runtime.GOOS != "linux" {
		return row{}, nil
	}
	repo, err := l.workplace(ctx)
	if err != nil {
		return row{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return row{}, err
	}
	result := filepath.Join(l.dir, "loop-cpu")
	for key, value := range map[string]string{"command": fmt.Sprintf("'%s' -talk %s '%s'", self, format, result), "format": format} {
		if _, err := l.git(ctx, repo, nil, "config", "ralph.agent.talkative."+key, value); err != nil {
			return row{}, err
		}
	}
	_, err = proc.Run(ctx, proc.Cmd{Name: l.bin, Args: []string{"build", "--max-iterations", "1", "--agent", "talkative"}, Dir: repo, Env: l.env})
	if proc.ExitCode(err) != limitReached {
		return row{}, fmt.Errorf("the run did not go on: %w", err)
	}
	text, err := os.ReadFile(result)
	if err != nil {
		return row{}, err
	}
	percent, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	what := "the loop while its agent prints 10 MB/s, " + format + ", % of a core"
	return row{what: what, ours: fmt.Sprintf("%.1f %%", percent), value: percent, goal: 10}, err
}

// beTalkative prints lines at talkRate for talkTime, and writes into a file how much of one core the parent used meanwhile,
// in percent.
func beTalkative(format, file string) int {
	line := strings.Repeat("some words of an output ", 8)
	if format != "plain" {
		line = `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"` + strings.Repeat(line, 5) + `"}]}}`
	}
	piece := []byte(strings.Repeat(line+"\n", talkRate/len(line)/int(time.Second/talkStep)))
	began, before := time.Now(), cpuTime(os.Getppid())
	for at := began; time.Since(began) < talkTime; at = at.Add(talkStep) {
		time.Sleep(time.Until(at))
		if _, err := os.Stdout.Write(piece); err != nil {
			return 1
		}
	}
	used, took := cpuTime(os.Getppid())-before, time.Since(began)
	if os.WriteFile(file, fmt.Appendf(nil, "%.2f\n", 100*float64(used)/float64(took)), 0o600) != nil {
		return 1
	}
	return 0
}

// cpuTime reports how long a process has computed, by Linux's table, which counts in hundredths of a second.
func cpuTime(pid int) time.Duration {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	const user, system = 11, 12 // behind the program's name
	if len(fields) <= system {
		return 0
	}
	a, _ := strconv.Atoi(fields[user])
	b, _ := strconv.Atoi(fields[system])
	return time.Duration(a+b) * 10 * time.Millisecond
}
