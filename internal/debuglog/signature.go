package debuglog

import (
	"regexp"
	"strings"
	"time"

	"git-ralph/internal/mask"
	"git-ralph/internal/sha256"
)

// A Failure is what events that failed in the same way have in common, and how often that happened.
type Failure struct {
	ID        string    `json:"id"` // the first eight hex digits of the signature's SHA-256
	Signature string    `json:"signature"`
	Count     int       `json:"count"`
	First     time.Time `json:"first"`
	Last      time.Time `json:"last"`
}

// A signer makes signatures. What differs from one time to the next, such as times and numbers, is no part of them.
type signer struct {
	masker             *mask.Masker // somebody else may have written the log
	time, hash, number *regexp.Regexp
}

func newSigner() *signer {
	return &signer{
		masker: mask.NewFull(),
		time: regexp.MustCompile(`\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?|` +
			`\b(?:\w{3},? )?\d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d(?: GMT| UTC| [+-]\d{4})?|\b\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d (?:[A-Z]{3,4} )?\d{4}|\b\d{8}T\d{6}(?:\.\d+)?Z?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?`),
		hash:   regexp.MustCompile(`(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?:\b0x|\b)[0-9a-f]{8,}\b`),
		number: regexp.MustCompile(`\d+(?:\.\d+)*`),
	}
}

// maxSigned is how much of a message is part of the signature, in characters.
const maxSigned = 200

// signature returns "category:name:type:message" of an event that failed.
func (s *signer) signature(e Event) string {
	text := strings.Join(strings.Fields(s.masker.Text(e.Error)), " ")
	text = s.time.ReplaceAllString(text, "<TS>")
	text = s.hash.ReplaceAllString(text, "<HASH>")
	text = s.number.ReplaceAllString(text, "<N>")
	if cut := []rune(text); len(cut) > maxSigned {
		text = string(cut[:maxSigned])
	}
	parts := []string{string(e.Category), e.Name, e.Type}
	for i, part := range parts {
		part, _, _ = strings.Cut(s.masker.Text(part), "\n")
		parts[i] = strings.ReplaceAll(part, ":", " ")
	}
	return strings.Join(append(parts, text), ":")
}

// idOf returns the id of a signature.
func idOf(signature string) string { return sha256.Hex(signature)[:8] }
