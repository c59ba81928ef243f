package dot

import (
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/view"
)

// TestGraph guards: a name that has quotes, escape sequences of Graphviz, entities, brackets or control characters means itself, and
// edges say whether they are open.
func TestGraph(t *testing.T) {
	p, _ := plan.Decode(`{"t": "task", "id": "t-aa", "name": "Say \"a\\Nb\" &amp; [<b>] \u001b[m\u202e", "s": "d"}
{"t": "task", "id": "t-bb", "name": "", "s": "p", "deps": ["t-aa"]}
{"t": "task", "id": "t-cc", "name": "Next", "s": "p", "deps": ["t-bb"]}
`)
	d := &view.Data{Plan: p, Schedule: schedule.Of(p)}
	const want = `digraph plan {
	rankdir=LR;
	node [shape=box, style=rounded, fontname="sans-serif", fontsize=11];
	edge [arrowsize=0.7];
	n0 [label="t-aa done\lSay \"a\\Nb\" &amp;amp; [<b>]\l\\x1b[m\\u202e\l", tooltip="Say \"a\\Nb\" &amp;amp; [<b>] \\x1b[m\\u202e", color="#1a7f37"];
	n1 [label="t-bb ready\l\l", tooltip="", color="#0969da"];
	n2 [label="t-cc blocked\lNext\l", tooltip="Next", color="#9a6700"];
	n0 -> n1 [style=dashed];
	n1 -> n2;
}
`
	if got := Graph(d.Graph(view.GraphOptions{})); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
