package hub_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"git-ralph/internal/hub"
	"git-ralph/internal/workplan"
)

// TestFaults guards: whatever fails, and wherever our process is killed, in the end the hub says what the file says; there is one
// milestone, or it is reported as unknown where the hub cannot be read; nothing ever went backwards. RALPH_HUB_RUNS sets the number of runs.
func TestFaults(t *testing.T) {
	runs := 100
	if n, err := strconv.Atoi(os.Getenv("RALPH_HUB_RUNS")); err == nil {
		runs = n
	}
	for seed := range runs {
		t.Run(strconv.Itoa(seed), func(t *testing.T) { newStory(t, uint64(seed)).play() })
	}
}

// A story is one workplan that is worked off while things go wrong.
type story struct {
	*testing.T
	rng     *rand.Rand
	fake    *fake
	store   *memory
	file    *workplan.File
	unknown int // milestones that were reported as such
}

func newStory(t *testing.T, seed uint64) *story {
	rng := rand.New(rand.NewPCG(seed, 7))
	f := newFake(rng)
	s := &story{T: t, rng: rng, fake: f, store: &memory{fake: f}}
	s.file = &workplan.File{ID: "WP-1", Title: "All of it", Status: workplan.Active, Workstream: "ws-1"}
	f.status["ws-1"] = "active"
	for i := range rng.IntN(8) {
		task := workplan.Task{ID: fmt.Sprintf("T%d", i), Name: fmt.Sprintf("Part %d", i), Status: workplan.Todo}
		if rng.IntN(5) > 0 {
			task.HubTask = fmt.Sprintf("hub-%d", i)
			f.status[task.HubTask] = "todo"
			if f.readable && rng.IntN(4) == 0 {
				f.status[task.HubTask] = "done" // somebody else was first
			}
		}
		s.file.Tasks = append(s.file.Tasks, task)
	}
	return s
}

// step does something in a process that may be killed, and reports whether it came to its end.
func (s *story) step(do func()) (completed bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(killed); !ok {
				panic(p)
			}
		}
	}()
	do()
	return true
}

func (s *story) play() {
	s.fake.faults = true
	order := s.rng.Perm(len(s.file.Tasks))
	for _, i := range order {
		s.fake.down = s.rng.IntN(3) == 0 // for hours
		if s.rng.IntN(2) == 0 {
			s.change(i, workplan.InProgress)
		}
		s.change(i, workplan.Done)
	}
	closed := 0
	for s.file.Status != workplan.Done {
		s.fake.faults, s.fake.down = closed < 5, closed < 5 && s.rng.IntN(3) == 0
		if s.rng.IntN(3) == 0 { // the command is killed before the file is changed
			s.step(s.close)
		}
		if s.step(s.close) {
			s.file.Status = workplan.Done
		}
		closed++
	}
	if s.rng.IntN(3) == 0 {
		s.step(s.close) // repeated
	}
	for range 10 {
		s.step(s.send)
	}
	s.fake.faults, s.fake.down = false, false
	s.send()
	s.send()
	s.verify()
}

// change is start-task or done-task, or an edit by hand.
func (s *story) change(i int, to workplan.Status) {
	s.file.Tasks[i].Status = to
	if s.rng.IntN(4) == 0 {
		return // killed after the commit, or done by hand: a later command queues it
	}
	s.step(func() {
		s.reconcile()
		if s.rng.IntN(3) > 0 {
			s.sendOnly()
		}
	})
}

func (s *story) close() {
	if err := s.store.Change(func(st *hub.State) { st.Close(s.file, "", "topic") }); err != nil {
		s.Fatal(err)
	}
	s.sendOnly()
}

func (s *story) reconcile() {
	if err := s.store.Change(func(st *hub.State) { st.Reconcile(s.file, false) }); err != nil {
		s.Fatal(err)
	}
}

func (s *story) send() {
	s.reconcile()
	s.sendOnly()
}

func (s *story) sendOnly() {
	c := &hub.Client{Conn: s.fake, Protocol: s.fake.protocol, Store: s.store}
	r := c.Send(s.Context())
	s.unknown += len(r.Unknown)
	if !s.fake.faults && !s.fake.down && (r.Err != nil || len(r.Refused) > 0) {
		s.Fatalf("%+v", r)
	}
}

func (s *story) verify() {
	st, err := s.store.View()
	if err != nil || len(st.Queue) > 0 {
		s.Errorf("left in the queue: %v, %v", st.Queue, err)
	}
	for _, t := range s.file.Tasks {
		if t.HubTask != "" && s.fake.status[t.HubTask] != "done" {
			s.Errorf("%s is %s in the hub", t.ID, s.fake.status[t.HubTask])
		}
	}
	if got := s.fake.status["ws-1"]; !slices.Contains([]string{"done", "finished"}, got) {
		s.Errorf("the workstream is %s", got)
	}
	n := len(s.fake.events)
	if n > 1 || n == 0 && (s.fake.readable || st.Known[milestone(st)] != "unknown") {
		s.Errorf("%d milestones (%v)", n, st.Known)
	}
	if len(s.fake.backwards) > 0 {
		s.Errorf("went backwards: %q", s.fake.backwards)
	}
	c := &hub.Client{Conn: s.fake, Protocol: s.fake.protocol, Store: s.store}
	all, err := c.Compare(s.Context(), s.file)
	want := hub.Equal
	if !s.fake.readable {
		want = hub.Unknown
	}
	if err != nil || hub.VerdictOf(all) != want {
		s.Errorf("compared: %+v, %v", all, err)
	}
}

func milestone(st hub.State) string {
	for key := range st.Known {
		if len(key) > 10 && key[:10] == "milestone:" {
			return key
		}
	}
	return ""
}
