package merge_test

import (
	"testing"

	"git-ralph/internal/merge"
)

// TestLoserNamesWhatIsKept: the message of an edit that gave way names both values.
func TestLoserNamesWhatIsKept(t *testing.T) {
	one := func(members string) string { return task("t-1", members) }
	for name, c := range map[string]struct{ base, x, y, want string }{
		"a lower priority": {
			one(pending), one(pending + `, "priority": "low"`), one(pending + `, "priority": "medium"`),
			`t-1: priority: kept "medium", discarded "low"`,
		},
		"a removed priority": {
			one(pending + `, "priority": "low"`), one(pending), one(pending + `, "priority": "high"`),
			`t-1: priority: kept "high", discarded its removal`,
		},
		"an edit of a task that was accepted": {
			one(doneA), "", one(doneA + `, "notes": "mine"`),
			`t-1: notes: discarded "mine"`,
		},
		"an edit of the name of an accepted task of the old format": {
			one(doneA + `, "desc": "a b"`), "", one(doneA + `, "desc": "a c"`),
			`t-1: desc: discarded "a c"`,
		},
		"a name for an accepted task of the old format": {
			one(doneA + `, "desc": "a b"`), "", one(doneA + `, "name": "a c"`),
			`t-1: name: discarded "a c"`,
		},
		"a name beside that of an accepted task of the old format": {
			one(doneA + `, "desc": "a b"`), "", one(doneA + `, "name": "a c", "desc": "a b"`),
			`t-1: name: discarded "a c"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := merge.Merge(file(c.base), file(c.x), file(c.y))
			if err != nil || len(got.Discarded) != 1 || got.Discarded[0].String() != c.want {
				t.Errorf("got %v, %v, want %s", got.Discarded, err, c.want)
			}
		})
	}
}
