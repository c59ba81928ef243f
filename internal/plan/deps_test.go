package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A dependency holds a task back only while its task is pending, or its issue
// is in the plan (docs/promises.md).
func TestWaits(t *testing.T) {
	p := read(t,
		taskLine("t-a", `"deps": ["t-b", "t-c", "t-d", "i-a", "i-b", "t-x", "t-a"]`),
		taskLine("t-b"), doneLine("t-c"), issueLine("i-a"), stateLine("t-x", "a"))
	task, _ := p.Task("t-a")
	x := p.DepIndex()
	for _, got := range []string{fmt.Sprint(p.BlockedBy(task), p.DanglingDeps(task)), fmt.Sprint(x.BlockedBy(&task), x.DanglingDeps(&task))} {
		if want := "[t-b i-a t-a] [t-d i-b]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	free, _ := p.Task("t-b")
	if !x.Blocked(&task) || x.Blocked(&free) || p.BlockedBy(free) != nil {
		t.Error("Blocked and Waits disagree")
	}
	if got := fmt.Sprint(p.Dependants("t-b", "t-d")); got != "[t-a]" {
		t.Errorf("dependants %s", got)
	}
	if got := p.Dependants("t-a"); got != nil {
		t.Errorf("dependants %v", got)
	}
}

func TestCycles(t *testing.T) {
	tests := []struct {
		name string
		deps string // "a:b,c" for each task
		want string
	}{
		{"none", "a:b,c b:c c:gone,i-1", ""},
		{"itself", "a:a", "a>a"},
		{"two", "a:b b:a", "a>b>a"},
		{"behind a chain", "a:b b:c c:d d:b", "b>c>d>b"},
		{"two apart", "a:b b:a c:d d:c", "a>b>a c>d>c"},
		{"a diamond is none", "a:b,c b:d c:d d:", ""},
		{"two that share a task: one of them", "a:b,c b:a c:a", "a>b>a"},
		{"found once, however entered", "x:a y:b a:b b:a", "a>b>a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var lines []string
			for _, edge := range strings.Fields(test.deps) {
				id, deps, _ := strings.Cut(edge, ":")
				list := slices.DeleteFunc(strings.Split(deps, ","), func(s string) bool { return s == "" })
				for i := range list {
					list[i] = fmt.Sprintf("%q", list[i])
				}
				lines = append(lines, taskLine(id, `"deps": [`+strings.Join(list, ", ")+`]`))
			}
			var got []string
			for cycle := range read(t, lines...).Cycles(KindTask) {
				got = append(got, strings.Join(cycle, ">"))
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("got %q, want %q", text, test.want)
			}
		})
	}
}

// A chain of tasks may be as long as the plan.
func TestLongChain(t *testing.T) {
	const n = 200_000
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"t":"task","id":"t-%d","deps":["t-%d"]}`, i, (i+1)%n)
	}
	for cycle := range read(t, lines...).Cycles(KindTask) {
		if len(cycle) != n+1 {
			t.Errorf("a cycle of %d", len(cycle))
		}
	}
}
