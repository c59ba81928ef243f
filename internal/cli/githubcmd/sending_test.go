package githubcmd_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/test/githubserver"
)

// TestTakenBack guards: what somebody takes back in the plan, after a push that sent it was killed before it was recorded, stays taken back, and is
// taken back at GitHub.
func TestTakenBack(t *testing.T) {
	u := newUser(t)
	u.server.Do(func() {
		u.server.Add(&githubserver.Issue{Title: "Sum", Body: "text", Labels: []string{"state:In Progress", "estimate:S", "shop"}})
	})
	u.must(0, "github", "pull")
	u.must(0, "item", "edit", "GH-1", "--name", "Wrong", "--desc", "wrong", "--estimate", "M", "--add-label", "wrong", "--remove-label", "shop")
	u.must(0, "item", "move", "GH-1", "In Review")
	before := u.Git("rev-parse", "HEAD")
	u.server.Fail(func(r *http.Request) githubserver.Fault {
		if r.Method == http.MethodPatch { // as a kill after all was sent: nothing is recorded
			return githubserver.DropAfter
		}
		return githubserver.None
	})
	u.ralph("github", "push")
	u.server.Fail(nil)
	if u.Git("rev-parse", "HEAD") != before {
		t.Fatal("it was recorded")
	}
	u.must(0, "item", "edit", "GH-1", "--name", "Sum", "--desc", "text", "--estimate", "S", "--add-label", "shop", "--remove-label", "wrong")
	u.must(0, "item", "move", "GH-1", "In Progress")
	u.must(0, "github", "sync")
	u.must(3, "github", "sync")
	u.server.Do(func() {
		i := u.server.Issue(1)
		slices.Sort(i.Labels)
		if got := i.Title + "|" + i.Body + "|" + strings.Join(i.Labels, "|"); got != "Sum|text|estimate:S|shop|state:In Progress" {
			t.Error(got)
		}
	})
	if item := u.item(1); item.Name() != "Sum" || item.Text("desc") != "text" || item.Text("state") != "In Progress" || item.Text("estimate") != "S" || !slices.Equal(item.Texts("labels"), []string{"shop"}) || len(item.Conflicts()) > 0 {
		t.Error(item.JSON())
	}
}
