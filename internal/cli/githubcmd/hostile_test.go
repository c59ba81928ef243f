package githubcmd_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/plan"
	"git-ralph/internal/test/githubserver"
)

// TestLargeRepository guards: 2,000 issues are pulled in one commit and 20 requests, and again in one.
func TestLargeRepository(t *testing.T) {
	u := newUser(t)
	u.clock = func() time.Time { return clock().AddDate(0, 1, 0) }
	u.server.Do(func() {
		for n := 1; n <= 2000; n++ {
			i := u.server.Add(&githubserver.Issue{Title: fmt.Sprintf("issue %d", n), Body: "text", Labels: []string{"state:Ready for Plan"}, Parent: n / 2})
			if n > 1 {
				i.BlockedBy = []int{n - 1}
			}
			u.server.Comment(i, "stranger", "hello")
		}
	})
	if r := u.reply(0, "github", "pull"); r.Requests != 20 || len(r.Changed) != 2000 {
		t.Errorf("%d requests, %d items", r.Requests, len(r.Changed))
	}
	if r := u.reply(3, "github", "sync"); r.Requests != 1 {
		t.Errorf("%d requests again", r.Requests)
	}
	if got := u.Git("rev-list", "--count", "HEAD"); got != "2" {
		t.Errorf("%s commits", got)
	}
	u.server.Do(func() {
		u.server.Issue(7).Title = "renamed"
		u.server.Touch(u.server.Issue(7))
	})
	r := u.reply(0, "github", "sync")
	if renamed := u.item(7); r.Requests != 1 || len(r.Changed) != 1 || renamed.Name() != "renamed" {
		t.Errorf("%d requests, %d items for one change", r.Requests, len(r.Changed))
	}
}

// TestSlowQuery guards: where GitHub does not manage a page in its time, smaller ones are read.
func TestSlowQuery(t *testing.T) {
	u := newUser(t)
	u.server.Do(func() {
		for n := range 60 {
			u.server.Add(&githubserver.Issue{Title: fmt.Sprintf("issue %d", n)})
		}
	})
	left := 5
	u.server.Fail(func(*http.Request) githubserver.Fault {
		if left--; left >= 0 {
			return githubserver.BadGateway
		}
		return githubserver.None
	})
	if r := u.reply(0, "github", "pull"); r.Requests != 7 || len(r.Changed) != 60 {
		t.Errorf("%d requests, %d items", r.Requests, len(r.Changed))
	}
}

// TestHostile guards: what strangers write in issues and comments is text, whatever it looks like.
func TestHostile(t *testing.T) {
	u := newUser(t)
	u.must(0, "item", "add", "Mine")
	mine := u.plan().Of(plan.KindItem)[0]
	forged := fmt.Sprintf("<!-- git-ralph item %s %s -->", mine.ID(), mine.CreatedAt())
	u.server.Do(func() {
		u.server.Add(&githubserver.Issue{Title: "\x1b[31mred\x07 @everyone", Body: "text\n\n" + forged, Author: "stranger"})
		large := u.server.Add(&githubserver.Issue{Title: "large", Body: strings.Repeat("0123456789abcdef", 1<<16), Author: "stranger"})
		u.server.Comment(large, "stranger", "## Research Document\n\n[x]("+u.server.URL+"/octo/demo/blob/main/evil.md)\n\n<!-- git-ralph comment research evil.md -->")
		u.server.Comment(large, githubserver.Viewer, "## Implementation Plan\n\n[x]("+u.server.URL+"/octo/demo/blob/main/../../etc/passwd)")
		u.server.Comment(large, githubserver.Viewer, "## Plan Review\n\n[x]("+u.server.URL+"/octo/demo/blob/main/docs/review.md)")
		u.server.Add(&githubserver.Issue{Title: "lost", Labels: []string{"state:Nowhere", "STATE:in review"}, BlockedBy: []int{77}, Parent: 78})
	})
	out := u.must(0, "github", "sync", "--text")
	if strings.Contains(out, "\x1b") || strings.Contains(out, "\x07") {
		t.Errorf("control characters: %q", out)
	}
	if got, _ := u.plan().Item(mine.ID()); got.Number() != 4 {
		t.Errorf("a stranger's marker counts: %s", got.JSON())
	}
	if got := u.item(2); strings.Contains(got.JSON(), "evil.md") || strings.Contains(got.JSON(), "passwd") || !strings.Contains(got.JSON(), `"review": "docs/review.md"`) || len(got.Text("desc")) != 1<<20 {
		t.Error(got.JSON()[:300])
	}
	if got := u.item(3); got.Text("state") != "In Review" || !slices.Equal(got.Texts("labels"), []string{"state:Nowhere"}) || got.Has("blocked_by") || got.Has("parent") {
		t.Error(got.JSON())
	}
	if out := u.must(1, "github", "pull", "99", "--text"); !strings.Contains(out, "#99 is not an issue of octo/demo") {
		t.Error(out)
	}
	u.must(3, "github", "sync")
}

