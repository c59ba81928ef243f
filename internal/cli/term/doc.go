// Package term is what commands have around them: the streams, the directory, the
// environment and the terminal of the user, and how text, tables, messages and JSON
// are printed there.
package term
