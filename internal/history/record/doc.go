// Package record finds what commits record: for each, the events that follow from its plan, the plans of its parents and
// its message.
//
// It is a pipeline of values. The plans of a commit and of its parents (Source.Plan, base) are compared, line by line
// (comparison); the events are reconciled with the trailers of the message (reconciliation); the result is an Entry. It
// follows from nothing else, so that it can be kept as long as the commit is.
//
// Nothing here reads a repository: graph, versions of the plan and messages are passed in. The rules are in
// docs/history.md.
package record
