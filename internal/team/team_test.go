//go:build unix

package team

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
	"git-ralph/internal/schedule"
	"git-ralph/internal/test/gittest"
)

func TestMain(m *testing.M) {
	gittest.ReceiveSignals()
	os.Exit(m.Run())
}

// A field is a team whose workers are shell scripts, and whose board is made up.
type field struct {
	t      *testing.T
	dir    string
	config Config
	board  Board
	events []Event
}

// newField makes a team. Each worker runs the script, in the directory of the test, with its name as $1.
func newField(t *testing.T, script string, members ...Member) *field {
	t.Helper()
	f := &field{t: t, dir: t.TempDir()}
	j := journal.Of(filepath.Join(f.dir, "git"))
	run, err := j.Begin(j.RunName(time.Now(), func(int) int { return 0 }), "test", 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(run.Close)
	f.config = Config{
		Members: members, Board: f.look, Reporter: f, Run: run, Now: time.Now, Backoff: time.Millisecond, Poll: 5 * time.Millisecond, Grace: time.Second,
		Journal: func(string) (journal.Journal, bool) { return journal.Journal{}, false },
		Command: func(a Assignment) proc.Cmd {
			return proc.Cmd{Name: "sh", Args: []string{"-c", script, "sh", a.Name, a.Job.Task}, Dir: f.dir}
		},
	}
	return f
}

func (f *field) look(context.Context) (Board, error) {
	if data, err := os.ReadFile(filepath.Join(f.dir, "complete")); err == nil {
		return Board{Stage: schedule.Complete, state: string(data)}, nil
	}
	return f.board, nil
}

func (f *field) Report(e Event) { f.events = append(f.events, e) }

func (*field) Progress(Live) {}

func (f *field) do(ctx context.Context) Summary {
	f.t.Helper()
	s, err := New(f.config).Do(ctx)
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

// reported lists the kinds of events, with the worker that each is about.
func (f *field) reported() string {
	var all []string
	for _, e := range f.events {
		all = append(all, strings.TrimSpace(string(e.Kind)+" "+e.Worker))
	}
	return strings.Join(all, ", ")
}

func (f *field) file(name string) string {
	data, _ := os.ReadFile(filepath.Join(f.dir, name))
	return string(data)
}

func building(state string) Board {
	return Board{Stage: schedule.Build, Pending: 1, Ready: 1, work: map[Role]bool{Builder: true}, state: state}
}

// Workers are started only where there is something for their role; the run ends when the plan is complete, and counts what they
// printed.
func TestATeamEndsWhenThePlanIsComplete(t *testing.T) {
	f := newField(t, `echo '{"t": "claimed", "id": "t-1", "name": "one"}'
		echo '{"t": "outcome", "id": "t-1", "tokens": 7, "cost": 0.5, "ms": 10, "steps": [{"what": "done", "id": "t-1"}, {"what": "accepted", "id": "t-0"}]}'
		echo '{"t": "finished", "id": "t-1"}'; echo done >complete`, Member{"b", Builder}, Member{"v", Validator})
	f.config.Board = f.look
	f.board = building("1")
	s := f.do(t.Context())
	if s.Why != loop.Complete || s.Tokens != 7 || s.Cost != 0.5 || s.Done != 1 || s.Accepted != 0 || s.Workers[0].Finished != 1 || s.Workers[1].Starts != 0 || len(s.Tasks) != 1 {
		t.Errorf("%+v", s)
	}
	if want := "run, worker b, claimed b, outcome b, finished b, end"; f.reported() != want {
		t.Errorf("%s, want %s", f.reported(), want)
	}
}

// A worker that dies is started again three times, and then never; the run does not end as complete.
func TestAWorkerThatDiesIsStartedAgain(t *testing.T) {
	f := newField(t, `echo x >>starts; echo why >&2; exit 1`, Member{"b", Builder})
	f.board = building("1")
	s := f.do(t.Context())
	if s.Why != loop.Broken || f.file("starts") != strings.Repeat("x\n", 1+maxDeaths) {
		t.Errorf("%s after %q", s.Why, f.file("starts"))
	}
	if last := f.events[len(f.events)-2]; last.Kind != WorkerEnded || last.Text != "why" {
		t.Errorf("%+v", last)
	}
}

// A worker that was killed may die three times more once it has finished something.
func TestDeathsAreForgottenWhenSomethingIsFinished(t *testing.T) {
	f := newField(t, `echo x >>starts; [ $(wc -l <starts) -lt 6 ] || { echo done >complete; exit 0; }
		[ $(wc -l <starts) -ne 3 ] || echo '{"t": "finished", "id": "t-1"}'; kill -9 $$`, Member{"b", Builder})
	f.board = building("1")
	if s := f.do(t.Context()); s.Why != loop.Complete || s.Workers[0].Starts != 6 {
		t.Errorf("%+v", s)
	}
}

// What a worker left running when it died is ended before it is started again.
func TestNothingOfADeadWorkerRunsOn(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("only Linux shows the environment of others")
	}
	f := newField(t, `if [ -e child ]; then grep -q "^State:.S" /proc/$(cat child)/status && exit 1; echo done >complete; exit 0; fi
		setsid sleep 1000 & echo $! >child; kill -9 $$`, Member{"b", Builder})
	f.board = building("1")
	if s := f.do(t.Context()); s.Why != loop.Complete {
		t.Errorf("%+v", s)
	}
}

// A worker that found nothing is started again only when something has changed; without a change the run ends.
func TestWorkersWaitForAChange(t *testing.T) {
	f := newField(t, `echo x >>starts; exit 7`, Member{"b", Builder})
	f.board = building("1")
	if s := f.do(t.Context()); s.Why != loop.NoProgress || f.file("starts") != "x\n" {
		t.Errorf("%s after %q", s.Why, f.file("starts"))
	}
}

// The reasons of the workers are those of the run.
func TestHowATeamEnds(t *testing.T) {
	for code, want := range map[int]loop.Reason{6: loop.LimitHit, 8: loop.AgentFails, 9: loop.Gate} {
		f := newField(t, fmt.Sprintf("exit %d", code), Member{"b", Builder})
		f.board = building("1")
		f.board.Gate = "i-1"
		if s := f.do(t.Context()); s.Why != want {
			t.Errorf("code %d: %s", code, s.Why)
		}
	}
}

// When whoever lands is gone for good, the run does not wait for a check that nobody runs, although others still wait for work.
func TestATeamEndsWhenNobodyIsLeftWhoLands(t *testing.T) {
	f := newField(t, `[ "$1" = b ] && exec sleep 1000; exit 1`, Member{"b", Builder}, Member{"i", Integrator})
	f.board = Board{Stage: schedule.Build, Landing: 1, state: "1", work: map[Role]bool{Builder: true, Integrator: true}}
	began, now := time.Now(), time.Now()
	f.config.Now = func() time.Time { now = now.Add(100 * time.Millisecond); return now }
	if s := f.do(t.Context()); s.Why != loop.Broken || now.Sub(began) > checkingTime/2 {
		t.Errorf("%s after %v: %s", s.Why, now.Sub(began), s.Text)
	}
}

// A limit of the whole run ends it after the iterations under way, whoever has reached it.
func TestTheRunHasLimits(t *testing.T) {
	script := `trap 'echo ended >>"$1"; exit 130' INT; echo '{"t": "outcome", "id": "t-1", "tokens": 7, "cost": 0.75, "ms": 10}'; while :; do sleep 0.01; done`
	for _, goals := range []loop.Goals{{Cost: 1.5}, {Time: time.Millisecond}} {
		f := newField(t, script, Member{"b", Builder}, Member{"c", Builder})
		f.board, f.config.Goals = building("1"), goals
		if s := f.do(t.Context()); s.Why != loop.LimitHit || goals.Cost > 0 && f.file("b")+f.file("c") != "ended\nended\n" {
			t.Errorf("%+v: %+v, %q", goals, s, f.file("b")+f.file("c"))
		}
	}
}

// While another process works under the name of a worker, the team waits for it.
func TestATeamWaitsForLivingWorkers(t *testing.T) {
	f := newField(t, `echo x >>starts; [ $(wc -l <starts) -gt 2 ] || exit 4; echo done >complete`, Member{"b", Builder})
	f.board = building("1")
	if s := f.do(t.Context()); s.Why != loop.Complete || f.file("starts") != "x\nx\nx\n" {
		t.Errorf("%s after %q", s.Why, f.file("starts"))
	}
}

// What waits to land is for the integrator; without one, for a builder.
func TestWhoLands(t *testing.T) {
	for _, members := range [][]Member{{{"b", Builder}, {"i", Integrator}}, {{"b", Builder}, {"v", Validator}}} {
		f := newField(t, `echo "$1" >complete; echo '{"t": "landed", "id": "t-1, t-2"}'`, members...)
		f.board = Board{Stage: schedule.Build, Landing: 1, state: "1", work: map[Role]bool{Integrator: true}}
		s := f.do(t.Context())
		want := "b\n"
		if members[1].Role == Integrator {
			want = "i\n"
		}
		if s.Why != loop.Complete || s.Landed != 2 || f.file("complete") != want {
			t.Errorf("%v: %+v by %q", members, s, f.file("complete"))
		}
	}
}

// Where a worker dies because the disk is full, the run ends at once and says so, and does not start others in vain.
func TestAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("the system has no /dev/full")
	}
	f := newField(t, `echo x >>starts; for d in git/ralph/runs/*; do ln -s /dev/full $d/room.tmp; done; exit 1`, Member{"b", Builder})
	f.board = building("1")
	s, err := New(f.config).Do(t.Context())
	if s.Why != loop.Broken || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(s.Text, "cannot write in "+f.dir) || f.file("starts") != "x\n" {
		t.Errorf("%s: %s, %v after %q", s.Why, s.Text, err, f.file("starts"))
	}
}

