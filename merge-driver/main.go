// Git-ralph-merge-driver is what git calls to merge plans. It is a program of
// its own because git starts it for every commit of a rebase: it links little
// and starts fast. `git ralph merge-driver` does the same.
//
// A merge is over before a container's limits would matter; looking them up
// takes longer than merging small plans.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0
package main

import (
	"context"
	"os"
	"runtime/debug"

	"git-ralph/internal/mergedriver"
)

// version is set by the linker.
var version = "unknown"

// memoryLimit is where the garbage collector begins to work, in bytes.
const memoryLimit = 256 << 20

func main() {
	os.Exit(mergedriver.Main(context.Background(), os.Args[1:], mergedriver.Env{
		Out: os.Stdout, Err: os.Stderr, Version: version, Large: collectLate,
	}))
}

// collectLate puts garbage collection off: a merge is over before it would pay.
// In a small one it does not begin anyway, and saying so takes longer.
func collectLate() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimit)
}
