//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// An interrupt while a pager runs does not end this process, and what it starts
// does not inherit that it is ignored.
func TestCaughtSignalIsNotInherited(t *testing.T) {
	arrived := make(chan os.Signal, 1)
	restore := catch(os.Interrupt)
	if signal.Ignored(os.Interrupt) {
		t.Error("ignored, which children inherit")
	}
	signal.Notify(arrived, os.Interrupt)
	defer signal.Stop(arrived)
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case <-arrived:
	case <-time.After(time.Minute):
		t.Error("no signal came")
	}
	restore()
}
