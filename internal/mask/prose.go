package mask

import "bytes"

// isProse reports whether a text has words that people write about a password, and rarely in one.
func isProse(text []byte) bool {
	for _, word := range bytes.Fields(text) {
		switch string(bytes.ToLower(bytes.Trim(word, ".,:;!?\"'()"))) {
		case "a", "an", "the", "this", "that", "your", "our", "its", "it", "is", "are", "be", "was", "were", "has", "have", "had", "must", "should", "can",
			"cannot", "could", "may", "will", "not", "no", "and", "or", "of", "for", "to", "in", "on", "at", "as", "by", "with", "from", "if", "when", "than",
			"password", "passwords", "passphrase", "please", "enter", "required", "invalid", "option", "flag", "takes", "reads":
			return true
		}
	}
	return false
}
