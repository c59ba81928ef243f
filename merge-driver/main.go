// Git-ralph-merge-driver is what git calls to merge plans. It is a program of
// its own because git starts it for every commit of a rebase: it links little
// and starts fast. `git ralph merge-driver` does the same.
//
// A merge ends before a container's limits would matter; looking them up takes
// longer than merging small plans.
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

// memoryLimit is the heap size, in bytes, at which garbage collection begins.
const memoryLimit = 256 << 20

func main() {
	os.Exit(mergedriver.Main(context.Background(), os.Args[1:], mergedriver.Env{
		Out: os.Stdout, Err: os.Stderr, Version: version, BeforeLarge: collectLate,
	}))
}

// collectLate delays garbage collection: a merge ends before it would pay. In a
// small one it does not begin anyway, and changing the setting would take
// longer.
func collectLate() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimit)
}
