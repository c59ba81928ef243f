package iteration

import (
	"cmp"
	"fmt"
	"strings"

	"git-ralph/internal/plan"
)

// How many tasks fit into an agent's context window. It needs most of its context for the work.
const (
	defaultWindow = 200_000 // tokens, where the agent's is not known
	minTokenBytes = 3       // in prose and JSON
	windowPart    = 8       // tasks take 1/windowPart of the window
	killedPart    = 4       // after a killed VERIFY the next one gets 1/killedPart of the tasks
)

// fit returns as many records as fit into the window of the job's agent, but at least one, each as a line of JSON.
func fit(j Job, records []plan.Record) (text string, n int) {
	room := cmp.Or(j.Agent.Window, defaultWindow) * minTokenBytes / windowPart
	var b strings.Builder
	for _, r := range records {
		line := objectText(r) + "\n"
		if n > 0 && b.Len()+len(line) > room {
			break
		}
		b.WriteString(line)
		n++
	}
	return b.String(), n
}

// tasksInPlan returns the tasks of the plan, for a prompt.
func tasksInPlan(j Job) string {
	tasks := j.State.Plan.Of(plan.KindTask)
	text, n := fit(j, tasks)
	if more := len(tasks) - n; more > 0 {
		text += fmt.Sprintf("\n%d more are in the plan: `git ralph task list` has them.\n", more)
	}
	return text
}

// tasksToVerify returns the done tasks that an agent has to check, and their number.
func tasksToVerify(j Job) (text string, n int) {
	done := j.State.Next.Items
	if limit := j.Memory.maxTasks; limit > 0 {
		done = done[:min(limit, len(done))]
	}
	text, n = fit(j, recordsOf(done))
	if more := len(j.State.Next.Items) - n; more > 0 {
		text += fmt.Sprintf("\n%d more are marked done, and are verified after these. Add no new task for what they cover; "+
			"`git ralph task list` has them.\n", more)
	}
	return text, n
}

// maxTasksAfterKill returns the maximum number of tasks for the next VERIFY after an agent was killed.
func (f finishedJob) maxTasksAfterKill() int {
	if f.prompt.tasks == 0 {
		return f.Memory.maxTasks
	}
	return max(f.prompt.tasks/killedPart, 1)
}
