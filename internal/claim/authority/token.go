package authority

import "math/rand/v2"

// NewToken returns a random token: 128 bits in small letters and digits. It has to be new, not secret, since everybody can read
// claims: the runtime's generator, which the system seeds, is enough, and costs nothing at the start of a program.
func NewToken() string {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	token := make([]byte, 26)
	for i := range token {
		token[i] = digits[rand.IntN(len(digits))]
	}
	return string(token)
}
