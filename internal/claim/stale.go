package claim

import "time"

// LockProof is what looking at a worker's lock file shows.
type LockProof string

const (
	LockUnknown LockProof = ""        // nobody looked, or it could not be read
	LockMissing LockProof = "missing" // there is no such file
	LockHeld    LockProof = "held"    // a process has it
	LockFree    LockProof = "free"    // we obtained it
)

// Clock is our own boot clock, which counts sleep. Boot is "" where it is not known; nothing is then proven.
type Clock struct {
	Boot string
	Now  time.Duration
}

// Sighting is when we first saw a reference point to an object, by our own clock.
type Sighting struct {
	Object string
	Boot   string
	First  time.Duration
}

// Evidence is what an observer has found out about a holder.
type Evidence struct {
	Clock    Clock
	Sighting Sighting
	Skew     time.Duration // added to leases
	Lock     LockProof     // of the lock file that the claim names
	Progress bool          // the abandoned branch has a commit that it did not have when the claim was last taken
}

// Staleness says whether, and how, a claim is known to be abandoned.
type Staleness string

const (
	Fresh   Staleness = ""
	ByProof Staleness = "proof" // its worker does not run any more
	ByLease Staleness = "lease" // it was not renewed in time
)

// Stale reports whether the holder of a claim is known to be gone, or has not renewed it in time.
func (p Protocol) Stale(s Seen) Staleness {
	h, e := s.Held, s.Evidence
	if !h.Exists() || h.Bad != "" || p.keeps(ruleLanding) && h.Claim.State == Landing {
		return Fresh
	}
	proven := e.Lock == LockFree || !p.keeps(ruleMissing) && e.Lock == LockMissing
	if proven && h.Claim.Lock != "" && e.Clock.Boot != "" && h.Claim.Boot == e.Clock.Boot {
		return ByProof
	}
	if left, ends := e.left(h); ends && left <= 0 {
		return ByLease
	}
	return Fresh
}

// left returns how much of a claim's lease is left by what we saw ourselves; not ends for one that has none. A claim that we
// have not seen yet has all of it.
func (e Evidence) left(h Held) (left time.Duration, ends bool) {
	if h.Bad != "" || h.Claim.Lease == 0 {
		return 0, false
	}
	whole := h.Claim.LeaseTime() + e.Skew
	if e.Sighting.Object != h.Object || e.Sighting.Boot != e.Clock.Boot || e.Sighting.First > e.Clock.Now {
		return whole, true
	}
	return whole - (e.Clock.Now - e.Sighting.First), true
}

// Sightings are when we first saw each claim as it is, by task.
type Sightings map[string]Sighting

// Observe returns the sightings after a fresh read of the claims of ids, or of all claims where ids is nil. Those of claims that
// have changed start again; a failed read must drop all of them.
func (old Sightings) Observe(read map[string]Held, ids []string, clock Clock) Sightings {
	next := Sightings{}
	if ids != nil {
		for id, s := range old {
			next[id] = s
		}
		for _, id := range ids {
			delete(next, id)
		}
	}
	for id, h := range read {
		s, known := old[id]
		if !known || s.Object != h.Object || s.Boot != clock.Boot || s.First > clock.Now {
			s = Sighting{Object: h.Object, Boot: clock.Boot, First: clock.Now}
		}
		next[id] = s
	}
	return next
}

// Wake says what a worker waits for that found nothing to take, besides a change of the target or of a claim.
type Wake struct {
	After time.Duration // when the first lease runs out; 0: no lease does
	Locks []string      // tasks whose claims name a lock that may come free
}

// Wait returns what can make one of the claims stale.
func (p Protocol) Wait(all []Seen) (w Wake) {
	if !p.keeps(ruleWake) {
		return w
	}
	for _, s := range all {
		h := s.Held
		if !h.Exists() || h.Bad != "" || h.Claim.State == Landing {
			continue
		}
		if left, ends := s.Evidence.left(h); ends && (w.After == 0 || left < w.After) {
			w.After = max(left, 1)
		}
		if h.Claim.Lock != "" && h.Claim.Boot == s.Evidence.Clock.Boot {
			w.Locks = append(w.Locks, h.ID)
		}
	}
	return w
}
