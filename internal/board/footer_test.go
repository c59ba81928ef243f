package board

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestFooter: the last line has no key of an action that makes no sense for what is selected, and has those that do.
func TestFooter(t *testing.T) {
	small := open(t, smallRepo(t), 160, 50)
	waiting := open(t, newRepo(t, waitingPlan()...), 160, 50)
	empty := open(t, newRepo(t, version{"ann@example.com", "ralph: begin", 0, []string{spec}}), 160, 50)
	for _, c := range []struct {
		u           *user
		id          string
		has, hasNot string // keys
	}{
		{small, "t-1a2b", "d c e p", "y x s C"},
		{small, "t-0s1t", "y x R e", "d c"},
		{small, "i-9o0p", "d e T p", "y x c"},
		{small, "w-3g4h", "d e P", "y x c p"},
		{waiting, "w-6k7l", "y x d", "c"},
		{empty, "", "a u [", "d e p y enter"},
	} {
		if c.id != "" {
			c.u.run(c.u.m.jump(c.id))
		}
		c.u.screen()
		var keys []string
		for _, k := range c.u.m.footer() {
			keys = append(keys, k[0])
		}
		for _, key := range strings.Fields(c.has) {
			if !slices.Contains(keys, key) {
				t.Errorf("%q: %s is not among %q", c.id, key, keys)
			}
		}
		for _, key := range strings.Fields(c.hasNot) {
			if slices.Contains(keys, key) {
				t.Errorf("%q: %s is among %q, where it does nothing", c.id, key, keys)
			}
		}
	}
	empty.press("d")
	empty.shows("no card is selected")
	waiting.shows("needs a person", "y approves its plan")
}

// TestUnread: that the plan cannot be read is said until it can be, and all of the message can be read.
func TestUnread(t *testing.T) {
	u := open(t, smallRepo(t), 80, 24)
	plan := u.r.ReadFile("ralph/plan.jsonl")
	u.r.WriteFile("ralph/plan.jsonl", strings.Replace(plan, `"t": "task"`, `"t" "task"`, 1))
	u.send(changedMsg{Plan: true})
	u.shows("! cannot read the plan", `expected ":"`, "! not read", "t-1a2b")
	u.press("down")
	u.hides("cannot read the plan")
	u.shows("! not read")
	u.press("w")
	u.shows("invalid JSON")
	u.press("esc")
	u.send(changedMsg{})
	u.shows("! not read")
	u.r.WriteFile("ralph/plan.jsonl", plan)
	u.send(changedMsg{Plan: true})
	u.hides("! not read")
	u.send(readMsg{rest: true, err: errors.New("the journal is gone")}) // the plan is the present one
	u.shows("not all could be read: the journal is gone")
	u.hides("! not read")
}

// TestSmallFailure: in the smallest window all of what a command says can be read.
func TestSmallFailure(t *testing.T) {
	u := open(t, smallRepo(t), 24, 6)
	u.press("right", "d")
	u.shows("t-2c3d waits for", "enter again")
	u.press("down", "down")
	u.shows("--force")
}
