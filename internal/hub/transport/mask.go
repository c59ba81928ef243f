package transport

import (
	"strings"

	"git-ralph/internal/mask"
)

// minSecret is how long a credential has to be to be looked for: a shorter one is part of too much else.
const minSecret = 4

// Mask returns a text without the credentials of the hub, and without what else looks like a secret.
func (l *login) Mask(text string) string {
	_, header, _ := strings.Cut(l.header, " ")
	for _, secret := range []string{header, l.filled.Password, getenv(l.environ, tokenVariable)} {
		if len(secret) >= minSecret {
			text = strings.ReplaceAll(text, secret, mask.Masked)
		}
	}
	return mask.New().Text(text)
}

// A maskedError is an error whose text may repeat what the hub said.
type maskedError struct {
	error
	text string
}

func (e *maskedError) Error() string { return e.text }

func (e *maskedError) Unwrap() error { return e.error }

// masked returns an error whose text is masked, and on one line: no line of it looks like a message of ours.
func (l *login) masked(err error) error {
	return &maskedError{err, strings.Join(strings.Fields(l.Mask(err.Error())), " ")}
}
