// Package trust lists what a repository contains that configures coding agents or that they run: settings, hooks, MCP servers,
// plugins, skills, prompts, instructions; and which of it a person has accepted (docs/loop.md, "Trust").
//
// Scan lists it with a hash each. A Record holds what was accepted; it is stored in the clone's own git configuration file
// and read from that file alone: no include and no other scope counts, since a repository could supply those.
package trust
