// Package mergedriver lets git merge plans: it implements git's protocol for
// merge drivers around package merge, and falls back to a merge of plain text
// for what is no plan.
//
// What a user can rely on, and how the driver is registered, is in
// docs/merge.md, "Use it now". The first rule is that a merge is never lost
// silently: whatever goes wrong, the file ends up merged, or in conflict with
// an exit status of 1.
//
// The result is written to another file in the same directory and then renamed.
// The registered command line (Command) knows the name of that file, which ends
// in PendingSuffix: as long as the file exists, ours is as git wrote it. If it
// is called in another way, the driver replaces ours through a temporary file.
package mergedriver
