// Package journal records runs: their iterations and outcomes, and what the agents printed. It is in the worktree's git
// directory, so it is never committed:
//
//	ralph/loop.lock                 the lock of the current run
//	ralph/agent.json                the agent's process, while it runs
//	ralph/commands/PID.json         a git command of the run, while it runs
//	ralph/commit.json               the commit that is about to be made
//	ralph/push.json                 where HEAD was before the rebase of a push
//	ralph/runs/RUN/run.jsonl        one event per line, with the members "t", "at" and those of its kind
//	ralph/runs/RUN/N.log            the output of iteration N's agent, masked by agent.Run
//	ralph/runs/RUN/N.prompt.md      its prompt
//	ralph/runs/RUN/changes.json     which changes were the user's when the run began, and what it left uncommitted
//	ralph/runs/RUN/live.json        the progress of the agent, while it runs
//
// A Run writes, a Journal reads. Times and names are arguments (docs/loop.md, "The journal").
package journal
