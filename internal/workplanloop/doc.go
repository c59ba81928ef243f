// Package workplanloop decides how the loop of a workplan inside an agent's session goes on: whenever the agent is about to stop, the
// file alone says whether the work is done.
package workplanloop
