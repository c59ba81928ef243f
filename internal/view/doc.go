// Package view makes values to look at of a plan, its claims, its history and its runs: a board, and all about one task. The terminal
// board, the page, and the commands that print pictures, files and reports show the same values.
//
// Texts in them come from plans, commits and claims, and so from strangers: whoever shows them makes them safe for where they go.
package view
