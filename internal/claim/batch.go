package claim

// Held is what an authority has under the reference of a task's claim.
type Held struct {
	ID     string // of the task
	Object string // id of the blob; "" where there is no claim
	Claim  Claim  // zero where Bad is set
	Bad    string // why the blob is no claim; it counts as held by somebody
}

// Exists reports whether there is a claim.
func (h Held) Exists() bool { return h.Object != "" }

// Is reports whether there is a readable claim with a token.
func (h Held) Is(token string) bool { return h.Exists() && h.Bad == "" && h.Claim.Token == token }

// Action is what a Change does with a reference.
type Action string

const (
	Put    Action = "put"    // point it to the claim New
	Delete Action = "delete" // remove it
	Verify Action = "verify" // leave it as it is, and let the batch fail where it is not as expected
)

// Change is a compare-and-swap of the reference of one claim.
type Change struct {
	ID  string // of the task
	Old string // object that the reference must point to; "": it must not exist
	Do  Action
	New Claim // for Put
	// Fresh says that the token of New is new with this change.
	Fresh bool
}

// Move changes a branch in the same transaction as claims.
type Move struct {
	Ref  string // full name
	Old  string // commit that it must point to; "": only a new branch or a fast-forward is allowed
	New  string // commit; "" deletes the branch
	Work bool   // a branch with work that is published for others; a local authority has it already
}

// Batch is a set of changes.
type Batch struct {
	Changes []Change
	Moves   []Move // they make the batch atomic
	Atomic  bool   // all or none; else each change by itself
}

// All reports whether all changes succeed together or not at all.
func (b Batch) All() bool { return b.Atomic || len(b.Moves) > 0 }

// Outcome is what became of one change of a batch.
type Outcome string

const (
	Done    Outcome = "done"
	Lost    Outcome = "lost"    // the reference is not as expected
	Skipped Outcome = "skipped" // nothing is wrong with it, but another change of an atomic batch, or a move, failed
	Unknown Outcome = "unknown" // the reply was lost; settle the intent
)

// Outcomes returns what becomes of a batch on references that point to current objects, where its moves can be made or not.
func (b Batch) Outcomes(current func(id string) string, movable bool) []Outcome {
	outcomes := make([]Outcome, len(b.Changes))
	good := movable
	for i, c := range b.Changes {
		outcomes[i] = Done
		if current(c.ID) != c.Old {
			outcomes[i], good = Lost, false
		}
	}
	if b.All() && !good {
		for i := range outcomes {
			if outcomes[i] == Done {
				outcomes[i] = Skipped
			}
		}
	}
	return outcomes
}
