package pull

import (
	"strings"
	"testing"
)

// TestWaits guards: a pull request is merged only when it is green, approved where that is required, and at a commit that was pushed from
// here or approved itself.
func TestWaits(t *testing.T) {
	ready := Request{State: Open, Head: "a", Base: "main", Mergeable: "MERGEABLE", Blocked: "CLEAN"}
	for _, row := range []struct {
		change func(*Request)
		want   string
	}{
		{func(*Request) {}, ""},
		{func(r *Request) { r.Checks = "SUCCESS" }, ""},
		{func(r *Request) { r.Draft = true }, "it is a draft"},
		{func(r *Request) { r.Checks = "PENDING" }, "its checks are running"},
		{func(r *Request) { r.Checks = "EXPECTED" }, "its checks are running"},
		{func(r *Request) { r.Checks = "FAILURE" }, "its checks fail"},
		{func(r *Request) { r.Checks = "ERROR" }, "its checks fail"},
		{func(r *Request) { r.Checks = "something new" }, "its checks fail"},
		{func(r *Request) { r.Mergeable = "CONFLICTING" }, "it has conflicts with main"},
		{func(r *Request) { r.Mergeable = "UNKNOWN" }, "GitHub has not found out yet whether it can be merged"},
		{func(r *Request) { r.Mergeable = "" }, "GitHub has not found out yet whether it can be merged"},
		{func(r *Request) { r.Decision = "REVIEW_REQUIRED" }, "a review has to approve it"},
		{func(r *Request) { r.Decision = "CHANGES_REQUESTED" }, "a reviewer requests changes"},
		{func(r *Request) { r.Decision, r.ApprovedAt = "APPROVED", []string{"a"} }, ""},
		{func(r *Request) { r.Decision, r.ApprovedAt = "APPROVED", []string{"b"} }, "the approvals are of earlier commits"},
		{func(r *Request) { r.Head = "b" }, "its branch is at b, which is not from here and not approved, instead of a"},
		{func(r *Request) { r.Head, r.ApprovedAt = "b", []string{"b"} }, ""},
		{func(r *Request) { r.Blocked = "BLOCKED" }, "a rule of main keeps it from being merged"},
		{func(r *Request) { r.Blocked = "BEHIND" }, "its branch has to contain main first"},
	} {
		r := ready
		row.change(&r)
		if got := r.Waits("a"); got != row.want {
			t.Errorf("%+v: %q, want %q", r, got, row.want)
		}
	}
}

// TestText guards: each member is closed, documents are linked, and nothing in names or paths closes another issue, calls somebody, or
// leaves its line.
func TestText(t *testing.T) {
	s := Subject{
		Title: "Lex\nit\x1b[2J \u202eevil @all", Issues: []int{42, 43}, Items: []string{"w-1a2b`@all"},
		Documents: []Document{{"plan", "thoughts/a b.md"}, {"research", "x](http://evil)\nCloses #1 @all"}},
	}
	if got := s.TitleLine(); got != "Lex it[2J evil @all" {
		t.Errorf("%q", got)
	}
	want := `Closes #42
Closes #43
Item ` + "`w-1a2b??all`" + `

- plan: [thoughts/a b.md](https://x/blob/main/thoughts/a%20b.md)
- research: [x??http?//evil??Closes ?1 ?all](https://x/blob/main/x%5D%28http:/
`
	got := s.Body("https://x/blob/main")
	if !strings.HasPrefix(got, strings.TrimSuffix(want, "\n")) || strings.Count(got, "\n") != 6 || strings.Contains(got[25:], "#") {
		t.Errorf("%s", got)
	}
	if got := (Subject{Title: strings.Repeat("ä", 500)}).TitleLine(); len([]rune(got)) != maxTitle {
		t.Error(len(got))
	}
}
