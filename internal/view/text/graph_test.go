package text

import (
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/view"
)

// example is a plan with a task that waits for two, and hostile and wide names.
func example(t *testing.T) view.Graph {
	p, problems := plan.Decode(`{"t": "task", "id": "t-aa", "name": "解析器を書いて、すべてのトークンを正しく読み取れるようにする", "s": "d"}
{"t": "task", "id": "t-bb", "name": "Read\n\u001b[31m", "s": "p", "deps": ["t-aa"]}
{"t": "task", "id": "t-cc", "name": "A long name that does not fit onto a line of forty columns", "s": "p", "deps": ["t-aa", "t-bb"]}
{"t": "task", "id": "t-dd", "name": "Write", "s": "p", "deps": ["t-aa"]}
`)
	if !problems.Readable() {
		t.Fatal(problems)
	}
	d := &view.Data{Plan: p, Schedule: schedule.Of(p)}
	return d.Graph(view.GraphOptions{})
}

func written(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}

// TestGraph guards: each node is written once, below one that it waits for, with the others after its name.
func TestGraph(t *testing.T) {
	const want = `○ 2 ready, ‖ 1 blocked, ✓ 1 done
✓ t-aa  done     解析器を書いて、すべてのトークンを正しく読み取れるようにする
├─ ○ t-bb  ready    Read \x1b[31m
│  └─ ‖ t-cc  blocked  A long name that does not fit onto a line of forty columns ← t-aa
└─ ○ t-dd  ready    Write
`
	if got := written(Graph(example(t), Options{})); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	const ascii = `o 2 ready, = 1 blocked, v 1 done
v t-aa  done     解析器を書いて、すべてのトークンを正しく読み取れるようにする
|- o t-bb  ready    Read \x1b[31m
|  ` + "`" + `- = t-cc  blocked  A long name that does not fit onto a line of forty columns <- t-aa
` + "`" + `- o t-dd  ready    Write
`
	if got := written(Graph(example(t), Options{ASCII: true})); got != ascii {
		t.Errorf("%s\nwant %s", got, ascii)
	}
}

// TestGraphFits guards: no line is wider than the terminal, however narrow that is.
func TestGraphFits(t *testing.T) {
	for width := 1; width < 90; width++ {
		for _, l := range Graph(example(t), Options{Width: width}) {
			if got := displaywidth.String(l.String()); got > width {
				t.Fatalf("%d columns in %d: %s", got, width, l)
			}
		}
	}
	if got := Graph(example(t), Options{Width: 50})[3].String(); got != "│  └─ ‖ t-cc  blocked  A long name that do… ← t-aa" {
		t.Error(got)
	}
}

// TestDeepGraph guards: a long chain does not leave the terminal, and says how deep it is.
func TestDeepGraph(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		b.WriteString(`{"t": "task", "id": "t-` + string(rune('a'+i/20)) + string(rune('a'+i%20)) + `", "name": "Next", "s": "p"`)
		if i > 0 {
			b.WriteString(`, "deps": ["t-` + string(rune('a'+(i-1)/20)) + string(rune('a'+(i-1)%20)) + `"]`)
		}
		b.WriteString("}\n")
	}
	p, _ := plan.Decode(b.String())
	d := &view.Data{Plan: p, Schedule: schedule.Of(p)}
	lines := Graph(d.Graph(view.GraphOptions{}), Options{Width: 80})
	if got := strings.TrimSpace(lines[200].String()); got != "199: ‖ t-jt  blocked  Next" || len(lines) != 201 {
		t.Errorf("%q of %d lines", got, len(lines))
	}
}

// TestDrawingsFit guards: no line of a burndown or a timeline is wider than the terminal, and both are ASCII where they are to be.
func TestDrawingsFit(t *testing.T) {
	began := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	b := view.Burndown{From: began, Until: began.Add(time.Hour)}
	for i := range 121 {
		b.Points = append(b.Points, view.BurndownPoint{At: began, Pending: i, Done: 121 - i, Accepted: 2 * i})
	}
	line := view.Timeline{From: began, Until: began.Add(time.Hour), Events: 2, Hidden: 3, Lanes: []view.Lane{
		{ID: "t-aa", Name: "解析器を書いて、すべてのトークンを正しく読み取れるようにする", Marks: []view.Mark{{Bucket: 119, What: plan.EventDone, Count: 1}}, Spans: []view.Span{{From: 0, Until: 119, Status: view.Ready}}},
		{ID: "\x1b[31mann@example.com", Marks: []view.Mark{{Bucket: 0, What: plan.EventKilled, Count: 9}}},
	}}
	for _, ascii := range []bool{false, true} {
		for width := 1; width < 130; width++ {
			o := Options{Width: width, ASCII: ascii}
			for _, l := range append(Burndown(b, o), Timeline(line, o)...) {
				if got := displaywidth.String(l.String()); got > width || strings.Contains(l.String(), "\x1b") {
					t.Fatalf("%d columns in %d: %s", got, width, l)
				}
			}
		}
	}
	for _, l := range Burndown(b, Options{ASCII: true}) {
		if strings.ContainsFunc(l.String(), func(r rune) bool { return r >= 0x80 }) {
			t.Errorf("not ASCII: %s", l)
		}
	}
}

// TestLegend: what the signs of a timeline mean is said in full in a narrow terminal too.
func TestLegend(t *testing.T) {
	const want = "+ added  ✓ done  ● accepted\n✗ rejected or killed\n- cancelled  > moved  · edited\n"
	if got := written((Options{Width: 30}).legend()); got != want {
		t.Errorf("the legend is\n%s\nwant\n%s", got, want)
	}
}
