package land

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git/config"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/store"
)

// Options say what to land, and how.
type Options struct {
	Into        string        // full name of the target branch
	Branches    []string      // that the user names, by any revision
	All         bool          // instead: every branch that a claim in landing for this target names
	Check       string        // command line that must succeed before anything is published, for sh; "" for none
	Limit       time.Duration // for one run of Check
	Batch       int           // how many branches are checked and published together at most
	Squash      bool          // a commit with one parent
	Rebase      bool          // the commits of the branches again, in a line
	Push        bool          // push the target to its upstream, where claims are local
	Attempts    int           // how often a branch with a conflict is returned before its task is set aside
	DryRun      bool
	Integration pipeline.Integration // who finishes Create PR and Merge PR

	Review bool                  // branches are reviews: they land only while what they judge is as they found it
	Wait   time.Duration         // for other processes that have a worktree locked
	Owns   func(claim.Held) bool // reports whether a claim is the caller's; may be nil
	Holder authority.Holder
	Report func(text string) // takes what is going on, for people who wait; may be nil
	Warn   func(text string) // takes what is not as it should be; may be nil
}

// Defaults of Options.
const (
	DefaultBatch    = 64
	DefaultAttempts = 2
	DefaultLimit    = 30 * time.Minute
)

// Configure fills in what git's configuration says and the options leave open.
func (o *Options) Configure(ctx context.Context, st *store.Store) error {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return err
	}
	if check, ok := settings.Get("ralph.land.check"); ok && o.Check == "" {
		o.Check = check
	}
	o.Limit, o.Attempts = DefaultLimit, DefaultAttempts
	o.Batch, o.Wait = cmp.Or(o.Batch, DefaultBatch), cmp.Or(o.Wait, store.DefaultLockTimeout)
	if text, ok := settings.Get("ralph.land.attempts"); ok {
		if o.Attempts, err = strconv.Atoi(text); err != nil || o.Attempts < 0 {
			return fmt.Errorf("invalid ralph.land.attempts %q: want a whole number", text)
		}
	}
	if text, ok := settings.Get("ralph.land.checkTimeout"); ok {
		if o.Limit, err = config.ParseDuration(text); err != nil || o.Limit <= 0 {
			return fmt.Errorf("invalid ralph.land.checkTimeout %q: want seconds, or a duration such as 30m", text)
		}
	}
	return nil
}

// An Outcome is what became of a branch.
type Outcome string

const (
	Landed      Outcome = "landed"
	Contained   Outcome = "contained"    // the target has it already
	Conflict    Outcome = "conflict"     // with the target or with a branch that landed; Paths says where
	Missing     Outcome = "missing"      // this clone does not have its commit
	Unrelated   Outcome = "unrelated"    // it has no commit in common with the target
	Rewritten   Outcome = "rewritten"    // the commit that the work began at, or another one of it, is no longer in the target
	Claimed     Outcome = "claimed"      // somebody else has the claim of one of its tasks
	NotPending  Outcome = "not pending"  // the target does not show one of its tasks as pending, in the round of its claim
	InvalidPlan Outcome = "invalid plan" // its plan is empty, or it or what merging it gives cannot be read
	Impossible  Outcome = "impossible"   // it has a path, in Paths, that git does not check out, such as .git/config
	Unusable    Outcome = "unusable"     // git cannot merge it or check it out; Reason has git's words
	Overtaken   Outcome = "overtaken"    // a task that the review judges is not done in the target any more
	Failed      Outcome = "failed"       // the check fails because of it
	Together    Outcome = "together"     // the check fails with it and the others, and not with it alone
	Undecided   Outcome = "undecided"    // the check fails without it too, or gives different results each time
)

// A Branch is what became of one branch.
type Branch struct {
	Name    string   // as the user knows it
	Commit  string   // its tip
	Tasks   []string // that it ends
	Claims  []string // the tasks whose claims say that it is to land
	Outcome Outcome
	Paths   []string // of a conflict
	Reason  string   // the end of the check's output, or who has a claim
	Into    string   // commit of the target that it landed with
	Removed string   // its newest commit that the target had and has no more
	Then    string   // what was done with its tasks: "returned", "rejected", "set aside"; "" for nothing
}

// A Result is what a landing did.
type Result struct {
	Target   string // full name
	Old, New string // its tip, before and after
	Commits  []string
	Branches []Branch
	Checks   int  // how often the check ran
	Flaky    bool // it gave different results for one tree
	Red      bool // it fails at the target's own tip
	Pushed   bool // the target's upstream moved

	RedOutput string // where Red: how the check ended there, and the end of its output
	Log       string // file with all of the output of the last check that failed; "" for none
}

// Landed returns how many branches landed.
func (r Result) Landed() int {
	n := 0
	for _, b := range r.Branches {
		if b.Outcome == Landed {
			n++
		}
	}
	return n
}
