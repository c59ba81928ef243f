package githubcmd_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/test/githubserver"
)

// atOnce stands before a server, and holds the first create of each of two clones until both are there: both have looked for the issue then.
func atOnce(t *testing.T, clones [2]*user) {
	at, err := url.Parse(clones[0].server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	both.Add(2)
	for _, u := range clones {
		var first sync.Once
		forward := httputil.NewSingleHostReverseProxy(at)
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/issues") {
				first.Do(func() {
					both.Done()
					both.Wait()
				})
			}
			forward.ServeHTTP(w, r)
		}))
		t.Cleanup(proxy.Close)
		u.Git("config", "ralph.github.host", proxy.URL)
	}
}

// TestTwins guards: of the issues that two clones make for one item at the same moment, both take the lowest; the other one is closed as its
// duplicate, once, and what somebody wrote there meanwhile comes into the item.
func TestTwins(t *testing.T) {
	clones := newStorm(t, 1).clones
	server := clones[0].server
	server.Do(func() { server.Issues = nil })
	const items = 3
	for n := range items {
		clones[0].must(0, "item", "add", fmt.Sprintf("item %d", n), "--desc", "text", "--label", "own")
	}
	clones[0].Git("push", "-q")
	clones[1].Git("pull", "-q")
	atOnce(t, clones)
	var both sync.WaitGroup
	for _, u := range clones {
		both.Go(func() {
			if code, out := u.ralph("github", "push"); code != 0 {
				t.Errorf("exit %d: %s", code, out)
			}
		})
	}
	both.Wait()
	server.Do(func() {
		if len(server.Issues) <= items {
			t.Fatalf("%d issues: there were no twins", len(server.Issues))
		}
	})
	checkTwins(t, clones, items)
	if a, b := numbers(clones[0].plan()), numbers(clones[1].plan()); !slices.Equal(a, b) {
		t.Errorf("%v, and %v in the other clone", a, b)
	}
}

func numbers(p *plan.Plan) (all []string) {
	for _, item := range p.Of(plan.KindItem) {
		all = append(all, fmt.Sprintf("%s %d", item.ID(), item.Number()))
	}
	return all
}

// checkTwins looks at the issues at GitHub after both clones are at rest.
func checkTwins(t *testing.T, clones [2]*user, items int) {
	t.Helper()
	for range 2 {
		for _, u := range clones {
			u.ralph("github", "sync")
		}
	}
	for n, u := range clones {
		u.must(3, "github", "sync")
		if len(u.plan().Of(plan.KindItem)) != items {
			t.Errorf("clone %d: %s", n, u.ReadFile("ralph/plan.jsonl"))
		}
	}
	clones[0].server.Do(func() {
		first := map[string]int{}
		for _, i := range clones[0].server.Issues {
			switch of := first[i.Title]; {
			case of == 0:
				if first[i.Title] = i.Number; i.State != "open" || len(i.Comments) > 0 {
					t.Errorf("the first one: %+v", i)
				}
			case i.State != "closed" || i.Reason != "duplicate" || len(i.Comments) != 1 || !strings.HasPrefix(i.Comments[0].Body, fmt.Sprintf("Duplicate of #%d\n", of)):
				t.Errorf("%+v", i)
			}
		}
	})
}

// TestTwinOfKilled guards: a twin that its maker never closed is closed by the next who syncs; what was written there is kept; a copy that
// somebody made, and a twin that somebody opened again, stay open.
func TestTwinOfKilled(t *testing.T) {
	u := newUser(t)
	u.must(0, "item", "add", "Sum", "--desc", "text")
	u.must(0, "github", "push")
	s := u.server
	copied := func(title string) (twin *githubserver.Issue) {
		s.Do(func() {
			twin = s.Add(&githubserver.Issue{Title: title, Body: s.Issue(1).Body, Labels: []string{title}, Assignees: []string{"ann"}})
		})
		return twin
	}
	twin := copied("Sum")
	s.Do(func() {
		s.Comment(twin, "stranger", "me too")
		twin.Body = "text, and more" + strings.TrimPrefix(twin.Body, "text")
		s.Touch(twin)
	})
	copied("Subtract")
	s.FailOnce(3, githubserver.BadGateway, func() {}) // the comment
	u.ralph("github", "sync")
	u.ralph("github", "sync")
	u.must(3, "github", "sync")
	item := u.item(1)
	if len(u.plan().Of(plan.KindItem)) != 1 || !slices.Contains(item.Texts("labels"), "Sum") || !strings.Contains(item.JSON(), `"assignee": "ann"`) ||
		!strings.Contains(item.JSON(), "text, and more") {
		t.Error(item.JSON())
	}
	s.Do(func() {
		if twin.State != "closed" || len(twin.Comments) != 2 || s.Issue(3).State != "open" || !slices.Contains(s.Issue(1).Labels, "Sum") {
			t.Errorf("%+v %+v %+v", s.Issue(1), twin, s.Issue(3))
		}
		twin.State, twin.Reason = "open", "reopened"
		s.Touch(twin)
	})
	if out := u.must(3, "github", "sync"); !strings.Contains(out, "it stays out") {
		t.Error(out)
	}
	s.Do(func() {
		if twin.State != "open" || len(twin.Comments) != 2 {
			t.Errorf("%+v", twin)
		}
	})
}

// TestTwinNumbers guards: where both clones had recorded their own number, they agree on the lowest once their plans are merged.
func TestTwinNumbers(t *testing.T) {
	u := newUser(t)
	u.must(0, "item", "add", "Sum", "--desc", "text")
	u.server.Do(func() {
		id, at := u.plan().Of(plan.KindItem)[0].ID(), u.plan().Of(plan.KindItem)[0].CreatedAt()
		for range 2 {
			u.server.Add(&githubserver.Issue{Title: "Sum", Body: fmt.Sprintf("text\n\n<!-- git-ralph item %s %s -->", id, at)})
		}
	})
	u.must(0, "item", "edit", u.plan().Of(plan.KindItem)[0].ID(), `{"number": 2}`)
	u.must(0, "github", "sync")
	u.must(3, "github", "sync")
	if got := u.item(1); got.Text("url") != u.server.URL+"/octo/demo/issues/1" || len(got.Conflicts()) > 0 {
		t.Error(got.JSON())
	}
	u.server.Do(func() {
		if one, two := u.server.Issue(1), u.server.Issue(2); one.State != "open" || two.Reason != "duplicate" {
			t.Errorf("%+v %+v", one, two)
		}
	})
}
