package odb

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	kzlib "github.com/klauspost/compress/zlib"
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

// packedObjects are the zlib streams in the packs of the repository that this source is in.
func packedObjects(b *testing.B) (packed [][]byte, sizes []int, total int64) {
	out, err := exec.Command("git", "rev-parse", "--git-path", "objects/pack").Output()
	if err != nil {
		b.Skip("not in a git repository")
	}
	paths, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "*.pack"))
	for _, path := range paths {
		p := &pack{path: path, size: 20}
		if err := p.open(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(p.close)
		z := newInflater()
		for offset := int64(12); offset < int64(len(p.body)); {
			e, err := p.entry(offset)
			if err != nil {
				b.Fatal(err)
			}
			if !z.inflate(make([]byte, e.size), e.data) {
				b.Fatal(p.corrupt(offset))
			}
			offset = int64(len(p.body)-len(e.data)) + int64(z.taken())
			packed, sizes = append(packed, e.data[:z.taken()]), append(sizes, e.size)
			total += int64(e.size)
		}
	}
	if packed == nil {
		b.Skip("no packs")
	}
	return packed, sizes, total
}

// BenchmarkInflate unpacks all objects of a real repository: why there is an inflater of our own.
func BenchmarkInflate(b *testing.B) {
	packed, sizes, total := packedObjects(b)
	room := make([]byte, slices.Max(sizes))
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(total)
		z := newInflater()
		for b.Loop() {
			for i := range packed {
				if !z.inflate(room[:sizes[i]], packed[i]) {
					b.Fatal("not unpacked")
				}
			}
		}
	})
	for _, other := range []struct {
		name string
		open func(io.Reader) (io.ReadCloser, error)
	}{{"standard", zlib.NewReader}, {"klauspost", kzlib.NewReader}} {
		b.Run(other.name, func(b *testing.B) {
			b.SetBytes(total)
			src := bytes.NewReader(packed[0])
			r, err := other.open(src)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				for i := range packed {
					src.Reset(packed[i])
					if err := r.(zlib.Resetter).Reset(src, nil); err != nil {
						b.Fatal(err)
					}
					if _, err := io.ReadFull(r, room[:sizes[i]]); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
