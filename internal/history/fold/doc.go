// Package fold makes the story of every task out of commits: what each commit
// did to the plan, and from that the lives of tasks.
//
// It has two halves. What one commit tells depends on its own plan, those of
// its parents and its message alone (Told); a cache can keep it by commit. All
// the rest, one event told by several commits, the branch of an event, how a
// task stands, follows from what all commits tell, from the graph and the tips
// (History).
//
// Nothing here reads a repository: graph, versions of the plan and messages are
// handed in. The rules stand in docs/history.md.
package fold
