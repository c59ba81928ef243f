package githubcmd_test

import (
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/test/githubserver"
)

// TestPullsAreNoIssues guards: a pull request never becomes an item, in whatever way it is found.
func TestPullsAreNoIssues(t *testing.T) {
	u := newUser(t)
	u.server.Do(func() {
		u.server.Add(&githubserver.Issue{Title: "Sum"})
		u.server.Add(&githubserver.Issue{Title: "Fix the sum", IsPull: true, Labels: []string{"shop"}})
	})
	u.must(0, "github", "pull", "--query", "sum")
	u.must(3, "github", "pull", "--label", "shop")
	u.must(3, "github", "sync")
	if out := u.must(1, "github", "pull", "2", "--text"); !strings.Contains(out, "#2 is not an issue of octo/demo: it does not exist, was moved, or is a pull request") {
		t.Error(out)
	}
	if got := u.plan().Of(plan.KindItem); len(got) != 1 || got[0].Number() != 1 {
		t.Error(u.ReadFile("ralph/plan.jsonl"))
	}
}

// TestGone guards: the item of an issue that was deleted, or moved to another repository, stays as it is, with a warning that names it; nothing of it is
// sent anywhere, and the other items are sent.
func TestGone(t *testing.T) {
	u := newUser(t)
	u.server.Do(func() {
		for _, title := range []string{"deleted", "moved", "stays"} {
			u.server.Add(&githubserver.Issue{Title: title})
		}
	})
	u.must(0, "github", "pull")
	u.server.Do(func() {
		u.server.Issue(1).Gone, u.server.Issue(2).Gone = githubserver.Deleted, githubserver.Transferred
	})
	for _, n := range []string{"GH-1", "GH-2", "GH-3"} {
		u.must(0, "item", "edit", n, "--desc", "new")
	}
	out := u.must(0, "github", "sync", "--text")
	for _, want := range []string{"GH-1 is not an issue of octo/demo any more", "GH-2 is not an issue of octo/demo any more"} {
		if strings.Count(out, want) != 1 {
			t.Errorf("%q: %s", want, out)
		}
	}
	u.server.Do(func() {
		if len(u.server.Issues) != 3 || u.server.Issue(1).Body+u.server.Issue(2).Body != "" || u.server.Issue(3).Body != "new" {
			t.Errorf("%+v", u.server.Issues)
		}
	})
	if one := u.item(1); len(u.plan().Of(plan.KindItem)) != 3 || one.Text("desc") != "new" {
		t.Error(u.ReadFile("ralph/plan.jsonl"))
	}
}

// TestGoneMeanwhile guards: an issue that leaves between the reading and what is sent is reported, and what was to be sent goes nowhere else.
func TestGoneMeanwhile(t *testing.T) {
	for _, way := range []githubserver.Going{githubserver.Deleted, githubserver.Transferred} {
		u := newUser(t)
		u.server.Do(func() {
			u.server.Add(&githubserver.Issue{Title: "one"})
			u.server.Add(&githubserver.Issue{Title: "two"})
		})
		u.must(0, "github", "pull")
		u.must(0, "item", "edit", "GH-1", "--desc", "new", "--add-label", "x")
		u.must(0, "item", "edit", "GH-2", "--desc", "new")
		u.server.FailOnce(1, githubserver.None, func() { u.server.Issue(1).Gone = way })
		out := u.must(1, "github", "push", "--text")
		u.server.Do(func() {
			if one, two := u.server.Issue(1), u.server.Issue(2); one.Body != "" || len(one.Labels) > 0 || two.Body != "new" || !strings.Contains(out, "GH-1: GitHub answered") {
				t.Errorf("%+v %+v %s", one, two, out)
			}
		})
	}
}

// TestOtherRepositories guards: a parent and dependencies in other repositories are no items, whatever their numbers are, and stay there.
func TestOtherRepositories(t *testing.T) {
	u := newUser(t)
	u.server.Do(func() {
		u.server.Add(&githubserver.Issue{Title: "Epic"})
		u.server.Add(&githubserver.Issue{Title: "Sum", Parent: 1, OtherParent: "octo/other", OtherBlockers: []string{"mallory/demo"}})
	})
	u.must(0, "github", "pull")
	if got := u.item(2); got.Has("parent") || got.Has("blocked_by") {
		t.Error(got.JSON())
	}
	u.must(0, "item", "edit", "GH-2", "--add-blocked-by", "GH-1")
	u.must(0, "github", "sync")
	u.must(3, "github", "sync")
	u.server.Do(func() {
		if i := u.server.Issue(2); i.OtherParent != "octo/other" || !slices.Equal(i.BlockedBy, []int{1}) || len(i.OtherBlockers) != 1 {
			t.Errorf("%+v", i)
		}
	})
	epic, sum := u.item(1), u.item(2)
	if got := sum.Texts("blocked_by"); !slices.Equal(got, []string{epic.ID()}) {
		t.Error(got)
	}
}
