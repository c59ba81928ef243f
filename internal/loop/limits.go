package loop

import (
	"fmt"
	"strings"
	"time"
)

// limitHit returns the limit of the run that is reached, if one is.
func (l *Loop) limitHit() (Reason, string) {
	if limit := l.Goals.Limit(l.total, l.Now().Sub(l.began)); limit != "" {
		return LimitHit, limit
	}
	return "", ""
}

// Limit returns which limit is reached by what was used so far, "" for none.
func (g Goals) Limit(used Summary, took time.Duration) string {
	switch {
	case g.Iterations > 0 && used.Iterations >= g.Iterations:
		return plural(g.Iterations, "iteration")
	case g.Time > 0 && took >= g.Time:
		return timeText(g.Time)
	case g.Cost > 0 && used.Cost >= g.Cost:
		return fmt.Sprintf("$%.2f", g.Cost)
	case g.Tokens > 0 && used.Tokens >= g.Tokens:
		return plural(g.Tokens, "token")
	}
	return ""
}

// Remaining returns the goals with what is left of their limits. None of them may have been reached.
func (g Goals) Remaining(used Summary, took time.Duration) Goals {
	if g.Iterations > 0 {
		g.Iterations -= used.Iterations
	}
	if g.Time > 0 {
		g.Time -= took
	}
	if g.Cost > 0 {
		g.Cost -= used.Cost
	}
	if g.Tokens > 0 {
		g.Tokens -= used.Tokens
	}
	return g
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
