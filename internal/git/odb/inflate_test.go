package odb

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// deflated packs data as a zlib stream.
func deflated(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// samples are texts of different kinds, for each way of packing.
func samples() [][]byte {
	r := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 70000)
	words := make([]byte, 0, 300000)
	skewed := make([]byte, 200000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for len(words) < 290000 {
		words = fmt.Appendf(words, "%c%d line ", 'a'+r.IntN(26), r.IntN(1000))
	}
	for i := range skewed {
		skewed[i] = byte(r.ExpFloat64() * 12)
	}
	return [][]byte{nil, []byte("a"), []byte("tree\n"), bytes.Repeat([]byte("ab"), 5000), noise[:100], noise, words[:300], words, skewed}
}

// Whatever zlib packs comes back, and with one byte missing, or a place one byte too small or too large, nothing does.
func TestInflate(t *testing.T) {
	z := newInflater()
	for i, data := range samples() {
		for _, level := range []int{zlib.NoCompression, zlib.HuffmanOnly, zlib.BestSpeed, zlib.DefaultCompression, zlib.BestCompression} {
			packed := deflated(t, data, level)
			dst := make([]byte, len(data))
			for _, behind := range [][]byte{nil, bytes.Repeat([]byte{0xff}, 20)} {
				clear(dst)
				if !z.inflate(dst, append(bytes.Clone(packed), behind...)) || !bytes.Equal(dst, data) {
					t.Fatalf("sample %d, level %d: no or wrong data", i, level)
				}
			}
			if z.inflate(make([]byte, len(data)+1), packed) || len(data) > 0 && z.inflate(dst[1:], packed) || z.inflate(dst, packed[:len(packed)-1]) {
				t.Errorf("sample %d, level %d: took a stream of another size", i, level)
			}
		}
	}
}

// FuzzInflate holds our decoder to the standard library's, over streams that are whole, damaged or made up.
func FuzzInflate(f *testing.F) {
	for _, data := range samples() {
		f.Add(deflated(f, data, zlib.DefaultCompression), -1, byte(0))
		f.Add(deflated(f, data, zlib.HuffmanOnly), 7, byte(1))
	}
	z := newInflater()
	f.Fuzz(func(t *testing.T, packed []byte, at int, flip byte) {
		if at >= 0 && at < len(packed) {
			packed = bytes.Clone(packed)
			packed[at] ^= flip
		}
		want, err := unpack(packed)
		dst := make([]byte, len(want))
		if got := z.inflate(dst, packed); got != (err == nil) || got && !bytes.Equal(dst, want) {
			t.Errorf("ok %v; the standard library says %v", got, err)
		}
	})
}

var errLong = errors.New("too long for a test")

func unpack(packed []byte) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if len(data) == 1<<20 {
		return nil, errLong
	}
	return data, err
}

func BenchmarkInflate(b *testing.B) {
	z := newInflater()
	for _, size := range []int{60, 250, 1200, 12000} {
		data := samples()[7][:size]
		packed := deflated(b, data, zlib.DefaultCompression)
		dst := make([]byte, size)
		b.Run(fmt.Sprintf("ours/%d", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				if !z.inflate(dst, packed) {
					b.Fatal("not unpacked")
				}
			}
		})
		b.Run(fmt.Sprintf("standard/%d", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			src := bytes.NewReader(packed)
			r, err := zlib.NewReader(src)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				src.Reset(packed)
				r.(zlib.Resetter).Reset(src, nil)
				io.ReadFull(r, dst)
			}
		})
	}
}
