package plancmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
)

func newTaskEdit(env *term.Env) *cli.Command {
	own := append(editTextFlags(taskTexts()),
		cmdline.MayBeEmpty(cmdline.Completes(&cli.StringSliceFlag{Name: "dep", Usage: "wait for this `ID` and no other; may be repeated"}, anyIDs())),
		cmdline.Completes(&cli.StringSliceFlag{Name: "add-dep", Usage: "wait for this `ID` too; may be repeated"}, anyIDs()),
		cmdline.MayBeEmpty(&cli.StringSliceFlag{Name: "check", Usage: "this `COMMAND` line proves it, and no other; may be repeated"}),
		cmdline.Completes(&cli.StringSliceFlag{Name: "remove-dep", Usage: "no longer wait for this `ID`; may be repeated"}, anyIDs()),
	)
	return &cli.Command{
		Name: "edit", Usage: "change a task's fields", ArgsUsage: "ID [JSON | -]",
		Description: aboutTaskEdit, Flags: planio.ClaimedFlags(editFlags(own...)...),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(planio.TaskIDs())),
		Action:       cmdline.Action(env, func(c *cli.Context) (editOptions, error) { return editFrom(c, plan.KindTask, taskTexts()) }, editOptions.run),
	}
}

const aboutTaskEdit = `Changes fields of a task; an empty value clears one, apart from the name and the
spec. Any other field is set by a JSON object, in which null clears: as an
argument, or with - on standard input.
Without a field, on a terminal, the task is opened in your editor, the one that
git uses (core.editor, GIT_EDITOR, VISUAL, EDITOR); a file that is left unchanged
or emptied changes nothing. What somebody else changed meanwhile is merged with
it; what does not merge is refused, and your text is kept in a file. What
commands manage, such as done_at, cannot be edited. Setting a field settles a
recorded conflict of it. A task in a state that is neither pending nor done is
made pending with '{"s": "p"}'. No terminal is needed where a field is given.
` + planio.MutationExits + `
EXAMPLES
  git ralph task edit t-1a2b
  git ralph task edit t-1a2b --priority high --notes ""
  git ralph task edit t-1a2b --add-dep t-3c4d --meta owner=ann
  git ralph task edit t-1a2b '{"estimate": 3, "role": null}'`
