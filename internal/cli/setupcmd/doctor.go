package setupcmd

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agentkit"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/mergecmd"
	"git-ralph/internal/cli/plancmd"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/doctor"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/config"
	"git-ralph/internal/install"
	"git-ralph/internal/store"
)

// doctorOptions are the command line of `git ralph doctor`.
type doctorOptions struct {
	fix    bool
	format cmdline.Format
}

func NewDoctor(env *term.Env) *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "find what keeps git ralph from working here",
		Description: `Checks git, the installed programs, everything that install writes, the plan and
the claims. For each problem it prints the cause and how to repair it. --fix repairs
what it can: it reinstalls what is missing or out of date, removes what has no effect,
merges duplicate records of the plan, sorts its lines, deletes claims that are stale
or over, and removes locks of references that git left more than ten minutes ago. It
never removes a lock that may be in use, and never restores an old plan. Claims of a
remote are known as they were when last read: doctor contacts nobody.

The output is text in a pipe too; --json prints JSON: {"healthy", "findings":
[{"name", "level", "cause", "repair", "fixable"}]}. The level is ok, advice, warning
or error; advice does not make the result unhealthy.

EXIT STATUS
  0  nothing is wrong
  1  something is wrong
  2  the command line is wrong
  4  another process is changing the plan, or one of the files

EXAMPLES
  git ralph doctor
  git ralph doctor --fix`,
		Flags: append(cmdline.TextFormatFlags(), &cli.BoolFlag{Name: "fix", Usage: "repair what can be repaired"}),
		Action: func(c *cli.Context) error {
			return doctorOptions{fix: c.Bool("fix"), format: cmdline.FormatFrom(c)}.run(c.Context, env)
		},
	}
}

func (o doctorOptions) run(ctx context.Context, env *term.Env) error {
	repo, err := o.repository(ctx, env)
	if f, ok := doctor.SettingFinding(err); ok {
		return o.report(env, []doctor.Finding{f})
	}
	if err != nil {
		return err
	}
	findings, err := doctor.Examine(ctx, repo)
	if err == nil && o.fix && o.repair(ctx, env, repo, findings) {
		findings, err = doctor.Examine(ctx, repo)
	}
	if err != nil {
		return err
	}
	return o.report(env, findings)
}

// report prints the findings, and returns the exit status for them.
func (o doctorOptions) report(env *term.Env, findings []doctor.Finding) error {
	if o.format == cmdline.FormatJSON {
		env.WriteJSON(func(w term.Sink) { writeFindings(w, findings) })
	} else {
		showFindings(env, findings, o.fix)
	}
	if !doctor.Healthy(findings) {
		return cmdline.StatusError(cmdline.ExitFailed)
	}
	return nil
}

func (o doctorOptions) repository(ctx context.Context, env *term.Env) (doctor.Repository, error) {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return doctor.Repository{}, err
	}
	request, err := installOptions{scope: config.ScopeLocal}.requestIn(ctx, st.Repo(), st.PlanPath())
	if err != nil {
		return doctor.Repository{}, err
	}
	repo := doctor.Repository{
		Store: st, Install: request, Dir: env.Dir, Environ: env.Environ, Program: request.Program, Version: env.BuildVersion(), Now: env.Now(),
		Agents: agentkit.Places{Root: st.Repo().Root(), Home: agentkit.HomeOf(env.Getenv), Getenv: env.Getenv},
	}
	var claims *planio.Claims
	if claims, repo.ClaimsError = planio.ClaimsIfAny(ctx, env, st); claims != nil {
		repo.Claims = &doctor.Claims{Claims: claims.Claims, All: claims.All}
	}
	return repo, nil
}

// repair applies the remedies of findings, each once, and reports whether there were any. A remedy that fails is
// reported, and its finding appears again.
func (o doctorOptions) repair(ctx context.Context, env *term.Env, p doctor.Repository, findings []doctor.Finding) bool {
	quiet := *env
	quiet.Out = io.Discard
	did := map[doctor.Remedy]bool{"": true}
	for _, f := range findings {
		if did[f.Remedy] || f.Level == doctor.Advice && f.Remedy == doctor.Reinstall {
			continue
		}
		did[f.Remedy] = true
		var err error
		switch f.Remedy {
		case doctor.Reinstall:
			p.Install.Hooks = p.HasHooks(ctx)
			_, err = applyInstall(ctx, env, p.Install, install.Install)
		case doctor.Reorder:
			err = plancmd.FmtOptions{}.Run(ctx, &quiet)
		case doctor.Recover:
			planio.RecoverPreviousRun(env, p.Store)
			err = env.UntilSignal(ctx, func(ctx context.Context) error { _, err := p.Store.Recover(ctx); return err })
		case doctor.DeleteClaims:
			err = p.DeleteFaultyClaims(ctx)
		case doctor.RemoveBroken:
			err = p.RemoveBrokenClaims()
		case doctor.RemoveLocks:
			err = p.RemoveLeftLocks()
		case doctor.EndLanding:
			_, err = commit.RecoverFastForward(ctx, p.Store.Repo(), p.Store.PlanPath(), store.DefaultLockTimeout)
		case doctor.Resolve:
			err = mergecmd.ResolveOptions{All: true}.ResolveFile(ctx, &quiet)
		}
		if err != nil {
			env.Say("error", err.Error())
		}
	}
	return len(did) > 1
}

// writeFindings writes {"healthy", "findings"}.
func writeFindings(w term.Sink, findings []doctor.Finding) {
	out := term.Object{Sink: w}
	out.Boolean("healthy", doctor.Healthy(findings))
	out.Member("findings")
	term.WriteArray(w, len(findings), func(i int) {
		f := term.Object{Sink: w}
		f.Str("name", findings[i].Name)
		f.Str("level", string(findings[i].Level))
		f.Str("cause", findings[i].Cause)
		f.StrOrNull("repair", findings[i].Repair)
		f.Boolean("fixable", findings[i].Remedy != "")
		f.End()
	})
	out.End()
}

// showFindings prints one line for each finding, and below it how to repair it.
func showFindings(env *term.Env, findings []doctor.Finding, fixed bool) {
	fixable := false
	for _, f := range findings {
		env.PrintCells(term.Cell{Text: string(f.Level), Style: levelStyle(f.Level)}, term.Cell{Text: " " + f.Name + ": " + f.Cause})
		if f.Repair != "" {
			env.Print("    " + f.Repair)
		}
		fixable = fixable || f.Remedy != "" && f.Level != doctor.Advice
	}
	if fixable && !fixed {
		env.Print("`git ralph doctor --fix` repairs what it can")
	}
}

func levelStyle(l doctor.Level) term.Style {
	switch l {
	case doctor.Error:
		return term.Red
	case doctor.Warning:
		return term.Yellow
	case doctor.Advice:
		return term.Cyan
	}
	return term.PlainStyle
}
