// Package mergedriver lets git merge plans: it speaks git's protocol for merge
// drivers around the engine in merge, and falls back to a merge of plain text
// for what is no plan.
//
// What a user can rely on, and how the driver is registered, stands in
// docs/merge.md, "Use it now". The chief rule is that a merge is never lost in
// silence: whatever goes wrong, the file ends up merged, or in conflict and with
// an exit status of 1.
//
// The result is written beside its place, whole, and then renamed. The name
// that it has before, which ends in PendingSuffix, is agreed with the registered
// command line (Command): as long as that file exists, ours is as git wrote it.
// Called in another way, the driver replaces ours through a temporary file.
package mergedriver
