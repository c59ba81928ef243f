package authority

import "crypto/rand"

// NewToken returns a random token: 128 bits in small letters and digits.
func NewToken() string {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	raw := make([]byte, 26)
	rand.Read(raw) //nolint:errcheck // it does not fail
	for i, b := range raw {
		raw[i] = digits[b%32]
	}
	return string(raw)
}
