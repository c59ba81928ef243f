// Package hub decides what a State Hub is sent, and when: the calls that wait in a queue, what is known of the hub, the sequence
// that closes a workplan, and how the hub compares with the file. The file is the source of truth, the hub shows it elsewhere.
//
// Everything that depends on the hub's own interface, its paths, tools, fields and words, is in table.go and words.go. Connections are
// made by package hub/transport.
package hub
