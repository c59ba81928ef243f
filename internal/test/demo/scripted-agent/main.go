// Scripted-agent plays the scenario that its argument names, for the demonstration of the loop.
package main

import (
	"os"

	"git-ralph/internal/test/scripted"
)

func main() { os.Exit(scripted.Main(os.Args)) }
