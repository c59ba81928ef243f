package plan

import "testing"

// A task that is both done and killed becomes pending with the next change of the plan, whatever that is; a change that
// changes nothing leaves it.
func TestKilledAndDoneIsReset(t *testing.T) {
	both := doneLine("t-a", `"kill": "timeout"`, `"kill_log": "12/3.log"`, `"x": 1.0`)
	p := read(t, specLine, both, taskLine("t-b"))
	if c, err := p.SetSpec("a.md"); err == nil && !c.Empty() {
		t.Fatalf("the same spec changed %v", c.Events)
	}
	if task, _ := p.Task("t-a"); !task.Done() {
		t.Error("a change of nothing reset the task")
	}
	c, err := p.Done([]string{"t-b"}, DoneOptions{Head: "0123456789ab"}, testStamp())
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Events) != 2 || c.Events[0].Name != EventReopened || c.Events[0].ID != "t-a" || c.Events[1].Name != EventDone {
		t.Errorf("events %v, want reopened t-a and done t-b", c.Events)
	}
	task, _ := p.Task("t-a")
	if !task.Pending() || task.Has("done_at") || task.Text("kill") != "timeout" || task.Text("kill_log") != "12/3.log" {
		t.Errorf("the task is %s", task.JSON())
	}
	if got, _ := task.Get("x"); got != "1.0" {
		t.Errorf("an unknown member became %s", got)
	}
	killed := read(t, specLine, both)
	refuses(t, killed, func() (Change, error) { return killed.Accept([]string{"t-a"}) }, "t-a is pending, not done")
}

// Reasons are one whatever their case and white space are.
func TestRejectedForOneReason(t *testing.T) {
	p := read(t, specLine,
		`{"t": "reject", "id": "t-a", "done_at": "", "reason": "No test"}`,
		`{"t": "reject", "id": "t-b", "done_at": "", "reason": "no  test\n"}`,
		`{"t": "reject", "id": "t-b", "done_at": "", "reason": "no tests"}`,
	)
	if n := p.CountRejections("no test"); n != 2 {
		t.Errorf("%d rejections, want 2", n)
	}
}
