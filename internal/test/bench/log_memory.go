package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"git-ralph/internal/proc"
)

// maxMemory is the most memory that log may take, mapped files aside, in megabytes of 2^20 bytes.
const maxMemory = 64

// memoryOfLogs: a long history and a large plan fit into a small machine. Packs are mapped and can be let go at any time;
// what counts is anonymous memory. There is no row where the system does not report it.
func memoryOfLogs(ctx context.Context, l *lab) ([]row, error) {
	var rows []row
	for _, it := range []struct {
		size        teamSize
		graph, what string
	}{
		{longHistory, "", "no commit-graph"},
		{longHistory, "graph", "commit-graph"},
		{longHistory, "bloom", "Bloom filters"},
		{largePlan, "", "large plan"},
	} {
		dir, err := l.history(ctx, it.size, it.graph)
		if err != nil {
			return nil, err
		}
		peak, err := l.maxAnonymous(l.logAll(dir).cold())
		if errors.Is(err, errors.ErrUnsupported) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		megabytes := float64(peak) / (1 << 20)
		rows = append(rows, row{what: "memory of log --all, cold, " + it.what, ours: fmt.Sprintf("%.1f MB", megabytes), value: megabytes, goal: maxMemory, unit: "MB"})
	}
	return rows, nil
}

// maxAnonymous returns the most anonymous memory that a few runs had, in bytes.
func (l *lab) maxAnonymous(c contender) (int64, error) {
	var most int64
	for range 3 {
		if err := c.prepare(); err != nil {
			return 0, err
		}
		peak, err := anonymousOfRun(c.cmd)
		if err != nil {
			return 0, err
		}
		most = max(most, peak)
	}
	return most, nil
}

// anonymousOfRun runs a program and looks every millisecond.
func anonymousOfRun(c proc.Cmd) (peak int64, err error) {
	job, err := proc.StartJob(c)
	if err != nil {
		return 0, err
	}
	defer job.Close()
	go io.Copy(io.Discard, job.Stdout)
	go io.Copy(io.Discard, job.Stderr)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			peak = max(peak, anonymousNow(job.ID.PID))
		case <-job.Exited():
			switch {
			case job.Code() != 0:
				return 0, fmt.Errorf("%s %s: exit status %d", c.Name, c.Args[0], job.Code())
			case peak == 0:
				return 0, fmt.Errorf("anonymous memory of a process: %w", errors.ErrUnsupported)
			}
			return peak, nil
		}
	}
}

// anonymousNow returns what a process has at the moment, as Linux reports it; 0 where it is not reported.
func anonymousNow(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // it may have ended
	_, rest, _ := bytes.Cut(text, []byte("RssAnon:"))
	figure, _, _ := bytes.Cut(rest, []byte(" kB"))
	kilobytes, _ := strconv.ParseInt(string(bytes.TrimSpace(figure)), 10, 64)
	return kilobytes << 10
}
