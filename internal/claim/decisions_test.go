package claim

import (
	"slices"
	"testing"
	"time"
)

// What shows that a holder is gone, and what does not.
func TestStale(t *testing.T) {
	const lease = 900 * time.Second
	working := Claim{ID: "t-1", Token: "token001", State: Working, Lease: 900, Boot: "here", Lock: "token001"}
	seen := Evidence{Clock: Clock{"here", time.Hour}, Sighting: Sighting{"o", "here", time.Hour}, Skew: time.Minute}
	for name, test := range map[string]struct {
		change func(h *Held, e *Evidence)
		want   Staleness
	}{
		"just seen":                {func(*Held, *Evidence) {}, Fresh},
		"free lock":                {func(_ *Held, e *Evidence) { e.Lock = LockFree }, ByProof},
		"held lock":                {func(_ *Held, e *Evidence) { e.Lock = LockHeld }, Fresh},
		"missing lock":             {func(_ *Held, e *Evidence) { e.Lock = LockMissing }, Fresh},
		"another boot":             {func(h *Held, e *Evidence) { e.Lock, h.Claim.Boot = LockFree, "before" }, Fresh},
		"unknown boot":             {func(h *Held, e *Evidence) { e.Lock, h.Claim.Boot, e.Clock.Boot = LockFree, "", "" }, Fresh},
		"landing, free lock":       {func(h *Held, e *Evidence) { e.Lock, h.Claim.State = LockFree, Landing }, Fresh},
		"landing, old":             {func(h *Held, e *Evidence) { e.Clock.Now, h.Claim.State = 99*time.Hour, Landing }, Fresh},
		"within the skew":          {func(_ *Held, e *Evidence) { e.Clock.Now += lease + time.Minute - 1 }, Fresh},
		"lease over":               {func(_ *Held, e *Evidence) { e.Clock.Now += lease + time.Minute }, ByLease},
		"another object":           {func(h *Held, e *Evidence) { e.Clock.Now += 99 * time.Hour; h.Object = "p" }, Fresh},
		"seen before the boot":     {func(_ *Held, e *Evidence) { e.Clock.Now += 99 * time.Hour; e.Sighting.Boot = "before" }, Fresh},
		"seen later than now":      {func(_ *Held, e *Evidence) { e.Clock.Now = 0 }, Fresh},
		"no lease":                 {func(h *Held, e *Evidence) { e.Clock.Now += 99 * time.Hour; h.Claim.Lease = 0 }, Fresh},
		"a year's lease, a day on": {func(h *Held, e *Evidence) { e.Clock.Now += 25 * time.Hour; h.Claim.Lease = 31_000_000 }, ByLease},
		"unreadable":               {func(h *Held, e *Evidence) { e.Clock.Now += 99 * time.Hour; h.Bad = "no JSON" }, Fresh},
	} {
		h, e := Held{ID: "t-1", Object: "o", Claim: working}, seen
		test.change(&h, &e)
		if got := (Protocol{}).Stale(Seen{Held: h, Evidence: e}); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// A sighting lasts while the object stays; a change, another boot and a clock that ran backwards start again.
func TestObserve(t *testing.T) {
	read := func(objects ...string) map[string]Held {
		held := map[string]Held{}
		for i, o := range objects {
			id := []string{"t-0", "t-1"}[i]
			held[id] = Held{ID: id, Object: o}
		}
		return held
	}
	first := Sightings{}.Observe(read("a", "b"), nil, Clock{"here", 10})
	second := first.Observe(read("a", "c"), nil, Clock{"here", 20})
	if second["t-0"].First != 10 || second["t-1"].First != 20 {
		t.Errorf("got %v", second)
	}
	one := second.Observe(read("a"), []string{"t-0"}, Clock{"here", 30})
	if one["t-0"].First != 10 || one["t-1"].First != 20 {
		t.Errorf("a read of one: %v", one)
	}
	if gone := second.Observe(nil, []string{"t-0"}, Clock{"here", 30}); len(gone) != 1 {
		t.Errorf("a claim that is gone: %v", gone)
	}
	if all := second.Observe(read("a"), nil, Clock{"there", 5}); len(all) != 1 || all["t-0"].First != 5 {
		t.Errorf("another boot: %v", all)
	}
	if back := second.Observe(read("a"), nil, Clock{"here", 5}); back["t-0"].First != 5 {
		t.Errorf("backwards: %v", back)
	}
}

// A task that three workers in a row left without a commit is not taken again; one with a commit in between is.
func TestExhausted(t *testing.T) {
	p, target := Protocol{}, Target{"t-1": {Pending: true}}
	s := Seen{Held: Held{ID: "t-1", Object: "o", Claim: Claim{ID: "t-1", Token: "token001", State: Working, Lease: 1, Boot: "here", Lock: "token001"}}, Target: target}
	s.Evidence = Evidence{Clock: Clock{Boot: "here"}, Lock: LockFree}
	for n := range MaxSteals {
		change, refusal := p.Take(s, Claim{ID: "t-1", Token: "token002"})
		if refusal != "" || change.New.Steals != n+1 || change.Old != "o" {
			t.Fatalf("steal %d: %+v %s", n, change, refusal)
		}
		s.Held.Claim.Steals = change.New.Steals
	}
	if _, refusal := p.Take(s, Claim{ID: "t-1", Token: "token002"}); refusal != Exhausted {
		t.Errorf("refusal %q", refusal)
	}
	s.Evidence.Progress = true
	if change, refusal := p.Take(s, Claim{ID: "t-1", Token: "token002"}); refusal != "" || change.New.Steals != 1 {
		t.Errorf("with a commit: %+v %s", change, refusal)
	}
}

// Workers pick among the first 2 × (live + 1) of the highest priority.
func TestCandidates(t *testing.T) {
	ready := []string{"h1", "h2", "h3", "l1", "l2"}
	priority := func(id string) int { return int(id[0]) }
	for live, want := range map[int]int{0: 2, 1: 3, 9: 3} {
		if got := Candidates(ready, priority, live); !slices.Equal(got, ready[:want]) {
			t.Errorf("%d live: %v", live, got)
		}
	}
	if got := Candidates(nil, priority, 3); len(got) != 0 {
		t.Errorf("nothing ready: %v", got)
	}
}

// A branch lands only under claims in landing that name it, one for each task that it makes done.
func TestCheck(t *testing.T) {
	work := Work{Branch: "refs/heads/work", Commit: "c"}
	held := func(id string, c Claim) Seen {
		c.ID, c.Token = id, "token001"
		return Seen{Held: Held{ID: id, Object: "o", Claim: c}, Target: Target{"t-1": {Pending: true}, "t-2": {Pending: true, After: "a2"}, "t-3": {}}}
	}
	landing := Claim{State: Landing, Branch: work.Branch, Commit: work.Commit}
	older := landing
	older.Commit = "b"
	free := held("t-1", landing)
	free.Held = Held{ID: "t-1"}
	for name, test := range map[string]struct {
		seen Seen
		want Refusal
	}{
		"in landing":     {held("t-1", landing), ""},
		"no claim":       {free, NotOwn},
		"in working":     {held("t-1", Claim{State: Working, Branch: work.Branch, Commit: work.Commit}), HeldBy},
		"another commit": {held("t-1", older), NoBranch},
		"an older round": {held("t-2", landing), OtherRound},
		"done meanwhile": {held("t-3", landing), NotPending},
		"gone meanwhile": {held("t-4", landing), NotPending},
	} {
		if got := (Protocol{}).Check(Merge{Work: work, Tasks: []Seen{test.seen}}); got[test.seen.Held.ID] != test.want {
			t.Errorf("%s: %v, want %q", name, got, test.want)
		}
	}
}

// Work is finished on a branch, never on the target itself: over a remote, the push would publish it without a landing.
func TestFinishRefusesTheTarget(t *testing.T) {
	h := Held{ID: "t-1", Object: "o", Claim: Claim{ID: "t-1", Token: "token001", State: Working, Into: "refs/heads/main"}}
	for branch, want := range map[string]Refusal{"refs/heads/main": OnTarget, "refs/heads/work": ""} {
		b, refusal := (Protocol{}).Finish(h, "token001", Work{Branch: branch, Commit: "c"})
		if refusal != want || (len(b.Moves) == 0) != (want != "") {
			t.Errorf("%s: %q %+v, want %q", branch, refusal, b, want)
		}
	}
}
