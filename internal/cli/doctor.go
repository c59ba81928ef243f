package cli

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/doctor"
	"git-ralph/internal/git"
	"git-ralph/internal/install"
)

// doctorOptions are the command line of `git ralph doctor`.
type doctorOptions struct {
	fix    bool
	format format
}

func newDoctor(env *Env) *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "find what keeps git ralph from working here",
		Description: `Looks at git, at our programs, at each part of what install writes, and at the plan,
and says of everything that is wrong what it is and what mends it. --fix mends what
can be mended here: it installs anew what is missing or out of date, takes out what
does nothing, merges what a plan holds twice, and puts its lines in order. It
removes no lock and never brings back an old plan by itself.

The output is text in a pipe too; --json makes it JSON: {"healthy", "findings":
[{"name", "level", "cause", "mend", "fixable"}]}. The level is ok, advice, warning
or error; advice is nothing wrong.

EXIT STATUS
  0  nothing is wrong
  1  something is wrong
  2  the command line is wrong
  4  another process is changing the plan, or one of the files

EXAMPLES
  git ralph doctor
  git ralph doctor --fix`,
		Flags: append(textFormatFlags(), &cli.BoolFlag{Name: "fix", Usage: "repair what can be repaired"}),
		Action: func(c *cli.Context) error {
			if err := atMost(c, 0); err != nil {
				return err
			}
			return doctorOptions{fix: c.Bool("fix"), format: formatFrom(c)}.run(c.Context, env)
		},
	}
}

func (o doctorOptions) run(ctx context.Context, env *Env) error {
	patient, err := o.patient(ctx, env)
	if f, ok := doctor.Misset(err); ok {
		return o.tell(env, []doctor.Finding{f})
	}
	if err != nil {
		return err
	}
	findings, err := doctor.Examine(ctx, patient)
	if err == nil && o.fix && o.mend(ctx, env, patient, findings) {
		findings, err = doctor.Examine(ctx, patient)
	}
	if err != nil {
		return err
	}
	return o.tell(env, findings)
}

// tell prints the findings, and makes a status of them.
func (o doctorOptions) tell(env *Env, findings []doctor.Finding) error {
	if o.format == formatJSON {
		env.writeJSON(func(w sink) { writeFindings(w, findings) })
	} else {
		showFindings(env, findings, o.fix)
	}
	if !doctor.Healthy(findings) {
		return statusError(exitFailed)
	}
	return nil
}

func (o doctorOptions) patient(ctx context.Context, env *Env) (doctor.Patient, error) {
	st, err := env.open(ctx)
	if err != nil {
		return doctor.Patient{}, err
	}
	request, err := installOptions{scope: git.ScopeLocal}.requestIn(ctx, st.Repo(), st.PlanPath())
	return doctor.Patient{
		Store: st, Install: request, Environ: env.Environ, Program: request.Program, Version: env.version(), Now: env.Now(),
	}, err
}

// mend does what findings ask for, each thing once, and tells whether it did
// anything. What fails is told, and found again.
func (o doctorOptions) mend(ctx context.Context, env *Env, p doctor.Patient, findings []doctor.Finding) bool {
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
			_, err = env.settle(ctx, p.Install, install.Install)
		case doctor.Reorder:
			err = fmtOptions{}.run(ctx, &quiet)
		case doctor.Recover:
			err = env.shield(ctx, func(ctx context.Context) error { _, err := p.Store.Recover(ctx); return err })
		case doctor.Resolve:
			err = resolveOptions{all: true}.settleFile(ctx, &quiet)
		}
		if err != nil {
			env.say("error", err.Error())
		}
	}
	return len(did) > 1
}

// writeFindings writes {"healthy", "findings"}.
func writeFindings(w sink, findings []doctor.Finding) {
	out := object{sink: w}
	out.boolean("healthy", doctor.Healthy(findings))
	out.member("findings")
	writeArray(w, len(findings), func(i int) {
		f := object{sink: w}
		f.str("name", findings[i].Name)
		f.str("level", string(findings[i].Level))
		f.str("cause", findings[i].Cause)
		f.strOrNull("mend", findings[i].Mend)
		f.boolean("fixable", findings[i].Remedy != "")
		f.end()
	})
	out.end()
}

// showFindings prints a line a finding, and below it what mends it.
func showFindings(env *Env, findings []doctor.Finding, fixed bool) {
	fixable := false
	for _, f := range findings {
		io.WriteString(env.Out, env.paint(string(f.Level), levelStyle(f.Level))+" ")
		env.print(f.Name + ": " + f.Cause)
		if f.Mend != "" {
			env.print("    " + f.Mend)
		}
		fixable = fixable || f.Remedy != "" && f.Level != doctor.Advice
	}
	if fixable && !fixed {
		env.print("`git ralph doctor --fix` mends what it can")
	}
}

func levelStyle(l doctor.Level) style {
	switch l {
	case doctor.Error:
		return red
	case doctor.Warning:
		return yellow
	case doctor.Advice:
		return cyan
	}
	return plainStyle
}
