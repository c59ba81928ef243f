package agentcmd

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agentkit"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

func newSpawn(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "spawn", Usage: "print the first message to a worker", ArgsUsage: "[TASK]",
		Description: `Prints what an agent that leads others gives to one that it starts: what the task is,
for which item, which skill does it and what is to be reported. Without a task it is
for a worker whose first task does not exist yet. How a worker works is in its
definition, which git ralph agent install puts where the agent reads it.

EXIT STATUS
  0  done
  1  there is no such task
  2  the command line is wrong
  5  the plan is not valid

EXAMPLES
  git ralph agent spawn t-w-1a2b-research
  git ralph agent spawn`,
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(planio.PendingIDs())),
		Action:       func(c *cli.Context) error { return printSpawn(c.Context, env, c.Args().First()) },
	}
}

func printSpawn(ctx context.Context, env *term.Env, id string) error {
	if id == "" {
		term.WriteLines(env, agentkit.Spawn{}.Text())
		return nil
	}
	v, err := planio.Source{}.View(ctx, env)
	if err != nil {
		return err
	}
	if id, err = v.Plan.ResolveID(plan.KindTask, id); err != nil {
		return err
	}
	task, _ := v.Plan.Task(id)
	term.WriteLines(env, spawnOf(v.Plan, task).Text())
	return v.Invalid()
}

// spawnOf returns what the first message says about a task. What comes from the plan is on one line each.
func spawnOf(p *plan.Plan, task plan.Record) agentkit.Spawn {
	s := agentkit.Spawn{Verb: "Do", Ref: task.ID(), Title: task.Name(), Report: "op done, ids, claim", Context: "Task " + task.ID() + ", for the " + task.Role() + "."}
	step, ref, _ := pipeline.ParseName(task.Name())
	if id, err := p.ResolveID(plan.KindItem, ref); err == nil && task.IsOfItem() {
		item, _ := p.Item(id)
		s.Verb, s.Ref, s.Title = strings.TrimSuffix(task.Name(), " "+ref), ref, item.Name()
		s.Report += reported(step)
	} else {
		step = ""
	}
	if skill := skillFor(step, task.Role()); skill != "" {
		s.Skill = `Skill(skill="` + skill + `", args="` + s.Ref + `")`
	}
	if members, _ := task.Meta().Get("group_members"); members != "" {
		s.Context += " Its group: " + term.OneLine(string(members)) + "."
	}
	s.Title, s.Context = term.Printable(strings.Join(strings.Fields(s.Title), " ")), term.Printable(s.Context)
	return s
}

// skillFor returns the skill for a task; "" where its worker needs none.
func skillFor(step pipeline.Step, role string) string {
	switch step {
	case pipeline.StepTriage, pipeline.StepSplit, pipeline.StepResearch, pipeline.StepPlan, pipeline.StepReview:
		return "ralph-" + string(step)
	case pipeline.StepImplement:
		return "ralph-impl"
	case "":
		if role == "builder" {
			return "ralph-impl"
		}
	}
	return ""
}

// reported returns the members of a report that a step adds.
func reported(step pipeline.Step) string {
	switch step {
	case pipeline.StepTriage:
		return ", verdict"
	case pipeline.StepResearch:
		return ", artifact, files"
	case pipeline.StepPlan, pipeline.StepPR:
		return ", artifact"
	case pipeline.StepReview:
		return ", verdict, reason, artifact"
	}
	return ""
}
