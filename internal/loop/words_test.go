package loop

import (
	"testing"
	"time"
)

// TestTimeText guards: a limit is told as people give it.
func TestTimeText(t *testing.T) {
	for given, want := range map[time.Duration]string{
		8 * time.Hour: "8h", 90 * time.Minute: "1h30m", 10 * time.Minute: "10m", 70 * time.Second: "1m10s", time.Second: "1s",
		time.Hour + 5*time.Second: "1h0m5s", 10 * time.Second: "10s",
	} {
		if got := timeText(given); got != want {
			t.Errorf("%v: %s, want %s", given, got, want)
		}
	}
}