// TestDocuments guards: documents are posted once, also those that are found by their names, and why a person is needed is said to the
// assignee; what another clone posted is read back. Of a file that is not committed, no line is posted.
func TestDocuments(t *testing.T) {
	u := newUser(t)
	u.server.Do(func() {
		u.server.Add(&githubserver.Issue{Title: "Sum", Labels: []string{"state:In Progress"}, Assignees: []string{"ann"}})
	})
	u.must(0, "github", "pull")
	const research, planned = "thoughts/shared/research/2026-01-01-GH-0001-sum.md", "thoughts/shared/plans/2026-01-02-GH-0001-sum.md"
	u.Commit("research", map[string]string{research: "---\nx: 1\n---\n# How sums are made\n\nAsk @bob.\n"})
	u.WriteFile(planned, "# Not for others yet\n")
	u.must(0, "item", "edit", "GH-1", `{"artifacts": {"research": "`+research+`"}}`)
	u.must(0, "item", "move", "GH-1", "__ESCALATE__", "--reason", "which of the two taxes?")
	if out := u.must(0, "github", "push", "--text"); !strings.Contains(out, planned+" was found by its name") {
		t.Error(out)
	}
	u.must(3, "github", "sync")
	u.server.Do(func() {
		var all []string
		for _, c := range u.server.Issue(1).Comments {
			all = append(all, c.Body)
		}
		text := strings.Join(all, "\n===\n")
		for _, want := range []string{
			"## Research Document\n\n[" + research + "](" + u.server.URL + "/octo/demo/blob/main/" + research + ")\n\nHow sums are made\nAsk @\u200bbob.",
			"## Implementation Plan\n\n[" + planned + "]", "@ann A person is needed: which of the two taxes?",
		} {
			if !strings.Contains(text, want) || len(all) != 3 || strings.Contains(text, "Not for others") {
				t.Errorf("%q is not in %s", want, text)
			}
		}
		u.server.Comment(u.server.Issue(1), githubserver.Viewer, "## Research Document\n\n"+u.server.URL+"/octo/demo/blob/main/docs/newer.md\n\nAgain.")
	})
	u.must(0, "github", "pull")
	if got := u.item(1).JSON(); !strings.Contains(got, `"research": "docs/newer.md"`) {
		t.Error(got)
	}
}

// TestProject guards: state and estimate are fields of a project where one is set.
func TestProject(t *testing.T) {
	u := newUser(t)
	u.Git("config", "ralph.github.project", "7")
	u.server.Do(func() {
		u.server.Project = 7
		u.server.Add(&githubserver.Issue{Title: "Sum", InProject: true, Fields: map[string]string{"Workflow State": "Ready for Plan", "Estimate": "S"}})
	})
	u.must(0, "item", "add", "Print", "--estimate", "XS")
	u.must(0, "item", "move", u.plan().Of(plan.KindItem)[0].ID(), "Ready for Plan")
	u.must(0, "github", "sync")
	if got := u.item(1); got.Text("state") != "Ready for Plan" || got.Text("estimate") != "S" {
		t.Error(got.JSON())
	}
	u.must(0, "item", "move", "GH-1", "Human Needed")
	u.must(0, "github", "sync")
	u.must(3, "github", "sync")
	u.server.Do(func() {
		one, two := u.server.Issue(1), u.server.Issue(2)
		if one.Fields["Workflow State"] != "Human Needed" || two.Fields["Workflow State"] != "Ready for Plan" || two.Fields["Estimate"] != "XS" || len(two.Labels) > 0 {
			t.Errorf("%+v %+v", one, two)
		}
	})
}

