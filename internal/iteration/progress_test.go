package iteration

import (
	"testing"

	"git-ralph/internal/plan"
)

func TestGotOn(t *testing.T) {
	edited := []plan.Event{{Name: plan.EventEdited}, {Name: plan.EventEdited}}
	if isProgress(nil) || isProgress(edited) || !isProgress(append(edited, plan.Event{Name: plan.EventDone})) {
		t.Error("progress is not distinguished from standing still")
	}
	cancelled, added := plan.Event{Name: plan.EventCancelled, ID: "t-1"}, plan.Event{Name: plan.EventAdded, ID: "t-1"}
	for name, it := range map[string]struct {
		steps []plan.Event
		want  bool
	}{
		"the same id again": {[]plan.Event{cancelled, added}, false},
		"another id":        {[]plan.Event{cancelled, {Name: plan.EventAdded, ID: "t-2"}}, true},
		"cancelled alone":   {[]plan.Event{cancelled}, true},
		"added alone":       {[]plan.Event{added}, true},
	} {
		if got := isProgress(it.steps); got != it.want {
			t.Errorf("%s: progress %v", name, got)
		}
	}
}