// A worker that runs already, under another run, keeps its place: it is started when that one has ended, if there is something to do
// then, and does not keep the run from ending.
func TestATakenPlace(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		for _, left := range []bool{false, true} {
			f := newField(t, `echo done >complete`, Member{"b", Builder})
			f.board = building("1")
			f.board.jobs = []Job{{Role: Builder, Task: "t-1", key: "t-1"}}
			looks := 0
			f.config.Fresh = fresh
			f.config.Runs = func(string) bool {
				if looks++; looks == 2 && !left {
					f.board = Board{Stage: schedule.Build, state: "2"}
				}
				return looks < 3
			}
			s := f.do(t.Context())
			if want := map[bool]loop.Reason{true: loop.Complete, false: loop.NoProgress}[left]; s.Why != want || (s.Workers[0].Starts == 1) != left {
				t.Errorf("fresh %v, work left %v: %+v", fresh, left, s)
			}
		}
	}
}

// A stop lets workers finish, and a second one ends them; neither leaves a process. Detached workers go on.
func TestStop(t *testing.T) {
	script := `trap 'echo interrupted >>"$1"; exit 130' INT; echo $$ >"$1.pid"; while :; do sleep 0.01; done`
	for _, how := range []string{"stop", "now", "detached"} {
		f := newField(t, script, Member{"b", Builder}, Member{"c", Builder})
		f.board = building("1")
		ctx, cancel := context.WithCancel(t.Context())
		stop := make(chan struct{})
		f.config.StopRequested, f.config.Detach = stop, how == "detached"
		ended := make(chan Summary)
		go func() { ended <- f.do(ctx) }()
		for f.file("b.pid") == "" || f.file("c.pid") == "" {
			time.Sleep(time.Millisecond)
		}
		if how == "now" {
			cancel()
		} else {
			close(stop)
		}
		if s := <-ended; s.Why != loop.Interrupted {
			t.Errorf("%s: %s", how, s.Why)
		}
		cancel()
		for _, name := range []string{"b", "c"} {
			lives := proc.ID{}
			fmt.Sscan(f.file(name+".pid"), &lives.PID)
			alive := processExists(lives.PID)
			if alive != (how == "detached") || (f.file(name) != "") != (how == "stop") {
				t.Errorf("%s: %s lives: %v, printed %q", how, name, alive, f.file(name))
			}
			if p, err := os.FindProcess(lives.PID); err == nil && alive {
				p.Kill()
			}
		}
	}
}

