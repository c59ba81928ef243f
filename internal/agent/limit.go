package agent

import (
	"strconv"
	"strings"
	"time"
)

// limitWords tell, in lower case, that a service has too much to do or that one has asked too much of it. They are those
// of the services behind the built-in agents.
func limitWords() []string {
	return []string{
		"rate limit", "rate_limit", "ratelimit", "rate-limit", "too many requests", "usage limit", "session limit", "quota exceeded",
		"exceeded your current quota", "overloaded", "resource_exhausted", "resource exhausted", "http 429", "status 429",
		"error 429", "error: 429", "code 429", "status 529", "error: 529", "error 529", "code 529", "503 service unavailable",
	}
}

// isLimit tells whether an error is one that passes by waiting.
func isLimit(text string) bool {
	text = strings.ToLower(text)
	for _, words := range limitWords() {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// LimitEnds tells when, by its own words, a limit ends: "…|1767225600" in seconds since 1970, "try again in 20s", "retry
// after 3 minutes". Ok is false where they do not say.
func LimitEnds(words string, now time.Time) (end time.Time, ok bool) {
	if _, number, found := strings.Cut(words, "|"); found {
		digits := number[:len(number)-len(strings.TrimLeft(number, "0123456789"))]
		if seconds, err := strconv.ParseInt(digits, 10, 64); err == nil && len(digits) == len("1767225600") {
			return time.Unix(seconds, 0), true
		}
	}
	fields := strings.Fields(strings.ToLower(words))
	for i, word := range fields[:max(len(fields)-1, 0)] {
		if word != "in" && !strings.HasSuffix(strings.TrimRight(word, ":"), "after") {
			continue
		}
		if wait, ok := duration(fields[i+1:]); ok {
			return now.Add(wait), true
		}
	}
	return time.Time{}, false
}

// duration reads "20s", "1h2m", "20", "20 seconds" at the beginning of some words.
func duration(words []string) (time.Duration, bool) {
	first := strings.TrimRight(words[0], ".,;)")
	if d, err := time.ParseDuration(first); err == nil {
		return d, d > 0
	}
	n, err := strconv.ParseFloat(first, 64)
	if err != nil || n <= 0 {
		return 0, false
	}
	unit := time.Second
	if len(words) > 1 && strings.HasPrefix(words[1], "min") {
		unit = time.Minute
	} else if len(words) > 1 && strings.HasPrefix(words[1], "hour") {
		unit = time.Hour
	}
	return time.Duration(n * float64(unit)), true
}
