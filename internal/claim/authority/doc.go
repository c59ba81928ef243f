// Package authority keeps claims as git references, and does what package claim decides.
//
// An authority is where a repository's claims are: its own references, which linked worktrees share, or those of one remote.
// Claims is what commands use: it reads, asks claim.Protocol, and changes. Beside the references it keeps, in ralph/claims of
// the common git directory, when each claim was first seen as it is (sightings), and what was pushed without a reply (intents).
package authority
