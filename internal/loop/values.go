package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// ErrNoSpecFile says that the spec's file, which the agent needs, is not there.
var ErrNoSpecFile = errors.New("the spec is not there")

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
	v := map[string]string{"stage": string(next.Action), "spec": spec, "spec_path": place, "feedback": it.feedbackFor(next)}
	switch next.Action {
	case schedule.Build:
		v["id"], v["task"], v["rejections"] = next.Item.ID(), objectText(*next.Item), it.rejections(ctx, *next.Item)
	case schedule.Decompose:
		v["id"], v["task"] = next.Item.ID(), objectText(*next.Item)
		v["kill"], v["log"] = next.Item.Text("kill"), it.endOfLog(next.Item.Text("kill_log"))
	case schedule.Investigate:
		v["issues"], v["tasks"] = jsonLines(p.Of(plan.KindIssue)), it.tasksInPlan()
	case schedule.Verify, schedule.Plan:
		return v, it.specValues(v, spec)
	}
	return v, nil
}

// specValues are those of the stages that hold tasks against a spec. They need its text.
func (it *iteration) specValues(v map[string]string, spec string) error {
	text, err := ReadSpec(it.Store, spec)
	v["spec_text"] = text
	if it.stage() == schedule.Verify {
		v["tasks"] = it.tasksToVerify()
	} else {
		v["tasks"] = it.tasksInPlan()
	}
	return err
}

// ReadSpec reads the text of a spec. The error is ErrNoSpecFile, with the place where it was looked for. Symbolic links are
// not followed, nor is the way into a git directory: what lies there is not the spec's to show, and a plan may come from a
// stranger.
func ReadSpec(st *store.Store, spec string) (string, error) {
	place, found := st.SpecPath(spec)
	isGits := slices.ContainsFunc(strings.Split(place, "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
	if !found || isGits {
		return "", fmt.Errorf("%w: %s", ErrNoSpecFile, place)
	}
	if err := safefile.Check(st.Repo().Root(), place); err != nil {
		return "", fmt.Errorf("%w: %s %w", ErrNoSpecFile, place, err)
	}
	data, err := os.ReadFile(filepath.Join(st.Repo().Root(), filepath.FromSlash(place)))
	return strings.ToValidUTF8(string(data), "\ufffd"), err
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

// jsonLines returns records as a line of JSON each.
func jsonLines(records []plan.Record) string {
	var text strings.Builder
	for _, r := range records {
		text.WriteString(objectText(r) + "\n")
	}
	return text.String()
}

// objectText returns a record's JSON without white space around it.
func objectText(r plan.Record) string { return strings.TrimSpace(r.JSON()) }
