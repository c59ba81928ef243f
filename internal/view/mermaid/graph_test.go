package mermaid

import (
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/view"
)

// TestGraph guards: a name that has quotes, brackets, HTML, Markdown, entities or control characters means itself, and edges say
// whether they are open.
func TestGraph(t *testing.T) {
	p, _ := plan.Decode(`{"t": "task", "id": "t-aa", "name": "Say \"a\"] &amp; **b** <b>\u001b[m", "s": "d"}
{"t": "task", "id": "t-bb", "name": "end", "s": "p", "deps": ["t-aa", "i-aa"]}
{"t": "issue", "id": "i-aa", "desc": "Why?"}
`)
	d := &view.Data{Plan: p, Schedule: schedule.Of(p)}
	const want = `flowchart LR
    n0{{"i-aa ready<br>Why?"}}:::ready
    n1["t-aa done<br>Say #34;a#34;#93; #38;amp#59; #42;#42;b#42;#42; #60;b#62;#92;x1b#91;m"]:::finished
    n2["t-bb blocked<br>end"]:::blocked
    n0 --> n2
    n1 -.-> n2
    classDef ready stroke:#0969da,stroke-width:2px
    classDef blocked stroke:#bf8700,stroke-width:2px
    classDef claimed stroke:#8250df,stroke-width:2px
    classDef finished stroke:#1a7f37,stroke-width:2px
    classDef ended stroke:#cf222e,stroke-width:2px
`
	if got := Graph(d.Graph(view.GraphOptions{})); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
