package view_test

import (
	"strings"
	"testing"

	"git-ralph/internal/view"
	"git-ralph/internal/view/export"
	"git-ralph/internal/view/svg"
	"git-ralph/internal/view/text"
)

// A name of which nothing is seen says so, in pictures, texts and files for people.
func TestNameThatIsNotSeen(t *testing.T) {
	d := dataOf(t, strings.Replace(task("t-a", "p"), "Task t-a", "\u200b\ufeff\u200b", 1))
	g := d.Graph(view.GraphOptions{})
	rows := export.Rows(d, view.Filter{}, false)
	var lines string
	for _, l := range text.Graph(g, text.Options{}) {
		lines += l.String() + "\n"
	}
	for where, shown := range map[string]string{
		"the graph": strings.Join(g.Nodes[0].Lines, " "), "text": lines, "svg": svg.Graph(g, svg.Options{}), "md": export.Markdown("Plan", rows), "ics": export.Calendar("Plan", rows),
	} {
		if !strings.Contains(strings.ReplaceAll(shown, `\`, ""), "(no name)") {
			t.Errorf("%s: %s", where, shown)
		}
	}
	if name := rows[0].Name(); name != "\u200b\ufeff\u200b" {
		t.Errorf("the name itself is %q", name)
	}
}
