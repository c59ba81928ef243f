// Package term holds the environment of a command, which is the streams, the directory, the
// variables and the terminal of the user, and prints text, tables, messages and JSON there.
package term
