// Package pullrequest pushes the branch of a pull request, and finds, opens, reads and merges pull requests. Whatever was interrupted may be
// done again: what is there already is found.
package pullrequest
