package loop

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/prompt"
	"git-ralph/internal/schedule"
)

// Agents holds the agent of each stage that has a prompt.
type Agents map[schedule.Stage]agent.Profile

// AgentFlags are the agents and models of the command line: each value is for all stages or, as in "verify=codex", for one.
type AgentFlags struct{ Agents, Models []string }

// Choose returns the agent of each stage. The first of these that is set decides: a flag for the stage, a flag for all stages,
// ralph.STAGE.agent, ralph.agent. A model of the configuration (ralph.STAGE.model) is used only with an agent of the
// configuration. The errors are UnknownStageError, and those of agent.Choose and agent.Profile.WithModel.
func (f AgentFlags) Choose(config Configuration, dirs agent.Directories, environ []string) (Agents, error) {
	if err := f.checkStages(config, environ); err != nil {
		return nil, err
	}
	chosen := Agents{}
	for _, stage := range prompt.Stages() {
		section := "ralph." + strings.ToLower(string(stage))
		name, model := forStage(f.Agents, stage), forStage(f.Models, stage)
		configured := name == ""
		stageDirs := dirs
		if configured {
			name, _ = config.Get(section + ".agent")
			stageDirs.Here = dirs.Root
		}
		if configured && model == "" {
			model, _ = config.Get(section + ".model")
		}
		profile, err := agent.Choose(name, config, stageDirs)
		if err == nil {
			profile, err = profile.WithModel(model)
		}
		if err != nil {
			return nil, err
		}
		chosen[stage] = profile
	}
	return chosen, nil
}

// forStage returns the last value for a stage, else the last one for all stages, else "".
func forStage(words []string, stage schedule.Stage) string {
	own, all := "", ""
	for _, word := range words {
		switch of, value := cutStage(word); of {
		case stage:
			own = value
		case "":
			all = value
		}
	}
	if own != "" {
		return own
	}
	return all
}

// Check returns agent.ErrMissing where the program of an agent that a run with these goals may start is not found on the
// PATH of environ.
func (a Agents) Check(goals Goals, environ []string) error {
	for _, stage := range prompt.Stages() {
		if !goals.mayReach(stage) {
			continue
		}
		if err := a[stage].Check(environ); err != nil {
			return fmt.Errorf("%w of %s: %w", agent.ErrMissing, stage, err)
		}
	}
	return nil
}

// Names lists the names of the agents of the stages that a run with these goals may reach, each once.
func (a Agents) Names(goals Goals) string {
	var names []string
	for _, stage := range prompt.Stages() {
		if name := a[stage].Name; goals.mayReach(stage) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// mayReach reports whether a run may start an agent in a stage.
func (g Goals) mayReach(stage schedule.Stage) bool {
	switch {
	case g.Work != nil:
		return stage == schedule.Build
	case g.Plan:
		return stage == schedule.Plan
	case g.Only != "":
		return stage == g.Only
	case g.Stage != "":
		return stage == g.Stage
	}
	return stage != schedule.Plan
}

// Untrusted returns the agents for a repository that nobody has trusted, by the directories that they may know it by. The error
// is agent.ErrNoUntrustedArgs.
func (a Agents) Untrusted(roots []string) (Agents, error) {
	all := Agents{}
	for stage, profile := range a {
		var err error
		if all[stage], err = profile.Untrusted(roots); err != nil {
			return nil, err
		}
	}
	return all, nil
}
