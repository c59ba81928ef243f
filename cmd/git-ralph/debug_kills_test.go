//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"git-ralph/internal/debuglog"
)

// TestKilledCollate guards: however many processes collate at once, and whenever they are killed, each event is counted once, and none is lost.
func TestKilledCollate(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	w := newWorkshop(t, "")
	log := debuglog.Of(filepath.Join(w.Dir, ".git")).Open("one", time.Now)
	defer log.Close()
	events, killed := 0, 0
	collate := []string{"debug", "collate", "--since", "2020-01-01"}
	for left := kills(t); left > 0; left-- {
		for range 5 {
			events++
			log.Record(debuglog.Event{Category: debuglog.Tool, Name: "Bash", Type: "failed", Error: fmt.Sprint("no ", events)})
		}
		first, second := w.command(collate...), w.command(collate...)
		if err := first.Start(); err != nil {
			t.Fatal(err)
		}
		if err := second.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.IntN(120)) * time.Millisecond)
		first.Process.Kill() //nolint:errcheck // it may have ended
		first.Wait()         //nolint:errcheck // see above
		second.Wait()        //nolint:errcheck // it may wait for what the first one left, or have nothing to do
		if first.ProcessState.ExitCode() < 0 {
			killed++
		}
	}
	w.command(collate...).Run() //nolint:errcheck // there may be nothing left to do
	if err := w.command(collate...).Run(); err == nil {
		t.Error("collating twice changes something")
	}
	t.Logf("%d events, %d kills", events, killed)
	var issues []struct{ Meta json.RawMessage }
	if err := json.Unmarshal([]byte(w.ralph("issue", "list", "--json")), &issues); err != nil || len(issues) != 1 {
		t.Fatalf("%d issues: %v", len(issues), err)
	}
	m := regexp.MustCompile(`"[0-9a-f]{8}-(\d+)"`).FindAllSubmatch(issues[0].Meta, -1)
	if len(m) != 1 || string(m[0][1]) != strconv.Itoa(events) {
		t.Errorf("%s counts %d events", issues[0].Meta, events)
	}
}
