package loop

import (
	"fmt"
	"strings"
	"time"
)

// limitHit returns which limit of the run is reached, if one is.
func (l *Loop) limitHit() (Reason, string) {
	g := l.Goals
	switch {
	case g.Iterations > 0 && l.total.Iterations >= g.Iterations:
		return LimitHit, plural(g.Iterations, "iteration")
	case g.Time > 0 && l.Now().Sub(l.began) >= g.Time:
		return LimitHit, timeText(g.Time)
	case g.Cost > 0 && l.total.Cost >= g.Cost:
		return LimitHit, fmt.Sprintf("$%.2f", g.Cost)
	case g.Tokens > 0 && l.total.Tokens >= g.Tokens:
		return LimitHit, plural(g.Tokens, "token")
	}
	return "", ""
}

// timeText returns a duration as people write it: 8h, and not 8h0m0s.
func timeText(d time.Duration) string {
	text := d.String()
	for _, none := range [...]string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-len(none)+1]
		}
	}
	return text
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
