package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/git"
	"git-ralph/internal/githook"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// checkOptions are the command line of `git ralph check`.
type checkOptions struct {
	what    string // a file, a revision, "-", or "" for the worktree's plan
	commits string // a range of commits, instead
	strict  bool
	format  format
}

func newCheck(env *Env) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "find what is wrong in a plan",
		ArgsUsage: "[FILE | REV | -]",
		Description: `Checks the worktree's plan, a file, the plan of a revision, or standard input, and
prints what is wrong with file, line and column: errors, which make the plan
invalid, and warnings. With --strict it also gives advice, such as on tasks that do
not say when they are done. A file needs no repository.

With --range A..B it checks B's plan, and the plans on the way there, for a
server's pre-receive hook and for CI: an A of zeros means everything that no
branch holds yet. B's plan decides; of those on the way the invalid ones are shown.

The output is text in a pipe too; --json makes it JSON: {"file", "valid",
"problems": [{"line", "column", "severity", "code", "id", "message", "expected",
"hint"}]}; with --range an array of these, the oldest first.

EXIT STATUS
  0  the plan is valid; there may be warnings
  1  it cannot be read
  2  the command line is wrong
  5  the plan is not valid

EXAMPLES
  git ralph check
  git ralph check --strict
  git ralph check main --json
  git ralph check --range origin/main..HEAD
  git show HEAD~1:ralph/plan.jsonl | git ralph check -`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "range", Usage: "check the plans of the commits `A..B`"},
			&cli.BoolFlag{Name: "strict", Usage: "give advice as well"},
		},
		Action: func(c *cli.Context) error {
			if err := atMost(c, 1); err != nil {
				return err
			}
			o := checkOptions{
				what: c.Args().First(), commits: c.String("range"), strict: c.Bool("strict"), format: formatFrom(c),
			}
			switch {
			case !c.IsSet("range"):
				return o.run(c.Context, env)
			case o.what != "":
				return usage(c, "--range and %q both say what to check", o.what)
			}
			return o.runRange(c.Context, env)
		},
	}
}

func (o checkOptions) run(ctx context.Context, env *Env) error {
	snap, err := o.read(ctx, env)
	if err != nil {
		return err
	}
	problems := env.withoutAccepted(ctx, o.problems(snap))
	if o.what == "" {
		problems = append(problems, env.specProblem(ctx, snap.Plan)...)
	}
	if o.format == formatJSON {
		env.writeJSON(func(w sink) { writeProblems(w, snap.File, problems) })
	} else {
		showProblems(env, snap, problems)
	}
	if len(problems.Errors()) > 0 {
		return statusError(exitInvalid)
	}
	return nil
}

// codeMissingSpec is of a problem that no plan shows by itself.
const codeMissingSpec plan.Code = "missing-spec"

// specProblem reports a spec that no agent could be given. It stands in the worktree, not in the plan.
func (e *Env) specProblem(ctx context.Context, p *plan.Plan) plan.Problems {
	st, err := e.open(ctx)
	if err != nil || p.Spec() == "" {
		return nil
	}
	if err := st.CheckSpec(p.Spec()); err != nil {
		return plan.Problems{{Severity: plan.Warning, Code: codeMissingSpec, Message: err.Error(), Hint: hintFor(err)}}
	}
	return nil
}

// read finds what the argument names: a file, else a revision.
func (o checkOptions) read(ctx context.Context, env *Env) (store.Snapshot, error) {
	if o.what == "" {
		return source{}.read(ctx, env)
	}
	if o.what == "-" {
		return source{file: "-"}.read(ctx, env)
	}
	if info, err := os.Stat(env.path(o.what)); err == nil && !info.IsDir() {
		return source{file: o.what}.read(ctx, env)
	}
	snap, err := source{rev: o.what}.read(ctx, env)
	if errors.Is(err, git.ErrBadRevision) || errors.Is(err, git.ErrNotRepository) {
		err = &hintedError{fmt.Errorf("%q is no file and names no commit", o.what), "without an argument, check looks at the worktree's plan"}
	}
	return snap, err
}

// problems returns everything that is wrong, in the order of lines. Where lines
// could not be read, the rest of the plan is not judged: what seems to be
// missing may stand on them.
func (o checkOptions) problems(snap store.Snapshot) plan.Problems {
	problems := slices.Clone(snap.Problems)
	if problems.Readable() {
		problems = append(problems, plan.Check(snap.Plan, o.strict)...)
		problems = append(problems, githook.Secrets(snap.Plan)...)
	}
	slices.SortStableFunc(problems, func(a, b plan.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return problems
}

// writeProblems writes {"file", "valid", "problems"}.
func writeProblems(w sink, file string, problems plan.Problems) {
	o := object{sink: w}
	o.str("file", file)
	o.boolean("valid", len(problems.Errors()) == 0)
	o.member("problems")
	writeArray(w, len(problems), func(i int) { writeProblem(w, problems[i]) })
	o.end()
}

func writeProblem(w sink, p plan.Problem) {
	o := object{sink: w}
	o.value("line", fmt.Sprint(p.Line))
	o.value("column", fmt.Sprint(p.Column))
	o.str("severity", string(p.Severity))
	o.str("code", string(p.Code))
	o.strOrNull("id", p.ID)
	o.str("message", p.Message)
	o.strOrNull("expected", p.Expected)
	o.strOrNull("hint", p.Hint)
	o.end()
}

// showProblems prints a line a problem, as compilers do, each hint once below
// the first problem that has it, and a summary.
func showProblems(env *Env, snap store.Snapshot, problems plan.Problems) {
	hinted := map[string]bool{"": true}
	for _, p := range problems {
		place := strings.TrimSuffix(p.In(snap.File), p.String())
		fmt.Fprintf(env.Out, "%s%s: %s\n", printable(place), env.paint(string(p.Severity), severityStyle(p.Severity)), printable(p.String()))
		if !hinted[p.Hint] {
			env.print("    hint: " + p.Hint)
		}
		hinted[p.Hint] = true
	}
	if !snap.Exists {
		env.print(snap.File + ": there is no plan")
		return
	}
	env.print(snap.File + ": " + summaryOf(problems))
}

func severityStyle(s plan.Severity) style {
	switch s {
	case plan.Error:
		return red
	case plan.Warning:
		return yellow
	}
	return cyan
}

// summaryOf counts problems: "2 errors, 1 warning".
func summaryOf(problems plan.Problems) string {
	count := map[plan.Severity]int{}
	for _, p := range problems {
		count[p.Severity]++
	}
	var parts []string
	if count[plan.Error] == 0 {
		parts = append(parts, "valid")
	}
	for _, s := range []plan.Severity{plan.Error, plan.Warning, plan.Advice} {
		switch n := count[s]; {
		case n == 0:
		case n == 1 || s == plan.Advice:
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, s))
		}
	}
	return strings.Join(parts, ", ")
}
