// Package agenthook decides what an agent's hook answers. There is one table of decisions, from a situation to a verdict; the
// agents are thin adapters around it, which read their own JSON and write the verdict in their own form.
package agenthook