func processExists(pid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return err == nil
}

// A board that cannot be read at once is read again.
func TestAnUnreadableBoard(t *testing.T) {
	f := newField(t, `echo done >complete`, Member{"b", Builder})
	f.board = building("1")
	fails := maxFailures - 1
	f.config.Board = func(ctx context.Context) (Board, error) {
		if fails--; fails > 0 {
			return Board{}, os.ErrNotExist
		}
		return f.look(ctx)
	}
	if s := f.do(t.Context()); s.Why != loop.Complete {
		t.Errorf("%+v", s)
	}
	f = newField(t, `exit 0`, Member{"b", Builder})
	f.config.Board = func(context.Context) (Board, error) { return Board{}, os.ErrNotExist }
	if s, err := New(f.config).Do(t.Context()); err == nil || s.Why != loop.Broken || slices.ContainsFunc(f.events, func(e Event) bool { return e.Kind == WorkerBegan }) {
		t.Errorf("%+v, %v", s, err)
	}
}

// A team has the workers that its work calls for, and more once it calls for more; nobody is sent away. Their names are those of a roster
// of that size.
func TestATeamGrows(t *testing.T) {
	f := newField(t, `echo >"$1"; [ "$1" != builder-2 ] || { echo done >complete; exit 0; }; exec sleep 1000`)
	f.config.Board = func(ctx context.Context) (Board, error) {
		b, err := f.look(ctx)
		b.Roster = Roster{Builder: 1, Validator: 1}
		if f.file("builder-1") != "" || b.Stage == schedule.Complete {
			b.Roster = Roster{Builder: 2}
		}
		return b, err
	}
	f.board = building("1")
	s := f.do(t.Context())
	if want := "run, roster, worker builder-1, roster, worker builder-2, end"; f.reported() != want || s.Why != loop.Complete {
		t.Errorf("%s: %s, want %s", s.Why, f.reported(), want)
	}
	if text := f.events[3].Text; text != "builder=2,validator=1" || len(s.Workers) != 3 {
		t.Errorf("the roster is %s, %+v", text, s.Workers)
	}
}

// What a worker prints of an item that it moved says to which state.
func TestAWorkerSaysWhereItMovedAnItem(t *testing.T) {
	moved := loop.Event{Kind: loop.IterationEnded, Steps: []plan.Event{{Name: plan.EventItemMoved, ID: "w-1", Detail: []jsonl.Member{{Name: "to", Value: `"Done"`}}}}}
	if e := readEvent("builder-1", moved.JSON()); len(e.Steps) != 1 || e.Steps[0].Text("to") != "Done" {
		t.Errorf("%+v", e.Steps)
	}
}
