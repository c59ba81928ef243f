package work

import "git-ralph/internal/loop"

// The kinds of a worker's own events, beside those of loop.
const (
	Claimed  loop.Kind = "claimed"  // a task; Text names the branch
	Finished loop.Kind = "finished" // it waits to land
	Released loop.Kind = "released" // its claim was given up; Text says why
	Landed   loop.Kind = "landed"   // it is part of the target; Text says in which commit
	Unlanded loop.Kind = "unlanded" // it could not land; Text says why, and what became of it
	Kept     loop.Kind = "kept"     // uncommitted work was committed, or something else recovered
)

// Held is why a worker ends, beside the reasons of loop.
const Held loop.Reason = "claimed by others" // all that is left is claimed by others, or waits to land

func (w *Worker) report(kind loop.Kind, id, name, text string) {
	w.Loop.Reporter.Report(loop.Event{Kind: kind, At: w.Loop.Now(), ID: id, Name: name, Text: text})
}

func (w *Worker) warn(id, text string) { w.report(loop.Warned, id, "", text) }
