package store

import (
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/planrepair"
)

// A Request is one mutation.
type Request struct {
	// Do changes the plan. It may run again when the branch moves meanwhile.
	// Where that brings another plan, the change that it made is merged into it
	// instead. After an error the plan is not used.
	Do func(p *plan.Plan, in Inputs) (plan.Change, error)
	// Repair, where there is one, makes a valid plan of the file before Do changes
	// it, whatever git or people left there. Its error ends the mutation.
	Repair func(planrepair.File) (merge.Result, error)
	// Along, where there is one, returns after each change what goes into the same commit and transaction. Its error ends the
	// mutation.
	Along func(Made) (Along, error)
	// Subject is the commit's, without "ralph: "; made from the events where
	// empty.
	Subject string
	// NoCommit leaves the change in the worktree's file.
	NoCommit bool
	// DryRun changes nothing, and takes no lock.
	DryRun bool
	// StagedMessage, where not empty, is the message of a commit that takes the
	// user's staged changes along, through git commit and its hooks.
	StagedMessage string
	// AmendCommit, where not empty, is the id of the commit that the change belongs
	// to: while HEAD stands there and may be amended, the change goes into
	// that very commit, under the message that it has. Else it is a commit of
	// its own.
	AmendCommit string
	// CommitDeferred commits what earlier mutations wrote in the middle of a merge or
	// the like, even where Do changes nothing.
	CommitDeferred bool
	// Files, where there are any, go into the commit too, as they are on disk: slash-separated paths below the root. The
	// commit goes through git commit and its hooks; Message is its own. What else is staged stays staged.
	Files   []string
	Message string
	// Clean, where there is one, rewrites what is new against HEAD before anything is written: records, events and the user's
	// own edits. It masks what an agent wrote.
	Clean func(jsonl.Object) jsonl.Object
	// OwnEdits commits the user's own edits of the plan even where Do changes nothing.
	OwnEdits bool
	// Keep says which edits go along that are refused else.
	Keep Keep
	// Trailers, where there is one, returns further lines for the commit's message, such as receipts of what the events say.
	Trailers func(events []plan.Event) []string
	// StartEmpty changes an empty plan where the file is gone from the worktree alone.
	StartEmpty bool

	recovers bool // commit what a killed mutation left, and nothing else
}

// Made is a change that is not written yet.
type Made struct {
	Change plan.Change
	Plan   *plan.Plan // after it
	Branch string     // full name of the branch that it is committed to; "" on a detached HEAD
	Now    time.Time
}

// Along is what goes along with a change. Where git itself makes the commit, references are not part of its transaction.
type Along struct {
	References []git.ReferenceChange
	Trailers   []string // lines of the commit's message
}

// Keep says which uncommitted edits of the plan a commit includes beyond those that add and change records.
type Keep int

// A caller that keeps more than KeepSafe has shown the edits to the user.
const (
	KeepSafe     Keep = iota // nothing more
	KeepRemovals             // those that remove records, unless the file is another commit's plan
	KeepAll
)

// Inputs are what a mutation may know beside the plan.
type Inputs struct {
	plan.Stamp
	Head string // the commit at HEAD, in hex; "" on an unborn branch
}

// A Result is the outcome of a mutation.
type Result struct {
	Change     plan.Change
	Plan       *plan.Plan // as it is now
	Committed  bool
	Commit     string // its id, where there is one
	Branch     string // the branch it is on; "" on a detached HEAD
	Reason     string // why nothing was committed, such as "merge in progress"
	OwnEdits   bool   // the user's own edits of the file went along
	Edits      Edits  // what they were
	Along      bool   // the references of the request's Along changed with the branch
	Reinstated bool   // a commit of ours had lost its change when it was amended; it has it again
	Amended    bool   // Commit took the place of the one that the request named

	// Merged holds what was recorded and what gave way where plans were merged
	// on the way; else it is nil.
	Merged *merge.Result
}
