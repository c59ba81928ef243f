// Git-ralph-workplan-parser parses workplans for git-ralph, which runs it where a command reads one. It is a program of its own
// because a Markdown library costs every start of a program that links it.
package main

import (
	"os"
	"runtime/debug"

	"git-ralph/internal/workplan/markdown"
)

// version is set by the linker.
var version = "unknown"

// memoryLimit is the heap size, in bytes, at which garbage collection begins: most files are parsed before it would pay.
const memoryLimit = 256 << 20

func main() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimit)
	os.Exit(markdown.Main(os.Args[1:], version, os.Stdin, os.Stdout, os.Stderr))
}
