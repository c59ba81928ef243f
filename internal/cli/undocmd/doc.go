// Package undocmd has `git ralph undo` and `git ralph redo`.
package undocmd
