package odb

import (
	"bytes"
	"hash/adler32"
	"math/rand/v2"
	"testing"
)

// The checksum is that of hash/adler32, for every length and for the bytes that
// make sums the largest.
func TestAdler(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 1<<16)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for _, data := range [][]byte{noise, bytes.Repeat([]byte{0xff}, 1<<16), make([]byte, 1<<12)} {
		for n := 0; n <= len(data); n += 1 + n/50 {
			if got, want := adler(data[:n]), adler32.Checksum(data[:n]); got != want {
				t.Fatalf("%d bytes: %08x, want %08x", n, got, want)
			}
		}
	}
}

func BenchmarkAdler(b *testing.B) {
	data := bytes.Repeat([]byte("a plan is text "), 1000)
	for name, sum := range map[string]func([]byte) uint32{"ours": adler, "standard": adler32.Checksum} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				sum(data)
			}
		})
	}
}
