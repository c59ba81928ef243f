package agentcmd

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"git-ralph/internal/agentsession"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/workplan"
	"git-ralph/internal/workplanloop"
)

// recorded are inputs of a Stop as agents wrote them, with the session's id for %s: as it should be, with a transcript that does not
// exist or is empty, with a wrong stop_hook_active, without either.
var recorded = []string{
	`{"session_id":"%s","transcript_path":"/home/u/.claude/projects/-r/x.jsonl","cwd":"DIR","permission_mode":"default","hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"ok"}`,
	`{"session_id":"%s","transcript_path":"","cwd":"DIR","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"ok"}`,
	`{"session_id":"%s","transcript_path":"/dev/null","cwd":"DIR/sub","hook_event_name":"Stop","stop_hook_active":"maybe"}`,
	`{"session_id":"%s","cwd":"DIR/gone"}`,
}

// TestInterleavedSessions guards: 200 sessions in one directory, whose stops come in any order, each follow their own workplan, and
// none is ever counted, blocked or ended by another. Sessions without a loop are not touched.
func TestInterleavedSessions(t *testing.T) {
	const sessions, last = 200, 5
	r := gittest.NewRepo(t)
	r.WriteFile("sub/x", "x")
	dir := agentsession.Of(filepath.Join(r.Dir, ".git"))
	random := rand.New(rand.NewPCG(1, 2))
	stops := make([]int, sessions)
	look := func(_ context.Context, _ *term.Env, _ *git.Repo, file string) (workplanloop.Seen, error) {
		var n int
		if _, err := fmt.Sscanf(filepath.Base(file), "%d.md", &n); err != nil {
			return workplanloop.Seen{}, err
		}
		plan := &workplan.File{ID: fmt.Sprint("WP-", n), Status: workplan.Active, Tasks: []workplan.Task{{ID: fmt.Sprint("T", n), Status: workplan.Todo}}}
		if stops[n]+1 >= last {
			plan.Status, plan.Tasks[0].Status = workplan.Done, workplan.Done
		}
		return workplanloop.Seen{Plan: plan, Mark: fmt.Sprint(stops[n])}, nil
	}
	for n := range sessions {
		if n%4 == 3 {
			continue // a session without a loop
		}
		l := workplanloop.Loop{Session: fmt.Sprint("session-", n), File: r.Path(fmt.Sprint(n, ".md")), Max: 20, Iteration: 1}
		if err := dir.KeepLoop(l.Session, l.Text()); err != nil {
			t.Fatal(err)
		}
	}
	for range last {
		for _, n := range random.Perm(sessions) {
			input := strings.ReplaceAll(fmt.Sprintf(recorded[random.IntN(len(recorded))], fmt.Sprint("session-", n)), "DIR", r.Dir)
			h := &hook{agent: "claude", name: "Stop", look: look, env: &term.Env{
				Dir: r.Dir, Environ: append(r.Env, "CLAUDE_PROJECT_DIR="+r.Dir), In: strings.NewReader(input), Err: io.Discard, Now: time.Now,
			}}
			checkStop(t, n, stops[n], last, h.answer(t.Context()))
			stops[n]++
		}
	}
	if left := dir.Loops(); len(left) != 0 {
		t.Errorf("%d loops are left", len(left))
	}
}

// checkStop compares the answer to a session's stop with what its own workplan says.
func checkStop(t *testing.T, n, stops, last int, answer string) {
	t.Helper()
	o, err := jsonl.ParseObject(answer)
	reason, _ := o.Get("reason")
	text, _ := reason.Str()
	message, _ := o.Get("systemMessage")
	switch {
	case n%4 == 3:
		if answer != "" {
			t.Errorf("session %d has no loop: %s", n, answer)
		}
	case stops+1 == last:
		if text != "" || !strings.Contains(string(message), fmt.Sprintf("WP-%d is done", n)) {
			t.Errorf("session %d is done: %s", n, answer)
		}
	case err != nil || !strings.Contains(text, fmt.Sprintf("Next task: T%d ", n)) || !strings.Contains(text, fmt.Sprintf("Iteration %d of 20.", stops+2)):
		t.Errorf("session %d, stop %d: %s", n, stops+1, answer)
	}
}

