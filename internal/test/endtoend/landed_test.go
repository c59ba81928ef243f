package endtoend

import (
	"fmt"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// A query that says what has landed starts no process, however many tasks are done: some are part of the target, with files that
// others changed since, and some are not.
func TestLandedStartsNothing(t *testing.T) {
	counted, counter := gittest.NewRepo(t).CountProcesses()
	r := withProgram(t, counted)
	r.GitIn(doneTasks(50, 10), "fast-import", "--quiet")
	r.Git("config", "ralph.target", "main")
	r.Git("checkout", "-q", "work")
	r.must("query") // the history is cached
	counter.Started()
	out := r.must("query")
	if started := counter.Started(); len(started) > 0 {
		t.Errorf("%d were started: %q", len(started), started)
	}
	if yes, no := strings.Count(out, `"landed": "yes"`), strings.Count(out, `"landed": "no"`); yes != 50 || no != 10 {
		t.Errorf("%d landed, %d did not: %s", yes, no, out)
	}
}

// doneTasks writes commits for git fast-import, each of which does a task: some on main, others on the branch work.
func doneTasks(landed, others int) string {
	var b, plan strings.Builder
	plan.WriteString(`{"t": "config", "spec": "s.md"}` + "\n")
	b.WriteString("commit refs/heads/main\ncommitter A <a@example.com> 1600000000 +0000\ndata 5\nfirst\n")
	shared := ""
	for n := range landed + others {
		branch, from := "main", ""
		if n >= landed {
			branch = "work"
		}
		if n == landed {
			from = "from refs/heads/main\n"
		}
		file := fmt.Sprintf("own%d", n)
		if n < landed {
			file = "shared"
			shared += fmt.Sprintf("line %d\n", n)
		}
		fmt.Fprintf(&plan, `{"t": "task", "id": "t-%04x", "spec": "s.md", "name": "Do it", "s": "d", "done_at": "0123456789ab", "attempt": "a%03d", "created_at": "2026-01-01T00:00:00.000Z"}`+"\n", n, n)
		fmt.Fprintf(&b, "commit refs/heads/%s\ncommitter A <a@example.com> %d +0000\ndata 4\nwork\n%s", branch, 1700000000+n, from)
		for name, text := range map[string]string{file: shared + "end\n", "ralph/plan.jsonl": plan.String()} {
			fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
		}
	}
	return b.String()
}
