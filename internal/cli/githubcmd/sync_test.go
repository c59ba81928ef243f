package githubcmd_test

import (
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/test/githubserver"
)

// TestPull guards: open issues become items, with what they say; pulling again changes nothing and asks once.
func TestPull(t *testing.T) {
	u := newUser(t)
	u.server.Do(func() {
		u.server.Add(&githubserver.Issue{Title: "Epic", Labels: []string{"shop"}})
		u.server.Add(&githubserver.Issue{
			Title: "Sum the basket", Body: "All of it.\r\n\r\nWith tax.", Labels: []string{"state:Ready for Plan", "estimate:S", "shop"}, Parent: 1, Assignees: []string{"ann"},
		})
		u.server.Add(&githubserver.Issue{Title: "Print it", BlockedBy: []int{2}})
		u.server.Add(&githubserver.Issue{Title: "Old", State: "closed", Reason: "completed"})
	})
	u.must(0, "github", "pull")
	if got := len(u.plan().Of(plan.KindItem)); got != 3 {
		t.Fatalf("%d items: %s", got, u.ReadFile("ralph/plan.jsonl"))
	}
	sum, print := u.item(2), u.item(3)
	if sum.Name() != "Sum the basket" || sum.Text("desc") != "All of it.\n\nWith tax." || sum.Text("state") != "Ready for Plan" || sum.Text("estimate") != "S" ||
		sum.Text("parent") != u.item(1).ID() || !slices.Equal(sum.Texts("labels"), []string{"shop"}) || !strings.Contains(sum.JSON(), `"assignee": "ann"`) {
		t.Error(sum.JSON())
	}
	if !slices.Equal(print.Texts("blocked_by"), []string{sum.ID()}) || print.Text("state") != "Backlog" {
		t.Error(print.JSON())
	}
	if commits := u.Git("rev-list", "--count", "HEAD"); commits != "2" {
		t.Errorf("%s commits", commits)
	}
	u.server.Requests()
	u.must(3, "github", "pull")
	u.must(3, "github", "push")
	if got := u.server.Requests(); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// TestPush guards: an item gets an issue, and what changes in the plan is changed there, once; nothing that the plan does not have is lost.
func TestPush(t *testing.T) {
	u := newUser(t)
	u.must(0, "item", "add", "Sum the basket", "--number", "1")
	u.server.Do(func() {
		u.server.Add(&githubserver.Issue{Title: "Sum the basket", Body: "x", Labels: []string{"theirs"}})
	})
	u.must(0, "item", "add", "Epic", "--state", "Backlog")
	epic := u.plan().Of(plan.KindItem)
	id := epic[slices.IndexFunc(epic, func(r plan.Record) bool { return r.Name() == "Epic" })].ID()
	u.must(0, "item", "edit", "GH-1", "--estimate", "M", "--parent", id)
	u.must(0, "item", "add", "Print", "--blocked-by", "GH-1", "--label", "ours")
	u.must(0, "item", "move", "GH-1", "Research Needed")
	out := u.must(0, "github", "push", "--text")
	for range 2 {
		u.must(3, "github", "sync")
	}
	u.server.Do(func() {
		if len(u.server.Issues) != 3 {
			t.Fatalf("%d issues: %s", len(u.server.Issues), out)
		}
		sum, epic, print := u.server.Issue(1), u.server.Issue(2), u.server.Issue(3)
		if epic.Title != "Epic" {
			epic, print = print, epic
		}
		if sum.Parent != epic.Number || !slices.Equal(print.BlockedBy, []int{1}) || !slices.Equal(print.Labels, []string{"ours"}) ||
			!slices.Equal(sum.Labels, []string{"theirs", "state:Research Needed", "estimate:M"}) {
			t.Errorf("%+v\n%+v\n%+v", sum, epic, print)
		}
	})
	if item := u.item(1); item.Text("desc") != "x" || !slices.Contains(item.Texts("labels"), "theirs") {
		t.Error(item.JSON())
	}
	u.must(0, "item", "edit", "GH-1", "--name", "Sum", "--desc", "y")
	u.must(0, "item", "move", "GH-1", "Ready for Plan")
	u.must(0, "github", "push")
	u.server.Do(func() {
		if i := u.server.Issue(1); i.Title != "Sum" || i.Body != "y" || !slices.Contains(i.Labels, "state:Ready for Plan") || slices.Contains(i.Labels, "state:Research Needed") {
			t.Errorf("%+v", i)
		}
	})
}

// TestNoRepository guards: without a repository at GitHub there is a clear error, and nothing is sent.
func TestNoRepository(t *testing.T) {
	u := newUser(t)
	u.Git("config", "--unset", "ralph.github.owner")
	for _, name := range []string{"pull", "push", "sync"} {
		if out := u.must(1, "github", name); !strings.Contains(out, "no repository at GitHub is known") || !strings.Contains(out, "hint: ") {
			t.Error(out)
		}
	}
	if got := u.server.Requests(); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
