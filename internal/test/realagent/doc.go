// Package realagent holds the loop to real agent programs: those that people use, from their registry, talking to a model
// that is scripted and listens on this machine alone. Nothing of it is linked into a program, and `make test` leaves its
// tests out: `make test-agents` fetches the agents and runs them.
package realagent
