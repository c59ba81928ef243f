package plan

import (
	"strings"
	"testing"
)

// A null that is given for a known field counts as absent (docs/plan-format.md,
// "Records"): a new record does not hold it, whatever the field. What we do not
// know keeps its null.
func TestNullsAreDropped(t *testing.T) {
	for _, kind := range []Kind{KindTask, KindIssue} {
		input := `{"x": null`
		for _, f := range fields(kind) {
			if f.name != "desc" && f.name != "name" {
				input += `, "` + f.name + `": null`
			}
		}
		p := read(t, specLine)
		var err error
		if kind == KindTask {
			_, err = p.AddTasks(objects(t, input+`, "name": "n", "desc": null}`), testStamp())
		} else {
			_, err = p.AddIssues(objects(t, input+`, "desc": "n"}`), testStamp())
		}
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		if text := p.records[1].JSON(); strings.Count(text, "null") != 1 || !strings.Contains(text, `"x": null`) {
			t.Errorf("got %s", text)
		}
	}
}