// TestStopWhileTheHookLooks guards: a loop that is stopped while the hook reads the workplan ends, then or at the next stop, and one that
// is started later is another one.
func TestStopWhileTheHookLooks(t *testing.T) {
	r := gittest.NewRepo(t)
	sessions := agentsession.Of(filepath.Join(r.Dir, ".git"))
	start := func() {
		l := workplanloop.Loop{Session: "s", File: r.Path("w.md"), Max: 20, Iteration: 1}
		if err := sessions.StartLoop(t.Context(), "s", l.Text()); err != nil {
			t.Fatal(err)
		}
	}
	looks := 0
	look := func(context.Context, *term.Env, *git.Repo, string) (workplanloop.Seen, error) {
		if looks++; looks == 1 {
			env := &term.Env{Dir: r.Dir, Environ: r.Env, Out: io.Discard, Err: io.Discard}
			if err := stopLoop(t.Context(), env, "s"); err != nil {
				t.Error(err)
			}
		}
		plan := &workplan.File{ID: "WP-1", Status: workplan.Active, Tasks: []workplan.Task{{ID: "T1", Status: workplan.Todo}}}
		return workplanloop.Seen{Plan: plan, Mark: fmt.Sprint(looks)}, nil
	}
	stop := func() string {
		env := &term.Env{Dir: r.Dir, Environ: r.Env, In: strings.NewReader(`{"session_id": "s"}`), Err: io.Discard, Now: time.Now}
		h := hook{env: env, agent: "claude", name: "Stop", look: look}
		return h.answer(t.Context())
	}
	start()
	if first, second := stop(), stop(); !strings.Contains(first+second, "loop stop") || len(sessions.Loops()) != 0 {
		t.Errorf("it goes on: %s%s", first, second)
	}
	start()
	if got := stop(); !strings.Contains(got, `"block"`) {
		t.Errorf("a new loop: %s", got)
	}
}

// TestStopsAtOnce guards: each stop of a session counts, also where several come at the same time, and a loop has no more than its
// iterations.
func TestStopsAtOnce(t *testing.T) {
	const stops, last = 12, 9
	r := gittest.NewRepo(t)
	sessions := agentsession.Of(filepath.Join(r.Dir, ".git"))
	l := workplanloop.Loop{Session: "s", File: r.Path("w.md"), Max: last, Iteration: 1}
	if err := sessions.StartLoop(t.Context(), "s", l.Text()); err != nil {
		t.Fatal(err)
	}
	var looks atomic.Int32
	var together, all sync.WaitGroup
	together.Add(stops)
	look := func(context.Context, *term.Env, *git.Repo, string) (workplanloop.Seen, error) {
		mark := fmt.Sprint(looks.Add(1))
		together.Done()
		together.Wait()
		plan := &workplan.File{ID: "WP-1", Status: workplan.Active, Tasks: []workplan.Task{{ID: "T1", Status: workplan.Todo}}}
		return workplanloop.Seen{Plan: plan, Mark: mark}, nil
	}
	answers := make([]string, stops)
	for n := range stops {
		all.Go(func() {
			env := &term.Env{Dir: r.Dir, Environ: r.Env, In: strings.NewReader(`{"session_id": "s"}`), Err: io.Discard, Now: time.Now}
			h := hook{env: env, agent: "claude", name: "Stop", look: look}
			answers[n] = h.answer(t.Context())
		})
	}
	all.Wait()
	text := strings.Join(answers, "")
	for n := 2; n <= last; n++ {
		if strings.Count(text, fmt.Sprintf("Iteration %d of %d.", n, last)) != 1 {
			t.Errorf("iteration %d is not counted once", n)
		}
	}
	if blocked := strings.Count(text, `"block"`); blocked != last-1 || strings.Count(text, "reached its limit") != 1 || len(sessions.Loops()) != 0 {
		t.Errorf("%d stops were blocked: %s", blocked, text)
	}
}
