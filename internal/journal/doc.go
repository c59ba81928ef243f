// Package journal records what loops did: every run, iteration and outcome, and what the agents printed. It lies in the
// worktree's git directory, so it is never part of a commit:
//
//	ralph/loop.lock                 held by the run that is under way
//	ralph/agent.json                which process the agent is, while it works
//	ralph/commit.json               what is about to be committed, while it is
//	ralph/runs/RUN/run.jsonl        a line an event, of the members "t" and "at" and those of its kind
//	ralph/runs/RUN/N.log            what the agent of iteration N printed; agent.Run masked it
//	ralph/runs/RUN/N.prompt.md      its prompt
//	ralph/runs/RUN/changes.json     which changes in the worktree were the user's when it began, and what it left
//	ralph/runs/RUN/live.json        how the agent gets on, while it does
//
// A Run writes, a Journal reads. Times and names are arguments (docs/loop.md, "The journal").
package journal
