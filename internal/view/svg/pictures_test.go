package svg

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/history/record"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/view"
)

// exampleTask is a task of the plan that the pictures of docs/views.md show.
type exampleTask struct {
	id, name, state, deps string
	hours                 []int // after the beginning, of its events: added, done, accepted
}

func exampleTasks() []exampleTask {
	return []exampleTask{
		{"t-4c1d", "Choose the file format", "accepted", "", []int{0, 6, 8}},
		{"t-7f20", "Read the file in one pass", "accepted", "", []int{0, 14, 21}},
		{"t-1a2b", "Write the parser", "d", "", []int{1, 26}},
		{"t-3b9e", "Report errors with line and column", "p", "t-1a2b", []int{1}},
		{"t-5d08", "Fuzz the parser", "p", "t-1a2b", []int{2}},
		{"t-62aa", "Merge two plans record by record, and field by field where both sides changed one", "p", "t-1a2b", []int{2}},
		{"t-8e11", "日本語の名前を正しい幅で表示する", "p", "t-3b9e", []int{9}},
		{"t-9c3f", "Write the manual", "p", "t-3b9e t-62aa t-5d08", []int{9}},
		{"t-a0b7", "Release 1.0", "p", "t-9c3f t-8e11", []int{9}},
		{"t-b2c4", "Update the dependencies", "p", "", []int{18}},
	}
}

// exampleData returns the plan of the pictures, with its history.
func exampleData(t *testing.T) *view.Data {
	began := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	h := &fold.History{}
	var lines []string
	for i, it := range exampleTasks() {
		deps := ""
		if it.deps != "" {
			deps = `"` + strings.ReplaceAll(it.deps, " ", `", "`) + `"`
		}
		state := it.state
		if state == "accepted" {
			state = "d"
		}
		line := fmt.Sprintf(`{"t": "task", "id": %q, "spec": "parser.md", "name": %q, "deps": [%s], "s": %q, "created_at": "2026-03-02T09:00:%02dZ"}`, it.id, it.name, deps, state, i)
		one, _ := plan.Decode(line + "\n")
		life := &fold.Life{Kind: plan.KindTask, ID: it.id, Name: it.name, Spec: "parser.md", Record: one.Records()[0], Status: fold.Pending}
		for n, name := range []plan.EventName{plan.EventAdded, plan.EventDone, plan.EventAccepted}[:len(it.hours)] {
			at := began.Add(time.Duration(it.hours[n]) * time.Hour)
			author := []string{"ann@example.com", "bob@example.com"}[(i+n)%2]
			e := &fold.Event{Event: &record.Event{Name: name, Kind: plan.KindTask, ID: it.id}, Life: life, InHead: true, Date: at, Time: at.Unix(), Author: author}
			life.Events, h.Events = append(life.Events, e), append(h.Events, e)
		}
		life.Status = []fold.Status{fold.Pending, fold.Done, fold.Accepted}[len(it.hours)-1]
		h.Lives = append(h.Lives, life)
		if it.state != "accepted" {
			lines = append(lines, line)
		}
	}
	p, problems := plan.Decode(strings.Join(lines, "\n") + "\n")
	if !problems.Readable() {
		t.Fatal(problems)
	}
	return &view.Data{
		Moment: began.Add(32 * time.Hour), Plan: p, Schedule: schedule.Of(p), History: h, Commit: git.Hash{},
		Claims: map[string]claim.Held{"t-3b9e": {Claim: claim.Claim{Worker: "ann"}}},
	}
}

// TestPicturesOfDocuments guards: the pictures of docs/views.md are what the program draws. GIT_RALPH_PICTURES=1 draws them anew.
func TestPicturesOfDocuments(t *testing.T) {
	d := exampleData(t)
	for name, picture := range map[string]string{
		"graph":    Graph(d.Graph(view.GraphOptions{Left: true}), Options{}),
		"burndown": Burndown(d.Burndown("", time.Time{}, time.Time{}), Options{}),
		"timeline": Timeline(d.Timeline(view.TimelineOptions{By: view.ByTask}), Options{}),
	} {
		checkPicture(t, picture)
		if len(picture) > 30_000 {
			t.Errorf("%s has %d bytes", name, len(picture))
		}
		path := filepath.Join("..", "..", "..", "docs", "pictures", name+".svg")
		if os.Getenv("GIT_RALPH_PICTURES") != "" {
			if err := os.WriteFile(path, []byte(picture), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := os.ReadFile(path); err != nil || string(kept) != picture {
			t.Errorf("%s is not what is drawn (%v): GIT_RALPH_PICTURES=1 go test ./internal/view/svg", path, err)
		}
	}
}

// TestHostileLanes guards: names and addresses of a timeline cannot do more than those of a graph, and a burst is one mark.
func TestHostileLanes(t *testing.T) {
	began := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	h := &fold.History{}
	for i := range 10_000 {
		text := hostile()[i%len(hostile())]
		life := &fold.Life{Kind: plan.KindTask, ID: fmt.Sprintf("t-%d%s", i, text), Name: text, Status: fold.Pending}
		e := &fold.Event{Event: &record.Event{Name: plan.EventAdded}, Life: life, InHead: true, Date: began.Add(time.Duration(i) * time.Second), Author: text}
		life.Events, h.Lives, h.Events = []*fold.Event{e}, append(h.Lives, life), append(h.Events, e)
	}
	p := &plan.Plan{}
	d := &view.Data{Moment: began.Add(4 * time.Hour), Plan: p, Schedule: schedule.Of(p), History: h}
	for _, by := range []view.LaneBy{view.ByTask, view.ByPerson} {
		picture := Timeline(d.Timeline(view.TimelineOptions{By: by, Limit: 30}), Options{})
		checkPicture(t, picture)
		if len(picture) > 60_000 {
			t.Errorf("%s: %d bytes", by, len(picture))
		}
	}
}

// What happened to the spec, which is no record and has no name, is marked as what happens to tasks is; bars are of persons.
func TestSpecHasMarks(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	lanes := []view.Lane{{ID: "spec.md", Events: 1, Marks: []view.Mark{{What: plan.EventEdited, Count: 1, At: at}}}}
	for by, bars := range map[view.LaneBy]bool{view.ByTask: false, view.ByPerson: true} {
		picture := Timeline(view.Timeline{By: by, From: at, Until: at.Add(time.Hour), Lanes: lanes, Events: 1, Counts: make([]int, view.TimelineBuckets)}, Options{})
		if got := strings.Contains(picture, "area bars"); got != bars {
			t.Errorf("by %s: bars: %v", by, got)
		}
	}
}
