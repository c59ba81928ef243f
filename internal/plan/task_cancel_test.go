package plan

import "testing"

func TestCancel(t *testing.T) {
	lines := []string{
		specLine,
		taskLine("t-a"),
		`{"t": "reject", "id": "t-a", "done_at": "1", "reason": "no"}`,
		taskLine("t-b", `"deps": ["t-a", "t-e"]`),
		taskLine("t-c", `"deps": ["t-b"]`),
		doneLine("t-d", `"deps": ["t-a"]`),
		taskLine("t-e"),
	}
	tests := []struct {
		name   string
		ids    []string
		mode   CancelMode
		after  []string
		events string
	}{
		{"alone", []string{"t-c"}, CancelAlone, []string{lines[0], lines[1], lines[2], lines[3], lines[5], lines[6]}, "cancelled t-c"},
		{"together with what depends on it", []string{"t-c", "t-b"}, CancelAlone, []string{lines[0], lines[1], lines[2], lines[5], lines[6]}, "cancelled t-b; cancelled t-c"},
		{
			"cascade: through others too, done ones stay",
			[]string{"t-a"},
			CancelCascade,
			[]string{lines[0], lines[2], doneLine("t-d"), lines[6]},
			"cancelled t-a; cancelled t-b; cancelled t-c; edited t-d",
		},
		{
			"detach",
			[]string{"t-a"},
			CancelDetach,
			[]string{lines[0], lines[2], taskLine("t-b", `"deps": ["t-e"]`), lines[4], doneLine("t-d"), lines[6]},
			"cancelled t-a; edited t-b; edited t-d",
		},
		{
			"detach several",
			[]string{"t-a", "t-e"},
			CancelDetach,
			[]string{lines[0], lines[2], taskLine("t-b"), lines[4], doneLine("t-d")},
			"cancelled t-a; cancelled t-e; edited t-b; edited t-d",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, lines...)
			c, err := p.Cancel(test.ids, test.mode)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, p, test.after...)
			if got := eventsText(c); got != test.events {
				t.Errorf("events %s, want %s", got, test.events)
			}
		})
	}
	p := read(t, lines...)
	refuses(t, p, func() (Change, error) { return p.Cancel([]string{"t-b"}, CancelAlone) }, "t-b cannot be removed: t-c depends on it")
	refuses(t, p, func() (Change, error) { return p.Cancel([]string{"t-a", "t-e"}, CancelAlone) }, "t-a, t-e cannot be removed: t-b, t-d depend on them")
	refuses(t, p, func() (Change, error) { return p.Cancel([]string{"t-d"}, CancelCascade) }, "t-d is done, not pending")
	refuses(t, p, func() (Change, error) { return p.Cancel([]string{"t-9"}, CancelDetach) }, `no such task in the plan: t-9`)
}
