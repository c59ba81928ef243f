package odb

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"

	"git-ralph/internal/mmap"
)

// multiIndex says for many packs at once which of them holds an object, and where.
type multiIndex struct {
	data    mmap.Data
	ids     idTable
	packs   []*pack // in the file's order
	offsets []byte  // 8 bytes each: pack, offset
	large   []byte
}

func openMultiIndex(path string, size int, named func(path string) *pack) (*multiIndex, error) {
	data, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	m, names, err := parseMultiIndex(data, size)
	if err != nil {
		data.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, name := range names {
		m.packs = append(m.packs, named(filepath.Join(filepath.Dir(path), name)))
	}
	return m, nil
}

func parseMultiIndex(data []byte, size int) (*multiIndex, []string, error) {
	if len(data) < 12+size || string(data[:4]) != "MIDX" {
		return nil, nil, ErrCorrupt
	}
	if data[4] != 1 || data[5] != hashVersion(size) || data[7] != 0 {
		return nil, nil, ErrUnsupported
	}
	chunks, ok := readChunks(data[:len(data)-size], 12, int(data[6]))
	if !ok {
		return nil, nil, ErrCorrupt
	}
	m := &multiIndex{data: data, offsets: chunks["OOFF"], large: chunks["LOFF"]}
	names := strings.Split(string(chunks["PNAM"]), "\x00")
	count := int(binary.BigEndian.Uint32(data[8:]))
	m.ids, ok = newIDTable(chunks["OIDF"], chunks["OIDL"], size, size)
	if !ok || len(m.offsets)/8 < m.ids.n || len(names) < count {
		return nil, nil, ErrCorrupt
	}
	names = names[:count]
	for i, name := range names {
		base, isIndex := strings.CutSuffix(name, ".idx")
		if !isIndex || filepath.Base(name) != name {
			return nil, nil, ErrCorrupt
		}
		names[i] = base + ".pack"
	}
	return m, names, nil
}

// find returns the pack that holds an object, and the place in it.
func (m *multiIndex) find(id *Hash) (at Place, ok bool) {
	i, ok := m.ids.find(id)
	if !ok {
		return Place{}, false
	}
	return m.place(i)
}

// place returns the pack and the place in it of the object with that place in the index.
func (m *multiIndex) place(i int) (at Place, ok bool) {
	number := int(binary.BigEndian.Uint32(m.offsets[8*i:]))
	if number >= len(m.packs) {
		return Place{}, false
	}
	low := binary.BigEndian.Uint32(m.offsets[8*i+4:])
	if m.large == nil { // then the high bit is a part of the number
		return Place{m.packs[number], int64(low)}, true
	}
	offset, ok := largeOffset(low, m.large)
	return Place{m.packs[number], offset}, ok
}

// hashVersion is the number by which formats report which hash they use.
func hashVersion(size int) byte {
	if size == 32 {
		return 2
	}
	return 1
}

// readChunks reads the table of contents that starts at data[at:]: for each chunk its name, 4 letters, and where it begins,
// 8 bytes; one more line says where the last one ends. data ends before the file's checksum.
func readChunks(data []byte, at, count int) (map[string][]byte, bool) {
	if len(data) < at+12*(count+1) {
		return nil, false
	}
	chunks := make(map[string][]byte, count)
	for range count {
		start := binary.BigEndian.Uint64(data[at+4:])
		end := binary.BigEndian.Uint64(data[at+16:])
		if start > end || end > uint64(len(data)) {
			return nil, false
		}
		chunks[string(data[at:at+4])] = data[start:end]
		at += 12
	}
	return chunks, true
}
