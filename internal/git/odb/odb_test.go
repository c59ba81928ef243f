package odb

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The hash of Bloom filters, by the values that git's own tests expect, and what its first version makes of high bytes.
func TestMurmur3(t *testing.T) {
	for text, want := range map[string]uint32{
		"": 0, "Hello world!": 0x627b0c2c, "The quick brown fox jumps over the lazy dog": 0x2e4ff723,
		"\x99\xaa\xbb\xcc\xdd\xee\xff": 0xa183ccfd,
	} {
		if got := murmur3(0, text, false); got != want {
			t.Errorf("%q: %#x, want %#x", text, got, want)
		}
	}
	if murmur3(0, "plain ascii", true) != murmur3(0, "plain ascii", false) || murmur3(0, "\x99", true) == murmur3(0, "\x99", false) {
		t.Error("signed and unsigned bytes must differ above 127 and nowhere else")
	}
}

// filters makes the chunks of a commit-graph with one filter for each commit, in either version.
func filters(version uint32, paths ...string) bloom {
	ends, data := []byte{}, binary.BigEndian.AppendUint32(nil, version)
	data = append(data, 0, 0, 0, 7, 0, 0, 0, 10)
	for _, path := range paths {
		filter := make([]byte, 10)
		for _, k := range [][]bloomKey{NewPathKeys(path).v1, nil, NewPathKeys(path).v2}[2*(version-1)] {
			for i := range uint32(7) {
				at := (k.first + i*k.step) % 80
				filter[at/8] |= 1 << (at % 8)
			}
		}
		data = append(data, filter...)
		ends = binary.BigEndian.AppendUint32(ends, uint32(len(data)-bloomHead))
	}
	return parseBloom(ends, data, len(paths))
}

// A filter says no only for a path that is not in it; a version or a size that is unknown says nothing.
func TestBloom(t *testing.T) {
	keys := []PathKeys{NewPathKeys("ralph/plän.jsonl")}
	for version := range uint32(2) {
		b := filters(version+1, "src/main.go", "ralph/plän.jsonl", "ralph/other", "docs/x")
		for i, want := range []bool{false, true, false, false} {
			if got := b.mayChange(i, keys); got != want {
				t.Errorf("version %d, filter %d: %v", version+1, i, got)
			}
		}
	}
	if b := filters(2, "docs/x"); !b.mayChange(0, append(keys, NewPathKeys("docs/x"))) {
		t.Error("the second path was not looked for")
	}
	for _, b := range []bloom{
		{},
		parseBloom(nil, make([]byte, 100), 1), parseBloom(make([]byte, 4), make([]byte, 11), 1),
		parseBloom(make([]byte, 4), append([]byte{0, 0, 0, 3, 0, 0, 0, 7, 0, 0, 0, 10}, 0), 1),
		parseBloom([]byte{0, 0, 0, 99}, append([]byte{0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 10}, 0), 1),
		parseBloom([]byte{0, 0, 0, 0}, append([]byte{0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 10}, 0), 1),
	} {
		if !b.mayChange(0, keys) {
			t.Errorf("%+v says no", b)
		}
	}
}

// table makes an idTable of ids that begin with the given bytes.
func table(t *testing.T, ids ...[]byte) idTable {
	t.Helper()
	fanout, all := make([]byte, 1024), []byte{}
	for _, id := range ids {
		all = append(all, append(bytes.Clone(id), make([]byte, 20-len(id))...)...)
		for i := int(id[0]); i < 256; i++ {
			binary.BigEndian.PutUint32(fanout[4*i:], binary.BigEndian.Uint32(fanout[4*i:])+1)
		}
	}
	x, ok := newIDTable(fanout, all, 20, 20)
	if !ok {
		t.Fatal("no table")
	}
	return x
}

// Every id is found and no other, however unevenly they are spread.
func TestIDTable(t *testing.T) {
	var ids [][]byte
	for i := range 3000 {
		first := byte(7)
		if i >= 2990 {
			first = 9
		}
		ids = append(ids, []byte{first, 0, byte(i / 2560), byte(i / 10), byte(i % 10)})
	}
	ids = append(ids, []byte{255, 255, 255, 255, 255, 255})
	x := table(t, ids...)
	queries, places := make([]Hash, 2*len(ids)), make([]int, 2*len(ids))
	for i := range ids {
		copy(queries[2*i][:], ids[i])
		queries[2*i+1] = queries[2*i]
		queries[2*i+1][19]++
	}
	x.findAll(queries, places)
	for i, place := range places {
		if want := i / 2; i%2 == 0 && place != want || i%2 == 1 && place != -1 {
			t.Fatalf("id %d of all: %d", i, place)
		}
	}
	for i := range ids {
		var id Hash
		copy(id[:], ids[i])
		if got, ok := x.find(&id); !ok || got != i {
			t.Fatalf("id %d: %d, %v", i, got, ok)
		}
		id[19]++
		if _, ok := x.find(&id); ok {
			t.Fatalf("id %d: found another", i)
		}
	}
	if _, ok := x.find(&Hash{}); ok {
		t.Error("found an id before all")
	}
}

