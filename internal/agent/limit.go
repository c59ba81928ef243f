package agent

import "strings"

// limitWords are those, in lower case, by which the services behind the built-in agents report that they have too much to
// do, or that the user has reached a limit.
func limitWords() []string {
	return []string{
		"rate limit", "rate_limit", "ratelimit", "rate-limit", "too many requests", "usage limit", "session limit",
		"hit your limit", "reached your limit", "weekly limit", "-hour limit", "limit will reset", "quota exceeded",
		"exceeded your current quota", "overloaded", "resource_exhausted", "resource exhausted", "http 429", "status 429",
		"error 429", "error: 429", "code 429", "status 529", "error: 529", "error 529", "code 529", "503 service unavailable",
	}
}

// isLimit reports whether an error is one that passes by waiting.
func isLimit(text string) bool {
	text = strings.ToLower(text)
	for _, words := range limitWords() {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
