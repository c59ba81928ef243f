package plancmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
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
	format  cmdline.Format
}

func NewCheck(env *term.Env) *cli.Command {
	return &cli.Command{
		Name:        "check",
		Usage:       "check a plan for errors",
		ArgsUsage:   "[FILE | REV | -]",
		Description: aboutCheck,
		Flags: append([]cli.Flag{
			cmdline.Completes(&cli.StringFlag{Name: "range", Usage: "check the plans of the commits `A..B`"}, cmdline.Revisions),
			&cli.BoolFlag{Name: "strict", Usage: "give advice as well"},
		}, cmdline.TextFormatFlags()...),
		BashComplete: cmdline.CompletesArgs(cmdline.Either(cmdline.Revisions, cmdline.Files)),
		Action: func(c *cli.Context) error {
			o := checkOptions{
				what: c.Args().First(), commits: c.String("range"), strict: c.Bool("strict"), format: cmdline.FormatFrom(c),
			}
			switch {
			case !c.IsSet("range"):
				return o.run(c.Context, env)
			case o.what != "":
				return cmdline.Usage(c, "--range and %q both say what to check", o.what)
			}
			return o.runRange(c.Context, env)
		},
	}
}

func (o checkOptions) run(ctx context.Context, env *term.Env) error {
	snap, err := o.read(ctx, env)
	if err != nil {
		return err
	}
	problems := withoutAccepted(ctx, env, o.problems(snap))
	if o.what == "" {
		problems = append(problems, worktreeProblems(ctx, env, snap)...)
	}
	if o.format == cmdline.FormatJSON {
		env.WriteJSON(func(w term.Sink) { writeProblems(w, snap.File, problems) })
	} else {
		showProblems(env, snap, problems)
	}
	if len(problems.Errors()) > 0 {
		return cmdline.StatusError(cmdline.ExitInvalid)
	}
	return nil
}

// The codes of problems that are outside the plan.
const (
	codeMissingSpec plan.Code = "missing-spec"
	codeMissingFile plan.Code = "missing-file"
)

// worktreeProblems returns problems of the worktree: the plan file is missing, so that the plan is HEAD's, or an agent could not be
// given the spec.
func worktreeProblems(ctx context.Context, e *term.Env, snap store.Snapshot) (problems plan.Problems) {
	st, err := planio.Open(ctx, e)
	if err != nil {
		return nil
	}
	if snap.Missing {
		problems = append(problems, plan.Problem{
			Severity: plan.Warning, Code: codeMissingFile, Message: "the file is missing from the worktree; this is HEAD's plan",
			Hint: strings.ReplaceAll(planio.HintFor(st.FileMissing()), "\n", "; "),
		})
	}
	if snap.Plan.Spec() == "" {
		return problems
	}
	if err := st.CheckSpec(snap.Plan.Spec()); err != nil {
		problems = append(problems, plan.Problem{Severity: plan.Warning, Code: codeMissingSpec, Message: err.Error(), Hint: planio.HintFor(err)})
	}
	return problems
}

// read reads the plan that the argument names: a file, else a revision.
func (o checkOptions) read(ctx context.Context, env *term.Env) (store.Snapshot, error) {
	if o.what == "" || o.what == "-" {
		return planio.Source{File: o.what}.Read(ctx, env)
	}
	if info, err := os.Stat(env.Path(o.what)); err == nil && !info.IsDir() {
		return planio.Source{File: o.what}.Read(ctx, env)
	}
	snap, err := planio.Source{Rev: o.what}.Read(ctx, env)
	if errors.Is(err, git.ErrBadRevision) || errors.Is(err, git.ErrNotRepository) {
		err = &cmdline.HintedError{Err: fmt.Errorf("%q is neither a file nor a commit", o.what), Hint: "without an argument, check looks at the worktree's plan"}
	}
	return snap, err
}

// problems returns all problems, in the order of lines. Where lines
// could not be read, the plan is not checked further: what seems to be
// missing may be on them.
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
func writeProblems(w term.Sink, file string, problems plan.Problems) {
	o := term.Object{Sink: w}
	o.Str("file", file)
	o.Boolean("valid", len(problems.Errors()) == 0)
	o.Member("problems")
	term.WriteArray(w, len(problems), func(i int) { writeProblem(w, problems[i]) })
	o.End()
}

func writeProblem(w term.Sink, p plan.Problem) {
	o := term.Object{Sink: w}
	o.Value("line", fmt.Sprint(p.Line))
	o.Value("column", fmt.Sprint(p.Column))
	o.Str("severity", string(p.Severity))
	o.Str("code", string(p.Code))
	o.StrOrNull("id", p.ID)
	o.Str("message", p.Message)
	o.StrOrNull("expected", p.Expected)
	o.StrOrNull("hint", p.Hint)
	o.End()
}

// showProblems prints one line for each problem, as compilers do, each hint once below
// the first problem that has it, and a summary.
func showProblems(env *term.Env, snap store.Snapshot, problems plan.Problems) {
	hinted := map[string]bool{"": true}
	for _, p := range problems {
		place := strings.TrimSuffix(p.In(snap.File), p.String())
		env.PrintCells(term.Cell{Text: place}, term.Cell{Text: string(p.Severity), Style: severityStyle(p.Severity)}, term.Cell{Text: ": " + p.String()})
		if !hinted[p.Hint] {
			env.Print("    hint: " + p.Hint)
		}
		hinted[p.Hint] = true
	}
	if !snap.Exists {
		env.Print(snap.File + ": there is no plan")
		return
	}
	env.Print(snap.File + ": " + summaryOf(problems))
}

func severityStyle(s plan.Severity) term.Style {
	switch s {
	case plan.Error:
		return term.Red
	case plan.Warning:
		return term.Yellow
	}
	return term.Cyan
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

const aboutCheck = `Checks the worktree's plan, a file, the plan of a revision, or standard input, and
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
  git show HEAD~1:ralph/plan.jsonl | git ralph check -`
