package sha256

import (
	stdlib "crypto/sha256"
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"
)

// The hash is that of crypto/sha256, however the text is cut into writes.
func TestEqualsStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, all := New(), []byte{}
		for _, part := range rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 200)).Draw(t, "parts") {
			h.Write(part)
			all = append(all, part...)
			sum := stdlib.Sum256(all)
			if want := hex.EncodeToString(sum[:]); h.Hex() != want || Hex(string(all)) != want {
				t.Fatalf("%q: %s, want %s", all, h.Hex(), want)
			}
		}
	})
	all := make([]byte, 300)
	for n := range all {
		sum := stdlib.Sum256(all[:n])
		if want := hex.EncodeToString(sum[:]); Hex(string(all[:n])) != want {
			t.Fatalf("%d bytes: want %s", n, want)
		}
	}
}
