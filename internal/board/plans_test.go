package board

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/test/gittest"
)

const spec = `{"t": "spec", "spec": "coverage.md"}`

// task returns the line of a task.
func task(id, name, more string) string {
	if more != "" {
		more = ", " + more
	}
	return fmt.Sprintf(`{"t": "task", "id": %q, "spec": "coverage.md", "name": %q, "s": "p", "created_at": "2026-11-27T10:00:00.000Z"%s}`, id, name, more)
}

func done(line, attempt string) string {
	return strings.Replace(line, `"s": "p"`, `"s": "d", "done_at": "0123456789ab", "attempt": "`+attempt+`"`, 1)
}

// smallPlan is a plan of a dozen records with a history.
func smallPlan() []version {
	parse := task("t-1a2b", "Read the coverage profile", `"priority": "high", "notes": "The profile has a mode line, then one line for each block: file, range, statements, count.", "accept": "go test ./profile passes, also for a profile of several packages.", "check": ["go test ./profile"]`)
	sum := task("t-2c3d", "Sum the counts of a package", `"deps": ["t-1a2b"], "priority": "high"`)
	table := task("t-3e4f", "Print a table that fits the terminal", `"deps": ["t-2c3d"], "priority": "medium", "labels": ["cli", "text"], "notes": "Columns are as wide as their widest cell. Where a row does not fit, the widest column is cut."`)
	colour := task("t-4g5h", "Colour by threshold", `"deps": ["t-3e4f"], "priority": "low"`)
	cjk := task("t-5i6j", "長い名前のタスクは端末の幅で折り返されます", `"labels": ["i18n"]`)
	emoji := task("t-6k7l", "Emoji 👍🏽 👨‍👩‍👧 ❤️ in names", "")
	rtl := task("t-7m8n", "دعم النصوص من اليمين إلى اليسار", "")
	long := task("t-9q0r", "A name that is much longer than any column of any board could ever be, since somebody has put all of the description into it, which happens", "")
	page := task("t-0s1t", "Write the manual page", `"priority": "low"`)
	issue := `{"t": "issue", "id": "i-9o0p", "spec": "coverage.md", "desc": "The test of the parser fails on Windows", "created_at": "2026-11-27T12:00:00.000Z", "priority": "medium"}`
	item := `{"t": "item", "id": "w-3g4h", "name": "Receipts in the language of the customer", "state": "Backlog", "number": 42, "created_at": "2026-11-27T12:00:00.000Z"}`
	edited := strings.Replace(parse, "file, range, statements, count.", "file, range, number of statements, count. Modes may be mixed.", 1)
	rejected := strings.Replace(parse, `"s": "p"`, `"s": "p", "reject": "It does not read profiles with several modes."`, 1)
	rejectedEdited := strings.Replace(edited, `"s": "p"`, `"s": "p", "reject": "It does not read profiles with several modes."`, 1)
	tombstone := `{"t": "reject", "id": "t-1a2b", "done_at": "0123456789ab", "reason": "It does not read profiles with several modes.", "attempt": "a111"}`
	rest := []string{sum, table, colour, cjk, emoji, rtl, long}
	plan := func(more ...string) []string { return append(append([]string{spec}, more...), rest...) }
	return []version{
		{"ann@example.com", "ralph: plan", 23 * time.Hour, plan(parse, page)},
		{"ann@example.com", "ralph: add an issue", 21 * time.Hour, plan(parse, page, issue, item)},
		{"worker-1@example.com", "ralph: done", 4 * time.Hour, plan(done(parse, "a111"), page, issue, item)},
		{"bob@example.com", "ralph: reject", 3 * time.Hour, plan(rejected, tombstone, page, issue, item)},
		{"bob@example.com", "ralph: edit", 170 * time.Minute, plan(rejectedEdited, tombstone, page, issue, item)},
		{"worker-2@example.com", "ralph: done", 40 * time.Minute, plan(rejectedEdited, tombstone, done(page, "b222"), issue, item)},
	}
}

// bigPlan is a plan of n tasks, half of which wait for others.
func bigPlan(n int) []version {
	lines := []string{spec}
	for i := range n {
		more := ""
		if i%2 == 1 {
			more = fmt.Sprintf(`"deps": ["t-%05d"]`, i-1)
		}
		lines = append(lines, task(fmt.Sprintf("t-%05d", i), fmt.Sprintf("Task %d of a plan that an agent wrote in one night", i), more))
	}
	return []version{{"ann@example.com", "ralph: plan", time.Hour, lines}}
}

func smallRepo(t testing.TB) *gittest.Repo { return newRepo(t, smallPlan()...) }
