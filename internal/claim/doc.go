// Package claim is the protocol by which any number of workers share one plan: who may take a task, when a claim is over or
// stale, what a landing verifies. It decides on values and does no I/O; package claim/authority reads and changes the
// references.
//
// A claim says who works on a task now. It is the JSON object in the blob that refs/ralph/claims/<task> points to. There are
// only live claims: one that ends is deleted. Three things make it safe:
//
//   - Taking a claim is a compare-and-swap on its reference, so that it has one winner.
//   - The winner reads the target branch again, after winning, and works only if the task is still pending in the round of work
//     that the claim names (its newest tombstone).
//   - Claimed work becomes part of the target only in one transaction that also ends the claim of every task that it makes
//     done. A worker that lost its claim without noticing is refused there, whatever it did before.
//
// Every decision is a method of Protocol, and a function of what its caller has read: the claim first, then the target. Where a
// caller read nothing, it decides nothing.
//
// Choices that the rules leave open:
//
//   - A renewal counts up "renewals", so that no two states of one claim are the same object: an unchanged object proves that
//     nothing happened in between.
//   - "lock" holds no path but the name of a file in the directory of locks of the user who looks at it, because a claim may
//     come from a stranger. Users with different directories do not find each other's files, which proves nothing.
//   - A claim with a lease of 0 is pushed again for a quarter of an hour after a lost reply, as it has no lease to be within.
//   - A token is remembered as ended only where a push of it had no reply: no other push can arrive late.
//   - A landed branch is matched with its claim by name and commit: work added to the branch after `done` does not land.
package claim
