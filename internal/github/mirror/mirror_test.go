package mirror_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/github/mirror"
	"git-ralph/internal/plan"
)

// planWith returns a plan with one item, which agreed with issue 1 at second 5.
func planWith(t *testing.T, state, agreed string) *plan.Plan {
	p, problems := plan.Decode(fmt.Sprintf(`{"t": "item", "id": "w-1", "number": 1, "name": "n", "state": %q, "meta": {"github": {"at": "2026-01-01T00:00:05Z", "name": "n", "state": %q}}}`+"\n", state, agreed))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return p
}

// TestStates guards: a state moves to what is newer, never backwards because of an old reply, and backwards only as the pipeline does.
func TestStates(t *testing.T) {
	for _, row := range []struct {
		name, ours, agreed string
		issue              mirror.Issue
		want, send         string // the state in the plan, and the labels that are added
		warns              bool
	}{
		{"only they moved", "In Progress", "In Progress", mirror.Issue{Labels: []string{"state:In Review"}}, "In Review", "", false},
		{"only we moved", "In Review", "In Progress", mirror.Issue{Labels: []string{"state:In Progress"}}, "In Review", "state:In Review", false},
		{"both moved, they further", "In Progress", "Backlog", mirror.Issue{Labels: []string{"state:In Review"}}, "In Review", "", false},
		{"both moved, we further", "In Review", "Backlog", mirror.Issue{Labels: []string{"state:In Progress"}}, "In Review", "state:In Review", false},
		{"both moved, a person is needed", "In Review", "Backlog", mirror.Issue{Labels: []string{"state:Human Needed"}}, "Human Needed", "", false},
		{"an old reply", "In Review", "In Review", mirror.Issue{Labels: []string{"state:In Progress"}, Updated: "2026-01-01T00:00:04Z"}, "In Review", "", false},
		{"back, as the pipeline does", "In Review", "In Review", mirror.Issue{Labels: []string{"state:In Progress"}}, "In Progress", "", false},
		{"back, as it does not", "In Review", "In Review", mirror.Issue{Labels: []string{"state:Backlog"}}, "In Review", "state:In Review", true},
		{"closed", "In Progress", "In Progress", mirror.Issue{Closed: true}, "Done", "", false},
		{"closed as not planned", "In Progress", "In Progress", mirror.Issue{Closed: true, NotPlanned: true}, "Canceled", "", false},
		{"opened again", "Done", "Done", mirror.Issue{Labels: []string{"state:In Progress"}}, "Done", "", true},
		{"the label is gone", "In Review", "In Review", mirror.Issue{}, "In Review", "state:In Review", false},
		{"what a killed process left", "In Review", "In Progress", mirror.Issue{Labels: []string{"state:In Progress", "state:In Review"}}, "In Review", "", false},
		{"unknown words", "In Review", "In Review", mirror.Issue{Labels: []string{"state:Someday", "state:"}}, "In Review", "state:In Review", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := planWith(t, row.ours, row.agreed)
			i := row.issue
			i.Number, i.Title = 1, "n"
			if i.Updated == "" {
				i.Updated = "2026-01-01T00:00:06Z"
			}
			merged, err := mirror.Merger{}.Merge(p, []mirror.Issue{i})
			if err != nil {
				t.Fatal(err)
			}
			state := row.ours
			for _, m := range merged.Moves {
				state = m.State
			}
			if state != row.want || len(merged.Warnings) > 0 != row.warns {
				t.Errorf("%s, want %s; %q", state, row.want, merged.Warnings)
			}
			if mirror.IsOld(p.Of(plan.KindItem)[0], i) {
				return
			}
			after := planWith(t, state, row.agreed)
			if s := (mirror.Sender{}).Send(after.Of(plan.KindItem)[0], i); strings.Join(s.AddLabels, " ") != row.send {
				t.Errorf("sends %q, want %q", s.AddLabels, row.send)
			}
		})
	}
}

// TestMarkers guards: an issue is found by the marker of a trusted author alone, wherever it is in the body, and the item's text is without it.
func TestMarkers(t *testing.T) {
	p, _ := plan.Decode(`{"t": "item", "id": "w-a", "name": "n", "desc": "text", "created_at": "2026-01-01T00:00:00.000Z"}` + "\n")
	item := p.Of(plan.KindItem)[0]
	body := mirror.Sender{}.Create(item).Fields["body"]
	if body != "text\n\n<!-- git-ralph item w-a 2026-01-01T00:00:00.000Z -->" {
		t.Fatal(body)
	}
	for _, row := range []struct {
		body    string
		trusted bool
		want    string // the ids with their descriptions
	}{
		{body, true, "w-a text"},
		{body + " and more", true, "w-a text and more"},
		{strings.ReplaceAll(body, "\n", "\r\n"), true, "w-a text"},
		{body, false, "w-gh9 " + body},
		{"<!-- git-ralph item w-A x -->", true, "w-gh9 "},
		{"<!-- git-ralph item", true, "w-gh9 <!-- git-ralph item"},
		{"<!-- other --> text", true, "w-gh9 <!-- other --> text"},
	} {
		merged, err := mirror.Merger{Add: true}.Merge(p, []mirror.Issue{{Number: 9, Title: "n", Body: row.body, Trusted: row.trusted, Created: "2026-01-02T00:00:00Z"}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range merged.Items {
			got = append(got, r.ID()+" "+r.Text("desc"))
		}
		if !slices.Equal(got, []string{row.want}) {
			t.Errorf("%q: %q, want %q", row.body, got, row.want)
		}
	}
}
