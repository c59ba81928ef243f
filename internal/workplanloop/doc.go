// Package workplanloop decides how the loop of a workplan inside an agent's session goes on: whenever the agent is about to stop, the
// file alone says whether the work is done. It has the prompts of that loop, and of the agents of `git ralph workplan run`.
package workplanloop
