package loop

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// maxLogEnd is how much of a stopped agent's output the one that cuts the task up is shown, in bytes.
const maxLogEnd = 8 << 10

// values are what stands in the places of the prompt's placeholders.
func (it *iteration) values(ctx context.Context) (map[string]string, error) {
	p, next := it.before.plan, it.before.next
	spec := cmp.Or(it.Goals.Spec, p.Spec())
	if next.Item != nil && next.Item.Spec() != "" {
		spec = next.Item.Spec()
	}
	place, _ := it.Store.SpecPath(spec)
	v := map[string]string{"stage": string(next.Action), "spec": spec, "spec_path": place, "feedback": it.feedbackFor(it.before)}
	switch next.Action {
	case schedule.Build:
		v["rules"] = rulesOf(it.Store.Repo().Root())
		v["id"], v["task"], v["rejections"] = next.Item.ID(), objectText(*next.Item), it.rejections(ctx, *next.Item)
	case schedule.Decompose:
		v["id"], v["task"] = next.Item.ID(), objectText(*next.Item)
		v["kill"], v["log"] = next.Item.Text("kill"), it.endOfLog(next.Item.Text("kill_log"))
	case schedule.Investigate:
		v["issues"], v["tasks"] = it.issuesForAgents(), it.tasksInPlan()
	case schedule.Verify, schedule.Plan:
		return v, it.specValues(v, spec)
	}
	return v, nil
}

// specValues are those of the stages that hold tasks against a spec. They need its text.
func (it *iteration) specValues(v map[string]string, spec string) error {
	text, err := it.Store.ReadSpec(spec)
	v["spec_text"] = text
	if it.stage() == schedule.Verify {
		v["tasks"] = it.tasksToVerify()
	} else {
		v["tasks"] = it.tasksInPlan()
	}
	return err
}

// endOfLog returns the end of what a stopped agent printed, as people would read it. The name comes from the plan.
func (it *iteration) endOfLog(name string) string {
	path, err := journal.Of(it.Store.Repo().GitDir()).LogPath(name)
	if err != nil {
		return "(its log is not here)"
	}
	text, err := agent.ReadEnd(path, it.agent().Format, maxLogEnd)
	if err != nil {
		return "(its log is not here)"
	}
	return text
}

// lastLine returns the last line of a text that is not blank.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// issuesForAgents returns the issues that agents may look into, a line of JSON each.
func (it *iteration) issuesForAgents() string {
	var text strings.Builder
	for _, r := range agentIssues(it.before.plan) {
		text.WriteString(objectText(*r) + "\n")
	}
	return text.String()
}

// objectText returns a record's JSON without white space around it.
func objectText(r plan.Record) string { return strings.TrimSpace(r.JSON()) }

// warnOfSpec warns of a spec that VERIFY could not be given: now, not after a night.
func (l *Loop) warnOfSpec(ctx context.Context) {
	s, err := l.look(ctx)
	if err != nil || s.plan.Spec() == "" {
		return // the first iteration meets the same error
	}
	if err := l.Store.CheckSpec(s.plan.Spec()); err != nil {
		l.warn(0, "%v; VERIFY needs it", err)
	}
}

// rulesOf names the files of a repository that say how to work in it.
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
