package walk_test

import (
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/git/walk"
	"git-ralph/internal/test/gittest"
)

// TestCommitTexts guards: the messages of commits and the lines that they add to a file are found, those of one line of commits without
// git, and alike where git finds them: over merges, without a commit before, and where objects are replaced.
func TestCommitTexts(t *testing.T) {
	r := gittest.NewRepo(t)
	const plan = "ralph/plan.jsonl"
	first := r.Commit("first", map[string]string{"a": "1"})
	added := r.Commit("added\n\nbody", map[string]string{plan: "one\ntwo\n"})
	edited := r.Commit("edited", map[string]string{plan: "zero\ntwo\nthree", "a": "2"})
	r.Git("rm", "-q", plan)
	r.Git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "-m", "gr\xfcn")
	removed := r.Git("rev-parse", "HEAD")
	r.Git("checkout", "-q", "-b", "side", added)
	side := r.Commit("side", map[string]string{"b": "1"})
	r.Git("merge", "-q", "-m", "merge", edited)
	merged := r.Git("rev-parse", "HEAD")
	cases := []struct {
		name, before, after string
		alone               bool // without git
		want                []string
	}{
		{"a line", first, removed, true, []string{"added body one two", "edited zero three", "grün"}},
		{"nothing", edited, edited, true, nil},
		{"back", edited, added, false, nil},
		{"beside", edited, side, false, []string{"side"}},
		{"a merge", edited, merged, false, []string{"merge", "side"}},
		{"from nothing", "", added, false, []string{"added body one two", "first"}},
	}
	check := func(how string, quiet bool) {
		counted, counter := r.CountProcesses()
		repo := mustOpen(t, counted)
		for _, c := range cases {
			texts, err := walk.CommitTexts(t.Context(), repo, c.before, c.after, plan)
			if err != nil {
				t.Fatal(err)
			}
			by := map[string]string{}
			for _, text := range texts {
				by[text.ID] += " " + text.Text
			}
			var got []string
			for _, text := range by {
				if words := strings.Join(strings.Fields(text), " "); words != "" {
					got = append(got, words)
				}
			}
			slices.Sort(got)
			if started := counter.Started(); !slices.Equal(got, c.want) || (started == nil) != (c.alone && quiet) {
				t.Errorf("%s, %s: %q, want %q; started %q", how, c.name, got, c.want, started)
			}
		}
	}
	check("as it is", true)
	r.Git("replace", "-f", removed, edited) // git shows another commit in its place
	cases[0].want = cases[0].want[:2]
	check("replaced", false)
}
