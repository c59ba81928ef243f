package dot

import (
	"strings"
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
	n1 [label="t-bb ready\l(no name)\l", tooltip="(no name)", color="#0969da"];
	n2 [label="t-cc blocked\lNext\l", tooltip="Next", color="#9a6700"];
	n0 -> n1 [style=dashed];
	n1 -> n2;
}
`
	if got := Graph(d.Graph(view.GraphOptions{})); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestLongStrings guards: Graphviz, which reads strings of at most 16,384 bytes, reads every graph. Marks without width are the ones
// that no line is too narrow for.
func TestLongStrings(t *testing.T) {
	for _, text := range []string{"x", "&", "\u202e", "\u0337", "\U000e0001"} {
		long := strings.Repeat(text, 17000)
		p, _ := plan.Decode(`{"t": "task", "id": "t-` + long + `", "name": "z` + long + `", "s": "p"}` + "\n")
		d := &view.Data{Plan: p, Schedule: schedule.Of(p)}
		graph := Graph(d.Graph(view.GraphOptions{}))
		if !strings.Contains(graph, "n0 [label=") {
			t.Fatalf("%q: no node", text)
		}
		for i, line := range strings.Split(graph, `="`) {
			if end := strings.Index(line, `"`); end > 16384 {
				t.Errorf("%q: string %d has %d bytes", text, i, end)
			}
		}
	}
}
