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
	// Do changes the plan. It may run again when the branch moves meanwhile. If
	// the plan has changed there, the change that it made is merged into that
	// plan instead. After an error the plan is not used.
	Do func(p *plan.Plan, in Inputs) (plan.Change, error)
	// Repair, if not nil, makes a valid plan of a file in conflict before Do changes it. Its error ends the mutation.
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
	// StagedMessage, if not empty, is the message of a commit that includes the
	// user's staged changes, made by git commit with its hooks.
	StagedMessage string
	// AmendCommit, if not empty, is the id of the commit that the change belongs to: if it is HEAD's and may be amended, it
	// is amended with the change, and keeps its message. Otherwise the change is a commit of its own.
	AmendCommit string
	// CommitDeferred commits what earlier mutations wrote in the middle of a merge or
	// the like, even where Do changes nothing.
	CommitDeferred bool
	// Files are committed too, as they are on disk: slash-separated paths below the root. Then the commit is made by git
	// commit with its hooks, and Message is its message. Other staged changes stay staged.
	Files   []string
	Message string
	// Clean, if not nil, masks everything that HEAD's plan does not have before it is written: records, events and the user's
	// own edits. It is for what an agent wrote.
	Clean func(jsonl.Object) jsonl.Object
	// OwnEdits commits the user's own edits of the plan even where Do changes nothing.
	OwnEdits bool
	// Keep says which edits are committed that are otherwise refused.
	Keep Keep
	// StartEmpty starts with an empty plan if the file is missing from the worktree alone; otherwise that is an error.
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
	Subject    string // of the commit, in place of the request's; "" for that one
	References []git.ReferenceChange
	Trailers   []string // further lines of the commit's message, such as receipts of what the events say
}

// Keep says which uncommitted edits of the plan a commit includes beyond those that add and change records.
type Keep int

// A caller that keeps more than KeepSafe has shown the edits to the user.
const (
	KeepSafe     Keep = iota // nothing more
	KeepRemovals             // those that remove records, unless the file is another commit's plan
	KeepAll
)

// Inputs are what a mutation gets besides the plan.
type Inputs struct {
	plan.Stamp
	Head string // the commit at HEAD, in hex; "" on an unborn branch
	// Uncommitted are the trailers of what earlier mutations wrote and nobody has committed yet.
	Uncommitted []string
}

// A Result is the outcome of a mutation.
type Result struct {
	Change     plan.Change
	Plan       *plan.Plan // as it is now
	Committed  bool
	Commit     string // its id, where there is one
	Branch     string // the branch it is on; "" on a detached HEAD
	Reason     string // why nothing was committed, such as "merge in progress"
	OwnEdits   bool   // the user's own edits of the file were included
	Edits      Edits  // what they were
	Along      bool   // the references of the request's Along changed with the branch
	Reinstated bool   // changes of earlier commits that git removed were made again
	Amended    bool   // Commit replaced the one that the request named

	workplans []FileEdit // that were saved with it

	// Merged holds the recorded conflicts and discarded values if plans were
	// merged; else it is nil.
	Merged *merge.Result
}
