// Package report reads the block that an agent ends its output with, and checks it: what it holds is one value for each
// stage, or an error that the next agent can act on. It knows no plan (docs/loop.md, "How an agent reports").
package report
