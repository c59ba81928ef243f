//go:build unix

package team

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/loop"
	"git-ralph/internal/proc"
	"git-ralph/internal/schedule"
)

// lookForJobs is a board of jobs; one is gone once a file of its name exists. Each file changes the board.
func (f *field) lookForJobs(jobs ...Job) func(context.Context) (Board, error) {
	return func(context.Context) (Board, error) {
		b := Board{Stage: schedule.Complete, work: map[Role]bool{}}
		for _, j := range jobs {
			if _, err := os.Stat(filepath.Join(f.dir, j.key)); err != nil {
				b.Stage, b.Pending = schedule.Build, b.Pending+1
				b.jobs, b.work[j.Role] = append(b.jobs, j), true
				b.state += j.key
			}
		}
		return b, nil
	}
}

func heroes(t *testing.T, analysts int) []Member {
	t.Helper()
	roster, err := HeroRoster(analysts)
	if err != nil {
		t.Fatal(err)
	}
	return roster.Members()
}

// Research is done at the same time, so many tasks of it as there are analysts; everything else one after the other, in the order of
// the plan, and reviews when nothing else is left.
func TestResearchIsParallelAndTheRestIsNot(t *testing.T) {
	f := newField(t, `case $1 in
		analyst-*) touch "met-$2"; until [ -e met-t-1 ] && [ -e met-t-2 ]; do sleep 0.01; done;;
		*) echo "begin $1 $2" >>order; sleep 0.02; echo end >>order;; esac
		touch "${2:-review}"`, heroes(t, 2)...)
	f.config.Fresh = true
	f.config.Board = f.lookForJobs(
		Job{Role: Builder, Task: "t-3", key: "t-3"}, Job{Role: Analyst, Task: "t-1", key: "t-1"}, Job{Role: Builder, Task: "t-4", key: "t-4"},
		Job{Role: Analyst, Task: "t-2", key: "t-2"}, Job{Role: Validator, key: "review"},
	)
	s := f.do(t.Context())
	want := "begin builder-1 t-3\nend\nbegin builder-1 t-4\nend\nbegin validator-1 \nend\n"
	if s.Why != loop.Complete || f.file("order") != want {
		t.Errorf("%s: %s", s.Why, f.file("order"))
	}
}

// What an agent got nowhere with is not begun again, however else the plan changes, and keeps nothing else from being done. What a
// worker died at, or did not come to, is.
func TestWhatIsBegunAgain(t *testing.T) {
	f := newField(t, `echo "$2" >>order; case $2 in
		t-lazy) echo '{"t": "iteration", "id": "t-lazy"}'; exit 7;;
		t-late) [ -e t-dies ] || exit 4;;
		t-dies) [ -e died ] || { touch died; kill -9 $$; }; esac
		touch "$2"`, heroes(t, 1)...)
	f.config.Fresh = true
	f.config.Board = f.lookForJobs(
		Job{Role: Builder, Task: "t-lazy", key: "t-lazy"}, Job{Role: Analyst, Task: "t-late", key: "t-late"},
		Job{Role: Builder, Task: "t-dies", key: "t-dies"}, Job{Role: Builder, Task: "t-last", key: "t-last"},
	)
	s := f.do(t.Context())
	order := f.file("order")
	if s.Why != loop.NoProgress || s.Text != "agents got nowhere with t-lazy" || strings.Count(order, "t-lazy") != 1 || strings.Count(order, "t-dies") != 2 || strings.Count(order, "t-last") != 1 {
		t.Errorf("%s: %s: %q", s.Why, s.Text, order)
	}
	if !strings.Contains(order, "t-late") {
		t.Errorf("%q", order)
	}
}

// A worker lands itself what it has finished. What one left that ended, the integrator lands before anything else is begun.
func TestWhoLandsWhatFreshWorkersFinish(t *testing.T) {
	f := newField(t, "", heroes(t, 1)...)
	f.config.Fresh = true
	team := New(f.config)
	b := Board{jobs: []Job{{Role: Integrator, key: "land", by: []string{"analyst-1"}}}}
	analyst, integrator := team.workers[0], team.workers[3]
	if _, found := team.next(integrator, b); !found || integrator.Role != Integrator {
		t.Error("nobody lands what a worker left")
	}
	analyst.child = &proc.Child{}
	if _, found := team.next(integrator, b); found {
		t.Error("the integrator lands what its worker is about to land")
	}
}
