//go:build unix

package authority_test

import (
	"fmt"
	"os"
	"strings"
	"time"

	"git-ralph/internal/claim"
)

// crowdNotes are what a worker of a crowd writes down for the script that judges it: see testdata/crowd.awk.
type crowdNotes struct {
	path, clone string
	pid         int
}

// uptime returns the time since the machine started, as /proc/uptime has it for the hook.
func uptime() time.Duration {
	var seconds float64
	if data, err := os.ReadFile("/proc/uptime"); err == nil {
		fmt.Sscan(string(data), &seconds) //nolint:errcheck // zero is no time
	}
	if seconds == 0 {
		seconds = float64(time.Now().Unix())
	}
	return time.Duration(seconds * float64(time.Second))
}

func (n *crowdNotes) add(words ...any) {
	appendLine(n.path, strings.TrimSuffix(fmt.Sprintln(words...), "\n"))
}

// call notes when a function runs that reads claims, and whether it fails.
func (n *crowdNotes) call(do func() error) error {
	n.add("began", n.pid, n.clone, uptime().Seconds())
	err := do()
	if err != nil {
		n.add("failed", n.pid)
	}
	n.add("ended", n.pid, n.clone, uptime().Seconds())
	return err
}

// saw notes which claims somebody works on, by a call between two times.
func (n *crowdNotes) saw(seen map[string]claim.Seen, now claim.Protocol, began, ended time.Duration) {
	words := []any{"saw", n.clone, began.Seconds(), ended.Seconds()}
	for id, s := range seen {
		if !s.Held.Exists() || s.Held.Claim.State != claim.Working {
			continue
		}
		how := "stale"
		if now.Stale(s) == claim.Fresh {
			how = "fresh"
		}
		words = append(words, id, s.Held.Object, how)
	}
	n.add(words...)
}
