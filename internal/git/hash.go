package git

import (
	"encoding/hex"

	"git-ralph/internal/git/odb"
)

// Hash is an object id in binary. Ids of sha1 use the first 20 bytes, the rest is zero; Graph.IDSize says which.
type Hash = odb.Hash

// ParseHash reads an object id in hex.
func ParseHash(text string) (Hash, error) {
	var h Hash
	if len(text) > hex.EncodedLen(len(h)) {
		return h, hex.ErrLength
	}
	_, err := hex.Decode(h[:], []byte(text))
	return h, err
}
