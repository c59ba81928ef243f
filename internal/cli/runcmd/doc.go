// Package runcmd holds the commands that run agents and report on their runs: plan, build, work,
// team, hero, logs, prompt, status.
package runcmd
