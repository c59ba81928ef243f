package mermaid

import (
	"regexp"
	"strings"
	"testing"
	"time"

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
    n1["t-aa done<br>Say #34;a#34;#93; #38;amp#59; #42;#42;b#42;#42;<br>#60;b#62;#92;x1b#91;m"]:::finished
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

// TestBurndownPointsAreApart guards: the points of a chart have different times, which is what Mermaid places them by, however short the
// time is.
func TestBurndownPointsAreApart(t *testing.T) {
	from := time.Date(2026, 2, 3, 9, 0, 0, 0, time.UTC)
	for _, span := range []time.Duration{time.Second, 12 * time.Second, time.Minute, 12 * time.Minute, time.Hour} {
		b := view.Burndown{From: from, Until: from.Add(span)}
		for i := range 121 {
			b.Points = append(b.Points, view.BurndownPoint{At: from.Add(span * time.Duration(i) / 120)})
		}
		axis := strings.Split(Burndown(b), "\n")[2]
		seen := map[string]bool{}
		for _, at := range regexp.MustCompile(`"[^"]+"`).FindAllString(axis, -1) {
			seen[at] = true
		}
		if len(seen) != chartPoints+1 {
			t.Errorf("%v: %s", span, axis)
		}
	}
}
