package landcmd

import (
	"cmp"
	"strconv"
	"strings"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/land"
)

// print prints what became of each branch.
func (o landOptions) print(env *term.Env, r land.Result) {
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) { writeResult(w, r, o.DryRun) })
		return
	}
	for _, b := range r.Branches {
		env.Print(line(b, o.DryRun))
		if b.Removed != "" {
			without := term.ShellLine([]string{"git", "rebase", "--onto", strings.TrimPrefix(r.Target, "refs/heads/"), short(b.Removed), b.Name})
			env.Hint("`" + without + "` leaves it out; `" + term.ShellLine([]string{"git", "merge", b.Name}) + "` brings it back")
		}
		switch b.Outcome {
		case land.Failed, land.Together:
			printLines(env, b.Reason)
		case land.Claimed:
			env.Hint("`git ralph claim list` shows who has what; `git ralph claim steal ID --force` takes a task over, such as one that a killed command has left")
		}
	}
	if n := len(r.Commits); len(r.Branches) == 0 && n > 0 {
		env.Print("items follow what has landed (" + short(r.Commits[n-1]) + ")")
	}
	if r.Pushed {
		env.Print("pushed " + strings.TrimPrefix(r.Target, "refs/heads/"))
	}
	if r.Red {
		env.Warn("the check fails at the target's own tip: no branch is to blame")
		printLines(env, r.RedOutput)
	}
	if r.Flaky {
		env.Warn("the check gave different results for the same files: no branch is to blame")
	}
	if r.Log != "" {
		env.Hint("all of the output of the last check that failed: " + term.Printable(r.Log))
	}
}

// printLines prints how a check ended, and the end of its output.
func printLines(env *term.Env, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		env.PrintWrapped(4, term.Cell{Text: "    " + line})
	}
}

// line says what became of a branch.
func line(b land.Branch, dry bool) string {
	name := b.Name
	if len(b.Tasks) > 0 {
		name += " (" + strings.Join(b.Tasks, ", ") + ")"
	}
	text := ""
	switch b.Outcome {
	case land.Landed:
		if text = "landed in " + short(b.Into); dry {
			text = "would land"
		}
	case land.Contained:
		text = "already landed"
	case land.Conflict:
		if text = "conflict in " + strings.Join(b.Paths, ", "); b.Reason != "" {
			text = "not landed: " + b.Reason
		}
	case land.Missing:
		text = "not landed: " + cmp.Or(b.Reason, "commit "+short(b.Commit)+" is not in this repository")
	case land.Unrelated:
		text = "not landed: it has no commit in common with the target"
	case land.Rewritten:
		text = "not landed: " + cmp.Or(b.Reason, "the commit that it began at is no longer in the target")
	case land.InvalidPlan:
		text = "not landed: the plans cannot be merged (" + strings.Join(b.Paths, ", ") + ")"
	case land.Impossible:
		text = "not landed: git does not check out " + strings.Join(b.Paths, ", ")
	case land.Unusable:
		text = "not landed: git cannot merge it, or check it out: " + b.Reason
	case land.Failed:
		text = "not landed: the check fails because of it"
	case land.Together:
		text = "not landed: the check fails with it and the others together"
	case "":
		text = "not landed"
	default:
		text = "not landed: " + b.Reason
	}
	if b.Then != "" {
		text += "; " + b.Then
	}
	return name + ": " + text
}

// short shortens the id of a commit.
func short(id string) string { return id[:min(9, len(id))] }

// writeResult writes a result as JSON.
func writeResult(w term.Sink, r land.Result, dry bool) {
	out := term.Object{Sink: w}
	out.Str("target", strings.TrimPrefix(r.Target, "refs/heads/"))
	out.Str("from", r.Old)
	out.Str("to", r.New)
	out.Boolean("dry_run", dry)
	out.Boolean("pushed", r.Pushed)
	out.Value("checks", strconv.Itoa(r.Checks))
	out.Boolean("flaky", r.Flaky)
	out.Boolean("red", r.Red)
	out.StrIf("red_output", r.RedOutput)
	out.StrIf("log", r.Log)
	out.Member("branches")
	term.WriteArray(w, len(r.Branches), func(i int) { writeBranch(w, r.Branches[i]) })
	out.End()
}

func writeBranch(w term.Sink, b land.Branch) {
	out := term.Object{Sink: w}
	out.Str("branch", b.Name)
	out.Str("commit", b.Commit)
	out.Str("outcome", strings.ReplaceAll(string(b.Outcome), " ", "-"))
	out.StrIf("into", b.Into)
	if len(b.Tasks) > 0 {
		out.List("tasks", b.Tasks)
	}
	if len(b.Paths) > 0 {
		out.List("paths", b.Paths)
	}
	out.StrIf("reason", b.Reason)
	out.StrIf("then", b.Then)
	out.End()
}
