package runcmd

import (
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
)

// claimedTasks are what the references of claims show of workers, of this machine and of others: who has which task, in which role,
// since when. Nothing else of a worker is known to other machines than its own.
type claimedTasks struct {
	state planprint.State
	run   lastRun
}

// ids returns the tasks that are claimed.
func (c claimedTasks) ids() []string { return slices.Sorted(maps.Keys(c.state.Claims.Held)) }

func (c claimedTasks) nameOf(id string) string {
	task, _ := c.state.Plan.Task(id)
	return task.Name()
}

// writeJSON writes [{"id", "name", "claim"}].
func (c claimedTasks) writeJSON(w term.Sink) {
	ids := c.ids()
	term.WriteArray(w, len(ids), func(i int) {
		o := term.Object{Sink: w}
		o.Str("id", ids[i])
		o.StrIf("name", c.nameOf(ids[i]))
		o.Member("claim")
		planprint.WriteClaim(w, c.state.Claims.Held[ids[i]], c.state.Claims.Own[ids[i]])
		o.End()
	})
}

// maxShown is how many claims of workers are shown as text.
const maxShown = 20

// show writes a line for each claim of a worker that no run of this worktree shows.
func (c claimedTasks) show(env *term.Env) {
	host, _ := os.Hostname() //nolint:errcheck // then workers of this machine are shown twice
	var t term.Table
	shown := 0
	for _, id := range c.ids() {
		h := c.state.Claims.Held[id]
		if h.Bad != "" || h.Claim.Worker == "" || c.run.pid != 0 && h.Claim.Host == host {
			continue
		}
		if shown++; shown <= maxShown {
			t.Add(term.Cell{Text: planprint.HolderText(h), Style: term.Faint}, term.Cell{Text: c.text(h), Style: term.PlainStyle})
		}
	}
	t.Write(env)
	if shown > maxShown {
		env.Hint("`git ralph claim list` shows all workers")
	}
}

// text describes a claim: task, role, state and age. The age is by the clock of the machine that made it.
func (c claimedTasks) text(h claim.Held) string {
	parts := []string{strings.TrimSpace(h.ID + " " + term.FirstLineOf(c.nameOf(h.ID)))}
	if h.Claim.Role != "" {
		parts = append(parts, planprint.ClaimField(h.Claim.Role))
	}
	if at, err := time.Parse(time.RFC3339, h.Claim.At); err == nil {
		parts = append(parts, took(max(0, c.run.now.Sub(at)).Round(time.Second)))
	}
	if h.Claim.State == claim.Landing {
		parts = append(parts, "waits to land")
	}
	return strings.Join(parts, " · ")
}
