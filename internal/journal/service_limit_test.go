package journal_test

import (
	"testing"
	"time"

	"git-ralph/internal/journal"
)

// TestServiceLimit guards: the limit that a hook recorded is that of one iteration, and is gone when its agent is started again. A name
// that is no log's, as an agent's environment may have it, records nothing.
func TestServiceLimit(t *testing.T) {
	j := journal.Of(t.TempDir())
	run, err := j.Begin(j.RunName(time.Now(), func(int) int { return 0 }), "test", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	for _, name := range []string{journal.LogName(run.Name, 1), "/.log", "../x/1.log", run.Name + "/../1.log", run.Name + "/.log"} {
		j.RecordServiceLimit(name, "rate_limit")
	}
	if text, at := j.ServiceLimit(journal.LogName(run.Name, 1)); text != "rate_limit" || at.IsZero() {
		t.Errorf("%q, %v", text, at)
	}
	for _, name := range []string{journal.LogName(run.Name, 2), "/.log", "../x/1.log"} {
		if text, _ := j.ServiceLimit(name); text != "" {
			t.Errorf("%s: %q", name, text)
		}
	}
	log, err := run.OpenLog(1)
	if err != nil {
		t.Fatal(err)
	}
	log.Close()
	if text, _ := j.ServiceLimit(journal.LogName(run.Name, 1)); text != "" {
		t.Errorf("%q is left", text)
	}
}
