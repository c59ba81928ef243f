// Package mcpserver offers the commands of git ralph as tools of the Model Context Protocol. A tool makes a command line of its
// input and runs it, so that it does what the command does: there is no second implementation. All but those that run checks are run
// in this process. Nothing is kept between two calls.
package mcpserver
