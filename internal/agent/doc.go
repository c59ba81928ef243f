// Package agent runs coding agents: programs that are given a prompt and work on the files of a directory by themselves.
//
// A Profile says how one kind of agent is started and how its output is read. Those of claude, codex, gemini and opencode
// are built in; any other command is an agent that prints plain text. What is run is chosen by git configuration and the
// command line alone, never by a file of the repository (docs/loop.md, "Agents").
//
// Run.Do starts an agent, reads its output line by line as it comes, holds it to its limits, and ends it together with
// everything that it started. Memory is bounded however much it prints.
package agent
