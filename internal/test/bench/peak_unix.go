//go:build unix

package main

import (
	"runtime"
	"syscall"
)

// peakOfChildren is the most memory that a finished child had, in bytes.
func peakOfChildren() (int64, error) {
	var use syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &use)
	if runtime.GOOS == "darwin" {
		return int64(use.Maxrss), err
	}
	return int64(use.Maxrss) << 10, err
}
