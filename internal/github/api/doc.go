// Package api is a client of GitHub's REST and GraphQL interfaces. It waits where GitHub asks for that, repeats what may be repeated,
// and leaves it to its caller to find out what became of a change whose reply was lost (UncertainError).
package api
