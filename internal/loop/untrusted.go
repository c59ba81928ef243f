package loop

import "slices"

// tellUntrusted reports what can run something in the next agent, and is not as it was when it was trusted. The run goes on:
// it is the next command that asks.
func (it *iteration) tellUntrusted() {
	if it.Config.Untrusted == nil {
		return
	}
	for _, what := range it.Config.Untrusted() {
		if !slices.Contains(it.changed, what) {
			it.Loop.changed = append(it.Loop.changed, what)
			it.warn(it.n, "changed since it was trusted, and agents run it: %s", what)
		}
	}
}
