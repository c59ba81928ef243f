package cli

import (
	"io"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/agentcmd"
	"git-ralph/internal/cli/claimcmd"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/debugcmd"
	"git-ralph/internal/cli/evidencecmd"
	"git-ralph/internal/cli/historycmd"
	"git-ralph/internal/cli/hubgate"
	"git-ralph/internal/cli/landcmd"
	"git-ralph/internal/cli/mergecmd"
	"git-ralph/internal/cli/pipelinecmd"
	"git-ralph/internal/cli/plancmd"
	"git-ralph/internal/cli/runcmd"
	"git-ralph/internal/cli/setupcmd"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/cli/undocmd"
	"git-ralph/internal/cli/viewcmd"
	"git-ralph/internal/cli/workplancmd"
)

// NewApp makes the command tree of git-ralph. It reads nothing: no file is opened before a command
// runs.
func NewApp(env *term.Env) *cli.App { return appOf(env, commands(uicmd.Interfaces{})) }

func appOf(env *term.Env, all []command) *cli.App {
	var tree []*cli.Command
	for _, c := range all {
		tree = append(tree, c.make(env))
	}
	app := newApp(env, tree)
	app.Description = aboutProgram()
	return app
}

// appOfOne is appOf with only the command that args begin with; nil where they begin with none, or with one that reads the
// tree. Making all commands takes longer than running most of them.
func appOfOne(env *term.Env, all []command, args []string) *cli.App {
	if len(args) == 0 {
		return nil
	}
	for _, c := range all {
		if c.name == args[0] && !c.readsTree {
			return newApp(env, []*cli.Command{c.make(env)})
		}
	}
	return nil
}

func newApp(env *term.Env, tree []*cli.Command) *cli.App {
	return &cli.App{
		Name:     "git-ralph",
		HelpName: cmdline.Program,
		Usage:    "keep the plan of a coding agent in git",
		Version:  env.Version,
		Flags: append([]cli.Flag{
			cmdline.Completes(&cli.StringSliceFlag{Name: "C", Usage: "run as if started in `DIR`"}, cmdline.Directories),
			&cli.BoolFlag{Name: "no-color", Usage: "print without colour"},
			&cli.BoolFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version"},
		}, cmdline.FormatFlags()...),
		Commands:                  withUsageErrors(tree),
		Before:                    func(c *cli.Context) error { return env.Apply(c.StringSlice("C"), c.Bool("no-color")) },
		Action:                    func(c *cli.Context) error { return runRoot(c, env) },
		HideHelp:                  true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {}, // Main reports errors
		OnUsageError:              asUsageError,
		Writer:                    io.Discard,
		ErrWriter:                 io.Discard,
	}
}

// A command is a command of the tree, which can be made without the others.
type command struct {
	name      string
	make      func(*term.Env) *cli.Command
	readsTree bool // it needs the other commands
}

// commands returns the commands of git ralph, in the order of its help.
func commands(ui uicmd.Interfaces) []command {
	return []command{
		{name: "init", make: setupcmd.NewInit},
		{name: "install", make: setupcmd.NewInstall},
		{name: "uninstall", make: setupcmd.NewUninstall},
		{name: "doctor", make: setupcmd.NewDoctor},
		{name: "plan", make: runcmd.NewPlan},
		{name: "build", make: runcmd.NewBuild},
		{name: "team", make: runcmd.NewTeam},
		{name: "hero", make: runcmd.NewHero},
		{name: "work", make: runcmd.NewWork},
		{name: "trust", make: setupcmd.NewTrust},
		{name: "logs", make: runcmd.NewLogs},
		{name: "status", make: runcmd.NewStatus},
		{name: "board", make: ui.NewBoard},
		{name: "query", make: plancmd.NewQuery},
		{name: "task", make: plancmd.NewTask},
		{name: "issue", make: plancmd.NewIssue},
		{name: "item", make: plancmd.NewItem},
		{name: "pipeline", make: pipelinecmd.New},
		{name: "claim", make: claimcmd.New},
		{name: "unclaim", make: claimcmd.NewUnclaim},
		{name: "set-spec", make: plancmd.NewSetSpec},
		{name: "verify", make: evidencecmd.NewVerify},
		{name: "web", make: ui.NewWeb},
		{name: "mcp", make: ui.NewMCP},
		{name: "debug", make: func(env *term.Env) *cli.Command { return debugcmd.New(env, ui.CollateAtGitHub) }},
		{name: "hub", make: ui.NewHub},
		{name: "github", make: ui.NewGitHub},
		{name: "workplan", make: newWorkplan},
		{name: "prompt", make: runcmd.NewPrompt},
		{name: "agent", make: func(env *term.Env) *cli.Command {
			return agentcmd.New(env, func() string { return plancmd.Primer(NewApp(env)) })
		}},
		{name: "prime", make: plancmd.NewPrime, readsTree: true},
		{name: "check", make: plancmd.NewCheck},
		{name: "diff", make: plancmd.NewDiff},
		{name: "log", make: historycmd.NewLog},
		{name: "show", make: historycmd.NewShow},
		{name: "graph", make: viewcmd.NewGraph},
		{name: "timeline", make: viewcmd.NewTimeline},
		{name: "burndown", make: viewcmd.NewBurndown},
		{name: "export", make: viewcmd.NewExport},
		{name: "report", make: viewcmd.NewReport},
		{name: "restore", make: historycmd.NewRestore},
		{name: "undo", make: undocmd.NewUndo},
		{name: "redo", make: undocmd.NewRedo},
		{name: "land", make: landcmd.NewLand},
		{name: "fmt", make: plancmd.NewFmt},
		{name: "textconv", make: mergecmd.NewTextconv},
		{name: "resolve", make: mergecmd.NewResolve},
		{name: "merge-preview", make: mergecmd.NewMergePreview},
		{name: "merge-driver", make: mergecmd.NewMergeDriver},
		{name: "completion", make: cmdline.NewCompletion},
		{name: "help", make: cmdline.NewHelp, readsTree: true},
		{name: "version", make: setupcmd.NewVersion},
		{name: "__complete", make: cmdline.NewComplete, readsTree: true},
		{name: "hook", make: mergecmd.NewHook},
	}
}

// newWorkplan makes `git ralph workplan`, which has commands of several packages.
func newWorkplan(env *term.Env) *cli.Command {
	return workplancmd.New(env, workplancmd.Parts{
		Gate: hubgate.New(env), Claim: claimcmd.Claim, More: []*cli.Command{runcmd.NewWorkplanRun(env), agentcmd.NewLoop(env)},
	})
}
