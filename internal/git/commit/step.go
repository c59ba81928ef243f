package commit

// Steps of a transaction, in the order in which they are reached. After each, a crash leaves the old state, the new one,
// or the file written or staged and not committed.
const (
	StepGuard    = "guard"    // the guard runs
	StepLocked   = "locked"   // index.lock is ours
	StepRead     = "read"     // HEAD and index were read
	StepObjects  = "objects"  // blob and trees are written
	StepCopied   = "copied"   // the index is copied
	StepCommit   = "commit"   // the commit is written; nothing refers to it. The caller now writes the worktree file
	StepStaged   = "staged"   // the copy of the index holds the new entry
	StepPrepared = "prepared" // the branch is locked and has the expected value
	StepIndex    = "index"    // the copy is the index
	StepRef      = "ref"      // the branch has moved
	StepUnlocked = "unlocked" // index.lock is gone
)

// Steps lists all of them.
func Steps() []string {
	return []string{
		StepGuard, StepLocked, StepRead, StepObjects, StepCopied, StepCommit, StepStaged, StepPrepared, StepIndex, StepRef, StepUnlocked,
	}
}
