// Package report parses and checks the block at the end of an agent's output. The result is one value per stage, or an error
// for the next agent's prompt. The package does not depend on the plan (docs/loop.md, "How an agent reports").
package report
