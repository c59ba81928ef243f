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

// compare runs both sides alternately, each first as often as the other, and gives the ratio of their medians.
func (l *lab) compare(ctx context.Context, what string, goal float64, runs int, ours, rival contender) (row, error) {
	var mine, theirs []time.Duration
	for i := range warmUps + runs {
		pair := []contender{ours, rival}
		if i%2 == 1 {
			slices.Reverse(pair)
		}
		for j, side := range pair {
			took, err := l.time(ctx, side)
			if err != nil {
				return row{}, fmt.Errorf("%s: %w", what, err)
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
	a, b := median(mine), median(theirs)
	return row{what, millis(a), millis(b), float64(a) / float64(b), goal}, nil
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