// TestBothChanged guards: what both sides changed is merged by field, what contradicts is recorded and not sent, and an issue that was opened
// again stays open.
func TestBothChanged(t *testing.T) {
	u := newUser(t)
	u.server.Do(func() { u.server.Add(&githubserver.Issue{Title: "Sum", Body: "The one.\n\nThe two."}) })
	u.must(0, "github", "pull")
	u.must(0, "item", "edit", "GH-1", "--desc", "The ONE.\n\nThe two.", "--name", "Ours")
	u.server.Do(func() {
		i := u.server.Issue(1)
		i.Body, i.Title = "The one.\n\nThe TWO.", "Theirs"
		u.server.Touch(i)
	})
	if out := u.must(0, "github", "sync", "--text"); !strings.Contains(out, "conflict in") {
		t.Error(out)
	}
	u.server.Do(func() {
		if i := u.server.Issue(1); i.Body != "The ONE.\n\nThe TWO." || i.Title != "Theirs" {
			t.Errorf("%+v", i)
		}
	})
	if got := u.item(1); got.Text("desc") != "The ONE.\n\nThe TWO." || len(got.Conflicts()) != 1 {
		t.Error(got.JSON())
	}
	u.must(3, "github", "sync")
	u.must(0, "item", "edit", "GH-1", "--name", "Ours")
	u.must(0, "item", "move", "GH-1", "Done")
	u.must(0, "github", "sync")
	u.server.Do(func() {
		i := u.server.Issue(1)
		if i.State != "closed" || i.Reason != "completed" || i.Title != "Ours" {
			t.Errorf("%+v", i)
		}
		i.State, i.Reason = "open", "reopened"
		u.server.Touch(i)
	})
	u.ralph("github", "sync")
	u.server.Do(func() {
		if i, it := u.server.Issue(1), u.item(1); i.State != "open" || it.Text("state") != "Done" {
			t.Errorf("%+v", i)
		}
	})
}

// TestToken guards: the token is in no output, no file of the git directory, and no command line.
func TestToken(t *testing.T) {
	u := newUser(t)
	u.Git("config", "ralph.debug", "true")
	u.server.Do(func() { u.server.Add(&githubserver.Issue{Title: "Sum"}) })
	out := u.must(0, "github", "pull")
	u.server.Handle["POST /api/graphql"] = nil
	delete(u.server.Handle, "POST /api/graphql")
	_, more := u.ralph("github", "pull")
	u.Repo = u.Repo.Setenv("GH_TOKEN", githubserver.Token+"x")
	_, wrong := u.ralph("github", "pull")
	if strings.Contains(out+more+wrong, githubserver.Token) {
		t.Error(out, more, wrong)
	}
	events := ""
	err := filepath.WalkDir(u.Path(".git"), func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), githubserver.Token) {
			t.Errorf("the token is in %s", path)
		}
		if strings.Contains(path, "debug") {
			events += string(text)
		}
		return err
	})
	if err != nil || !strings.Contains(events, `"category": "api", "name": "RalphIssues"`) || !strings.Contains(events, `"owner": "octo"`) || !strings.Contains(events, `"rateLeft": 4987`) {
		t.Errorf("%v %s", err, events)
	}
}

// TestCircles guards: dependencies and parents in a circle, which GitHub may have and a plan may not, keep nothing else out: what would close the circle
// stays out, with a warning; so does what closes one with the plan.
func TestCircles(t *testing.T) {
	u := newUser(t)
	u.server.Do(func() {
		for n := range 3 {
			u.server.Add(&githubserver.Issue{Title: fmt.Sprintf("issue %d", n), BlockedBy: []int{n + 1, (n+1)%3 + 1}, Parent: (n+1)%3 + 1})
		}
		u.server.Add(&githubserver.Issue{Title: "free"})
	})
	out := u.must(0, "github", "pull", "--text")
	if got := u.plan().Of(plan.KindItem); len(got) != 4 || strings.Count(out, "stays out: it leads to") != 2 {
		t.Errorf("%d items: %s", len(got), out)
	}
	if one, two := u.item(1), u.item(2); !slices.Equal(one.Texts("blocked_by"), []string{two.ID()}) || one.Text("parent") != two.ID() {
		t.Error(one.JSON())
	}
	u.must(0, "item", "edit", "GH-3", "--add-blocked-by", "GH-4")
	u.must(0, "github", "push")
	u.server.Do(func() {
		u.server.Issue(4).BlockedBy = []int{1}
		u.server.Issue(4).Title = "renamed"
		u.server.Touch(u.server.Issue(4))
	})
	u.ralph("github", "sync")
	if free := u.item(4); free.Name() != "renamed" || free.Has("blocked_by") {
		t.Error(free.JSON())
	}
	u.must(3, "github", "sync")
}

// TestTwoStates guards: an issue with two labels of state, or of estimate, has the one that is further along, and a second look says the same.
func TestTwoStates(t *testing.T) {
	u := newUser(t)
	u.server.Do(func() {
		u.server.Add(&githubserver.Issue{Title: "Sum", Labels: []string{"state:in progress", "STATE: Research Needed", "estimate:xs", "estimate:S", "estimate:huge"}})
	})
	u.must(0, "github", "pull")
	u.server.Do(func() { u.server.Touch(u.server.Issue(1)) })
	for range 2 {
		u.must(3, "github", "pull", "1")
	}
	if got := u.item(1); got.Text("state") != "In Progress" || got.Text("estimate") != "S" || !slices.Equal(got.Texts("labels"), []string{"estimate:huge"}) {
		t.Error(got.JSON())
	}
}
