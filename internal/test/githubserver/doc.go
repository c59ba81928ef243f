// Package githubserver is a GitHub on loopback: what it answers has the form of recorded replies, and it fails in the ways that GitHub
// and networks do.
package githubserver
