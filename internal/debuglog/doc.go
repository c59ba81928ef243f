// Package debuglog records what git ralph does, where somebody has asked for it: calls of tools and services, hooks, processes of git, agents and
// commands. Each session has a file of its own in the git directory, with one event in each line. Parameters that are secrets are not written.
package debuglog
