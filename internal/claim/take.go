package claim

// Seen is what an observer knows of one claim. Held was read before Target.
type Seen struct {
	Held     Held
	Target   Target
	Evidence Evidence
}

// Refusal says why a claim is not taken; "" where it is.
type Refusal string

const (
	NotPending Refusal = "not pending"       // the target does not show the task as pending
	HeldBy     Refusal = "held"              // somebody else has it, or the blob is no claim
	InLanding  Refusal = "landing"           // the work is done, and waits to land
	Exhausted  Refusal = "abandoned"         // three workers in a row left it without a commit: set the task aside
	OtherRound Refusal = "of another round"  // the task was rejected or changed since
	NotOwn     Refusal = "not own"           // the claim has another token, or is gone
	NoBranch   Refusal = "of another branch" // the claim names another branch or commit
	OnTarget   Refusal = "on the target"     // the work is on the target itself, which only a landing moves
	NotTaken   Refusal = "not taken"         // others of the same call could not be taken
)

// MaxSteals is how often a task is taken from workers in a row that left without a commit.
const MaxSteals = 3

// Take returns the change that makes mine the claim of a task: of a free one, or of one that is stale, or over. mine has a new
// token; the round of work, and what an earlier holder left, are filled in.
func (p Protocol) Take(s Seen, mine Claim) (Change, Refusal) {
	task, there := s.Target[mine.ID]
	if !there || !task.Pending {
		return Change{}, NotPending
	}
	mine.State, mine.After = Working, task.After
	old := s.Held
	switch {
	case !old.Exists() || p.Over(s):
	case p.Stale(s) == Fresh:
		return Change{}, refusalOf(old)
	case p.keeps(ruleLimit) && old.Claim.Steals >= MaxSteals && !s.Evidence.Progress:
		return Change{}, Exhausted
	default:
		mine = mine.inherit(old.Claim, s.Evidence.Progress)
	}
	return Change{ID: mine.ID, Old: old.Object, Do: Put, New: mine, Fresh: true}, ""
}

// Steal returns the change that takes any claim in working by force.
func (p Protocol) Steal(s Seen, mine Claim) (Change, Refusal) {
	if !s.Held.Exists() || s.Held.Bad != "" || s.Held.Claim.State != Working || p.Over(s) {
		if s.Held.Exists() && s.Held.Bad == "" && s.Held.Claim.State == Landing && !p.Over(s) {
			return Change{}, InLanding
		}
		return p.Take(s, mine)
	}
	mine.State, mine.After = Working, s.Held.Claim.After
	mine = mine.inherit(s.Held.Claim, s.Evidence.Progress)
	return Change{ID: mine.ID, Old: s.Held.Object, Do: Put, New: mine, Fresh: true}, ""
}

// refusalOf returns why a claim cannot be taken that is not stale.
func refusalOf(h Held) Refusal {
	if h.Bad == "" && h.Claim.State == Landing {
		return InLanding
	}
	return HeldBy
}

// inherit takes over from a claim that is stolen: the branch with its work, and how often that happened.
func (c Claim) inherit(old Claim, progress bool) Claim {
	c.Steals = old.Steals + 1
	if progress {
		c.Steals = 1
	}
	c.Base, c.Branch, c.Commit, c.Returns, c.Feedback = old.Base, old.Branch, old.Commit, old.Returns, old.Feedback
	return c
}

// Confirm decides what the winner of a claim does, after it has read claim and target again: "" says that it works. NotOwn
// says that it lost the claim meanwhile; NotPending and OtherRound that it has to make the change, and pass over the task.
func (p Protocol) Confirm(s Seen, token string) (Change, Refusal) {
	if !s.Held.Is(token) {
		return Change{}, NotOwn
	}
	if !p.keeps(ruleReread) || s.Target.Round(s.Held.Claim) {
		return Change{}, ""
	}
	release := Change{ID: s.Held.ID, Old: s.Held.Object, Do: Delete}
	if task := s.Target[s.Held.ID]; task.Pending {
		return release, OtherRound
	}
	return release, NotPending
}

// Over reports whether a claim is to be deleted by whoever sees it, because the target does not show its round as pending
// any more: somebody landed, squashed, cancelled or rejected it. The claim must have been read before the target.
func (p Protocol) Over(s Seen) bool {
	return p.keeps(ruleOver) && s.Held.Exists() && s.Held.Bad == "" && s.Target != nil && !s.Target.Round(s.Held.Claim)
}

// End returns the change that deletes a claim with a token, as release, unclaim and a pass-over do.
func (p Protocol) End(h Held, token string) (Change, Refusal) {
	if !h.Is(token) {
		return Change{}, NotOwn
	}
	return Change{ID: h.ID, Old: h.Object, Do: Delete}, ""
}

// Clear returns the change that deletes a claim which is over.
func (p Protocol) Clear(s Seen) (Change, bool) {
	return Change{ID: s.Held.ID, Old: s.Held.Object, Do: Delete}, p.Over(s)
}

// Renew returns the change that keeps a claim fresh. One in landing needs none: the change then has no ID.
func (p Protocol) Renew(h Held, token string) (Change, Refusal) {
	if !h.Is(token) {
		return Change{}, NotOwn
	}
	if h.Claim.State == Landing {
		return Change{}, ""
	}
	next := h.Claim
	next.Renewals++
	return Change{ID: h.ID, Old: h.Object, Do: Put, New: next}, ""
}

// Renewals makes one batch of the renewals of a clone. They do not depend on each other: one lost claim stops no other.
func (p Protocol) Renewals(changes []Change) Batch {
	return Batch{Changes: changes, Atomic: !p.keeps(ruleSeparately)}
}
