package iteration

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/prompt"
	"git-ralph/internal/schedule"
)

// renderedPrompt is a prompt with its values.
type renderedPrompt struct {
	text  string
	tasks int // the number of tasks for VERIFY
}

// Render returns the prompt of a job. It starts and changes nothing.
func (p Workspace) Render(ctx context.Context, j Job) (string, error) {
	rendered, err := p.render(ctx, j)
	return rendered.text, err
}

func (p Workspace) render(ctx context.Context, j Job) (renderedPrompt, error) {
	if work := j.State.Work; work != nil {
		return renderedPrompt{text: strings.TrimRight(work.Prompt+"\n"+j.Memory.feedbackFor(j.State), "\n") + "\n"}, nil
	}
	template, err := prompt.Load(p.PromptRoot(), j.promptName())
	if err != nil {
		return renderedPrompt{}, err
	}
	values, tasks, err := p.values(ctx, j)
	return renderedPrompt{template.Render(values), tasks}, err
}

// values returns the values of the prompt's placeholders, and the number of tasks for VERIFY.
func (p Workspace) values(ctx context.Context, j Job) (v map[string]string, tasks int, err error) {
	now, next := j.State.Plan, j.State.Next
	spec := cmp.Or(j.Spec, now.Spec())
	if next.Item != nil && next.Item.Spec() != "" {
		spec = next.Item.Spec()
	}
	path := "none"
	if spec != "" {
		path, _ = p.Store.SpecPath(spec)
	}
	v = map[string]string{"stage": string(next.Action), "spec": spec, "spec_path": path, "feedback": j.Memory.feedbackFor(j.State)}
	switch next.Action {
	case schedule.Build:
		v["rules"] = rulesOf(p.Store.Repo().Root())
		v["id"], v["task"], v["rejections"] = next.Item.ID(), objectText(*next.Item), p.rejections(ctx, j, *next.Item)
		err = p.addStep(ctx, v, j)
	case schedule.Decompose:
		v["id"], v["task"] = next.Item.ID(), objectText(*next.Item)
		v["kill"], v["log"] = next.Item.Text("kill"), p.endOfLog(next.Item.Text("kill_log"), j.Agent.Format)
	case schedule.Investigate:
		v["issues"], v["tasks"] = issuesForAgents(now), tasksInPlan(j)
	case schedule.Verify:
		v["tasks"], tasks = tasksToVerify(j)
		v["checks"] = checksForAgent(j.checked)
		addItems(v, j, pipeline.BriefOf(now, recordsOf(next.Items[:tasks])...))
		v["spec_text"], err = p.readSpec(spec)
	case schedule.Plan:
		v["tasks"] = tasksInPlan(j)
		v["spec_text"], err = p.Store.ReadSpec(spec)
	}
	return v, tasks, err
}

// readSpec returns the text of a spec. What is done for items needs none.
func (p Workspace) readSpec(spec string) (string, error) {
	if spec == "" {
		return "There is no spec: the items of the tasks say what is wanted.", nil
	}
	return p.Store.ReadSpec(spec)
}

// maxLogEnd is how much of a killed agent's output is in the prompt of the agent that decomposes its task, in bytes.
const maxLogEnd = 8 << 10

// endOfLog returns the end of what a killed agent printed, as people would read it. The name comes from the plan.
func (p Workspace) endOfLog(name string, format agent.Format) string {
	var text string
	path, err := p.Journal.LogPath(name)
	if err == nil {
		text, err = agent.ReadLogEnd(path, format, maxLogEnd)
	}
	if err != nil {
		return "(its log is not here)"
	}
	return text
}

// issuesForAgents returns the issues that agents may look into, a line of JSON each.
func issuesForAgents(p *plan.Plan) string {
	var text strings.Builder
	for _, r := range AgentIssues(p) {
		text.WriteString(objectText(*r) + "\n")
	}
	return text.String()
}

// objectText returns a record's JSON without white space around it.
func objectText(r plan.Record) string { return strings.TrimSpace(r.JSON()) }

// rulesOf returns a sentence with the files of a repository that say how to
// work in it.
func rulesOf(root string) string {
	var found []string
	for _, name := range [...]string{"AGENTS.md", "CLAUDE.md"} {
		if info, err := os.Lstat(filepath.Join(root, name)); err == nil && info.Mode().IsRegular() {
			found = append(found, "`"+name+"`")
		}
	}
	if len(found) == 0 {
		return ""
	}
	return "The rules of this repository are in " + strings.Join(found, " and ") + ": read them first, and keep them."
}
