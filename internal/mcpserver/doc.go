// Package mcpserver offers the commands of git ralph as tools of the Model Context Protocol. A tool makes a command line of its
// input and runs it in this process, so that it does what the command does: there is no second implementation. Nothing is kept
// between two calls.
package mcpserver
