package agent

import "strings"

// limitWords tell, in lower case, that a service has too much to do or that one has asked too much of it. They are those
// of the services behind the built-in agents.
func limitWords() []string {
	return []string{
		"rate limit", "rate_limit", "ratelimit", "rate-limit", "too many requests", "usage limit", "session limit",
		"hit your limit", "reached your limit", "weekly limit", "-hour limit", "limit will reset", "quota exceeded",
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
