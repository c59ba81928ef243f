// Package plancmd holds the commands that read and change the records of the plan:
// query, task, issue, check, diff, fmt, set-spec, prime.
package plancmd
