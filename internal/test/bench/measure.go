package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"git-ralph/internal/proc"
)

// contender is one side of a comparison.
type contender struct {
	prepare func() error // not measured; may be nil
	cmd     proc.Cmd
	counts  bool         // its exit status counts conflicts, and is no failure
	call    func() error // instead of cmd, in this process
}

// warmUps are the runs of each side before those that count.
const warmUps = 3

// compare returns the ratio of the medians of both sides.
func (l *lab) compare(ctx context.Context, what string, goal float64, runs int, ours, rival contender) (row, error) {
	a, b, err := l.medians(ctx, runs, ours, rival)
	if err != nil {
		return row{}, fmt.Errorf("%s: %w", what, err)
	}
	return row{what: what, ours: millis(a), rival: millis(b), value: float64(a) / float64(b), goal: goal}, nil
}

// over returns by how many milliseconds the median of ours is above the rival's.
func (l *lab) over(ctx context.Context, what string, goal float64, runs int, ours, rival contender) (row, error) {
	a, b, err := l.medians(ctx, runs, ours, rival)
	if err != nil {
		return row{}, fmt.Errorf("%s: %w", what, err)
	}
	return row{what: what, ours: millis(a), rival: millis(b), value: float64(a-b) / float64(time.Millisecond), goal: goal, unit: "ms"}, nil
}

// medians runs both sides alternately, each first as often as the other.
func (l *lab) medians(ctx context.Context, runs int, ours, rival contender) (a, b time.Duration, err error) {
	var mine, theirs []time.Duration
	for i := range warmUps + runs {
		pair := []contender{ours, rival}
		if i%2 == 1 {
			slices.Reverse(pair)
		}
		for j, side := range pair {
			took, err := l.time(ctx, side)
			if err != nil {
				return 0, 0, err
			}
			switch {
			case i < warmUps:
			case j == i%2:
				mine = append(mine, took)
			default:
				theirs = append(theirs, took)
			}
		}
	}
	return median(mine), median(theirs), nil
}

// time runs one side once, its output thrown away by the system.
func (l *lab) time(ctx context.Context, side contender) (time.Duration, error) {
	if side.prepare != nil {
		if err := side.prepare(); err != nil {
			return 0, err
		}
	}
	if side.call != nil {
		began := time.Now()
		err := side.call()
		return time.Since(began), err
	}
	c := side.cmd
	if c.Env == nil {
		c.Env = l.env
	}
	c.Stdout = l.null
	began := time.Now()
	_, err := proc.Run(ctx, c)
	took := time.Since(began)
	if side.counts && proc.ExitCode(err) > 0 {
		err = nil
	}
	return took, err
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}
