// Package agent runs coding agents: programs that take a prompt and change the files of a directory without supervision.
//
// A Profile says how one kind of agent is started and how its output is parsed. Profiles of claude, codex, gemini and opencode
// are built in; any other command is an agent that prints plain text. Only git's configuration and the command line choose
// what is run, never a file of the repository (docs/loop.md, "Agents").
//
// Run.Do starts an agent, parses its output line by line, enforces its limits, and ends it together with everything that it
// started. It uses a bounded amount of memory, however much the agent prints.
package agent
