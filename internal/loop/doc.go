// Package loop lets an agent work on a plan until nothing is left: it reads the plan, tells the agent of the stage what is
// next, and looks at what came of it.
//
// A Loop goes round in iterations. Each one is: state, stage, prompt, agent, outcome. The plan and git decide what
// happened. An agent reports by changing the plan itself, through `git ralph task done` and the like, or by a block at the
// end of what it prints, which is checked and applied here as one transaction; what else it says counts for nothing.
//
// What is known between iterations is in the plan and in git, so that a run which was broken off at any point goes on
// when the next one is started. Guards end a run that gets nowhere. The rules are in docs/loop.md.
package loop