func TestParseCommit(t *testing.T) {
	tree, parent := "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n", "parent 83baae61804e65cc73a7201a7252750c76066a30\n"
	who := "A <a@b> 5 +0000\n"
	for text, want := range map[string]int64{
		tree + "author " + who + "committer A <a@b> 1700000000 +0100\n\nx":  1700000000,
		tree + "author " + who + "committer A > B <a> 17":                   17,
		tree + "author " + who + "committer A <a@b> -5 +0100\n\n":           0,
		tree + "author " + who + "committer A 17 +0100\n\n":                 0,
		tree + "author " + who + "committer A <> 99999999999999999999 +0\n": 1<<63 - 1,
		tree + "committer A <a@b> 1700000000 +0100\n\nx":                    0,
		tree: 0,
	} {
		var h CommitHeader
		if err := ParseCommit([]byte(text), 20, &h); err != nil || h.Time != want || len(h.Parents) != 0 {
			t.Errorf("%q: %+v, %v", text, h, err)
		}
	}
	var h CommitHeader
	if err := ParseCommit([]byte(tree+parent+parent+"author x\n"), 20, &h); err != nil || len(h.Parents) != 2 || hex.EncodeToString(h.Parents[1][:2]) != "83ba" {
		t.Errorf("%+v, %v", h, err)
	}
	for _, text := range []string{"", "tree ", "tree 4b82\n", tree + "parent 83\n", parent, tree[:44], "tree " + parent[7:46] + "g\n"} {
		if err := ParseCommit([]byte(text), 20, &h); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestUnquote(t *testing.T) {
	for in, want := range map[string]string{
		`/plain "path"`: `/plain "path"`, `"a\tb"`: "a\tb", `"sp\303\244t"`: "spät", `"q\"\\"`: `q"\`, `"open`: `"open`, `"`: `"`, `"\"`: `"\"`, `"\9"`: `"\9"`,
	} {
		if got := unquote(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// A reader's memory of bases gives what was put there or nothing, also when it starts over.
func TestCache(t *testing.T) {
	var c cache
	fill := func(key uint64, size int) {
		room := c.room(key, Tree, size)
		for i := range room {
			room[i] = byte(key)
		}
	}
	for key := uint64(1); key < 4000; key++ {
		size := int(key*7919) % 9000
		if key%1000 == 0 {
			size = largeRing / ringObjects * int(key/1000) / 2
		}
		fill(key, size)
		if _, data, ok := c.get(key); !ok || len(data) != size {
			t.Fatalf("object %d is forgotten", key)
		}
		for old := key%7 + 1; old <= key; old += 7 {
			if _, data, ok := c.get(old); ok && bytes.Count(data, []byte{byte(old)}) != len(data) {
				t.Fatalf("object %d is overwritten", old)
			}
		}
	}
	c.forget(3999)
	if _, _, ok := c.get(3999); ok {
		t.Error("a forgotten object is there")
	}
}

// FuzzFiles opens files of every format with any content, and asks for whatever they list.
func FuzzFiles(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed, 0, byte(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, at int, flip byte) {
		if at >= 0 && at < len(data) {
			data = bytes.Clone(data)
			data[at] ^= flip
		}
		if x, err := parsePackIndex(data, 20); err == nil {
			for i := range min(x.ids.n, 50) {
				id := hashOf(x.ids.id(i), 20)
				x.find(&id)
			}
		}
		if m, names, err := parseMultiIndex(data, 20); err == nil {
			m.packs = make([]*pack, len(names))
			for i := range min(m.ids.n, 50) {
				id := hashOf(m.ids.id(i), 20)
				m.find(&id)
			}
		}
		readLayer(data)
		p := &pack{size: 20}
		p.opening.Do(func() { p.data, p.body = data, data[:max(len(data)-20, 0)] })
		p.indexing.Do(func() { p.indexErr = ErrMissing })
		r := (&Store{size: 20}).Reader()
		for offset := range min(int64(len(data)), 200) {
			r.unpack(Place{p, offset})
		}
		r.inflateLoose(data)
		FindEntry(data, "a", 20) //nolint:errcheck // it must not panic
		var h CommitHeader
		ParseCommit(data, 20, &h)
	})
}

func readLayer(data []byte) {
	l, err := parseLayer(data, 20, 0)
	if err != nil {
		return
	}
	g := &Graph{size: 20, layers: []*layer{l}, n: l.ids.n}
	for i := range min(g.n, 50) {
		id := g.ID(i)
		g.Find(&id)
		g.Commit(i, nil)
		g.MayChange(i, []PathKeys{NewPathKeys("a/b")})
	}
}

// seeds are small files as git writes them.
func seeds(f *testing.F) (all [][]byte) {
	f.Helper()
	paths, err := filepath.Glob("testdata/formats/*")
	if err != nil || len(paths) == 0 {
		f.Fatal("no files to begin with", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

// FuzzDelta makes an object from any base and steps.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("the base of it"), []byte("\x0e\x09\x90\x04\x05 more"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		from, size, steps, ok := deltaSizes(delta)
		if ok && from == len(base) && size < 1<<20 {
			applyDelta(make([]byte, size), base, steps)
		}
	})
}

func TestApplyDelta(t *testing.T) {
	dst := make([]byte, 9)
	if !applyDelta(dst, []byte("the base of it"), []byte("\x90\x04\x05 more")) || string(dst) != "the  more" {
		t.Errorf("%q", dst)
	}
	for _, steps := range []string{"", "\x00", "\x05ab", "\x90\x63", "\x80", "\x91\x0d\x04", "\x90\x04\x06 more!", "\xff"} {
		if applyDelta(dst, []byte("the base of it"), []byte(steps)) {
			t.Errorf("%q was applied", steps)
		}
	}
}
