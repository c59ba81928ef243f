package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"git-ralph/internal/proc"
	"git-ralph/internal/test/pty"
)

// measureBoard: the board of a long plan is on the screen at once, and so is what a key does.
func measureBoard(ctx context.Context, l *lab) ([]row, error) {
	repo, err := l.repo(ctx, 10, 10000)
	if err != nil {
		return nil, err
	}
	paints, keys := []time.Duration{}, []time.Duration{}
	for range max(l.runs/3, 5) {
		paint, pressed, err := l.watchBoard(ctx, repo)
		if err != nil {
			return nil, err
		}
		paints, keys = append(paints, paint), append(keys, pressed...)
	}
	slices.Sort(keys)
	p95 := keys[len(keys)*95/100]
	return []row{
		{what: "board of 10000 tasks: start to first frame", ours: millis(median(paints)), value: float64(median(paints)) / 1e6, goal: 100, unit: "ms"},
		{what: "board of 10000 tasks: key to frame", ours: millis(median(keys)), value: float64(median(keys)) / 1e6, goal: 16, unit: "ms"},
		{what: "board of 10000 tasks: key to frame, slowest of 20", ours: millis(p95), value: float64(p95) / 1e6, goal: 32, unit: "ms"},
	}, nil
}

// keysOfRun is how many keys are pressed in a run.
const keysOfRun = 20

// watchBoard starts the board on a terminal, and returns how long the first frame took, and each of some keys.
func (l *lab) watchBoard(ctx context.Context, repo string) (paint time.Duration, keys []time.Duration, err error) {
	ours, theirs, err := pty.Open(160, 50)
	if err != nil {
		return 0, nil, err
	}
	defer ours.Close()
	ended := make(chan error, 1)
	began := time.Now()
	go func() {
		_, err := proc.Run(ctx, proc.Cmd{
			Name: l.bin, Args: []string{"board"}, Dir: repo, Env: append(slices.Clone(l.env), "TERM=xterm-256color"), Input: theirs, Stdout: theirs, Stderr: theirs,
		})
		theirs.Close()
		ended <- err
	}()
	screen := terminalReader{ours: ours}
	if err := screen.await("Task number"); err != nil {
		return 0, nil, fmt.Errorf("%w: %q", err, screen.seen.String())
	}
	paint = time.Since(began)
	screen.awaitQuiet(300 * time.Millisecond) // the history is read
	for range keysOfRun {
		pressed := time.Now()
		if _, err = ours.WriteString("j"); err == nil {
			err = screen.await("")
		}
		if err != nil {
			return 0, nil, err
		}
		keys = append(keys, time.Since(pressed))
		screen.awaitQuiet(30 * time.Millisecond)
	}
	if _, err = ours.WriteString("q"); err == nil {
		screen.awaitQuiet(100 * time.Millisecond)
		err = <-ended
	}
	return paint, keys, err
}

// A terminalReader reads what a program writes to its terminal.
type terminalReader struct {
	ours *os.File
	seen bytes.Buffer
}

// await reads until something was written that contains a text.
func (r *terminalReader) await(text string) error {
	r.seen.Reset()
	r.ours.SetReadDeadline(time.Now().Add(20 * time.Second)) //nolint:errcheck // reading fails likewise
	data := make([]byte, 64<<10)
	for {
		n, err := r.ours.Read(data)
		r.seen.Write(data[:n])
		if n > 0 && bytes.Contains(r.seen.Bytes(), []byte(text)) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// awaitQuiet reads until nothing was written for a while.
func (r *terminalReader) awaitQuiet(quiet time.Duration) {
	data := make([]byte, 64<<10)
	for {
		r.ours.SetReadDeadline(time.Now().Add(quiet)) //nolint:errcheck // reading fails likewise
		if _, err := r.ours.Read(data); err != nil {
			return
		}
	}
}
