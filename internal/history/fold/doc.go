// Package fold reduces what all commits of a history record to the lives of tasks.
//
// Which commits record one event, on which branch it was made, and the status of a task follow from the entries of all
// commits (package record), from the graph, the tips and the reflogs of branches. It is one pass: lives (registry), events
// (group, event, origin), then the status of each life (status, ending).
//
// Nothing here reads a repository: all of it is passed in. The rules are in docs/history.md.
package fold
