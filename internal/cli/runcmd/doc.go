// Package runcmd holds the commands that run agents and report on their runs: plan,
// build, logs, prompt, status.
package runcmd
