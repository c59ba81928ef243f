package agent

import (
	"strings"
)

// serviceLimitPhrases returns the phrases, in lower case, with which the services of the built-in agents report that they are
// overloaded or that the user has reached a limit.
func serviceLimitPhrases() []string {
	return []string{
		"rate limit", "rate_limit", "ratelimit", "rate-limit", "too many requests", "usage limit", "session limit",
		"hit your limit", "reached your limit", "weekly limit", "-hour limit", "limit will reset", "quota exceeded",
		"exceeded your current quota", "overloaded", "resource_exhausted", "resource exhausted", "http 429", "status 429",
		"error 429", "error: 429", "code 429", "status 529", "error: 529", "error 529", "code 529", "503 service unavailable",
	}
}

// IsServiceLimit reports whether an error is a rate limit or overload, which passes after some time.
func IsServiceLimit(text string) bool {
	text = strings.ToLower(text)
	for _, words := range serviceLimitPhrases() {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// serviceLimitIn returns the last message on standard error, of an agent that failed, which is about a limit.
func serviceLimitIn(messages string) string {
	const near = 2048 // what it printed long before is not why it failed
	lines := strings.Split(string(lastBytes([]byte(messages), near)), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if IsServiceLimit(lines[i]) {
			return lines[i]
		}
	}
	return ""
}
