// Package board is the terminal board of `git ralph board`: columns by status, all about a task beside them, and a key for every change.
//
// A model (model.go) is changed by messages alone: keys, the mouse, and what commands have read (load.go) or done (action.go), which run
// beside it. A frame is drawn of what is on the screen (draw.go), however long the plan is. Every text that is drawn goes through a row
// (row.go), which makes it printable, so that no plan can send the terminal anything.
package board
