package loop

import (
	"testing"
	"time"
)

// TestTimeText guards: a limit is printed as people write it.
func TestTimeText(t *testing.T) {
	for value, want := range map[time.Duration]string{
		8 * time.Hour: "8h", 90 * time.Minute: "1h30m", 10 * time.Minute: "10m", 70 * time.Second: "1m10s", time.Second: "1s",
		time.Hour + 5*time.Second: "1h0m5s", 10 * time.Second: "10s",
	} {
		if got := timeText(value); got != want {
			t.Errorf("%v: %s, want %s", value, got, want)
		}
	}
}
