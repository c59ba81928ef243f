// Package oracle reads the history of a plan a second time, for tests: slowly,
// in the plainest way there is, and without a line of the program's own reading
// of repositories, plans or histories. It asks git about one commit at a time,
// keeps the set of ancestors of every commit, and compares whole plans.
//
// The rules are those of docs/history.md. What it returns marshals to the JSON
// of `git ralph log --all --format json`.
package oracle
