package commit

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
)

// errIndexShape: the index has a form that is left to git: split, sparse at the path, or unknown.
var errIndexShape = errors.New("index is not plain")

// indexEntry is one entry of the index, or one side of an unmerged one.
type indexEntry struct {
	mode         string // "100644"
	id           string // hex
	stage        int    // 0, or 1 to 3 while unmerged
	assumeValid  bool   // assume-unchanged
	skipWorktree bool
	intentToAdd  bool
}

// Bits of an index entry's flags.
const (
	flagAssumeValid  = 0x8000
	flagExtended     = 0x4000
	flagNameLength   = 0x0fff
	flagSkipWorktree = 0x4000 // of the second word
	flagIntentToAdd  = 0x2000 // of the second word
)

const statSize = 40 // bytes of stat data before an entry's object id; the mode is at 24

// indexScanner walks over the entries of an index file, versions 2 to 4.
type indexScanner struct {
	data    []byte
	pos     int
	version uint32
	left    uint32
	idSize  int
	name    []byte // name of the current entry; overwritten by the next
	prev    []byte
}

func scanIndex(data []byte, idSize int) (*indexScanner, error) {
	if len(data) < 12+idSize || string(data[:4]) != "DIRC" {
		return nil, errIndexShape
	}
	s := &indexScanner{data: data, pos: 12, version: binary.BigEndian.Uint32(data[4:]), idSize: idSize}
	s.left = binary.BigEndian.Uint32(data[8:])
	if s.version < 2 || s.version > 4 {
		return nil, errIndexShape
	}
	return s, nil
}

// findInIndex returns the entries at each of paths.
func findInIndex(data []byte, idSize int, paths []string) (indexEntries, error) {
	s, err := scanIndex(data, idSize)
	if err != nil {
		return nil, err
	}
	found := indexEntries{}
	wanted := make(map[string]bool, len(paths))
	for _, path := range paths {
		wanted[path] = true
	}
	for s.left > 0 {
		at, flags, err := s.next()
		if err != nil {
			return nil, err
		}
		if wanted[string(s.name)] {
			found[string(s.name)] = append(found[string(s.name)], s.entry(at, flags))
		} else if s.isDirectory() && slices.ContainsFunc(paths, s.hides) {
			return nil, errIndexShape
		}
	}
	return found, s.extensions()
}

// isDirectory reports whether the current entry is a directory, as in a sparse index.
func (s *indexScanner) isDirectory() bool { return len(s.name) > 0 && s.name[len(s.name)-1] == '/' }

// hides reports whether path is in the directory that the current entry represents.
func (s *indexScanner) hides(path string) bool {
	return len(path) > len(s.name) && path[:len(s.name)] == string(s.name)
}

// next goes to the next entry and returns where it starts and both words of its flags.
func (s *indexScanner) next() (at int, flags uint32, err error) {
	at = s.pos
	p := at + statSize + s.idSize
	if p+4 > len(s.data) {
		return 0, 0, errIndexShape
	}
	flags = uint32(binary.BigEndian.Uint16(s.data[p:])) << 16
	p += 2
	if flags>>16&flagExtended != 0 {
		flags |= uint32(binary.BigEndian.Uint16(s.data[p:]))
		p += 2
	}
	s.left--
	if s.version == 4 {
		return at, flags, s.compressedName(p)
	}
	return at, flags, s.plainName(at, p, int(flags>>16&flagNameLength))
}

// plainName reads a name that is padded with NUL to a multiple of eight bytes.
func (s *indexScanner) plainName(at, p, length int) error {
	if length == flagNameLength {
		if length = bytes.IndexByte(s.data[min(p, len(s.data)):], 0); length < 0 {
			return errIndexShape
		}
	}
	if p+length >= len(s.data) {
		return errIndexShape
	}
	s.name = s.data[p : p+length]
	s.pos = at + (p-at+length+8)&^7
	return nil
}

// compressedName reads how much of the previous name to drop, and what follows then, up to a NUL.
func (s *indexScanner) compressedName(p int) error {
	drop, n := offsetVarint(s.data[p:])
	if n == 0 || drop > len(s.prev) {
		return errIndexShape
	}
	p += n
	end := bytes.IndexByte(s.data[p:], 0)
	if end < 0 {
		return errIndexShape
	}
	s.prev = append(s.prev[:len(s.prev)-drop], s.data[p:p+end]...)
	s.name = s.prev
	s.pos = p + end + 1
	return nil
}

// offsetVarint reads git's variable-length number and returns how many bytes it took, 0 for a broken one.
func offsetVarint(data []byte) (value, n int) {
	for n < len(data) && n < 8 {
		c := data[n]
		n++
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, n
		}
		value++
	}
	return 0, 0
}

func (s *indexScanner) entry(at int, flags uint32) indexEntry {
	mode := binary.BigEndian.Uint32(s.data[at+24:])
	return indexEntry{
		mode:         strconv.FormatUint(uint64(mode), 8),
		id:           hex.EncodeToString(s.data[at+statSize : at+statSize+s.idSize]),
		stage:        int(flags >> 16 >> 12 & 3),
		assumeValid:  flags>>16&flagAssumeValid != 0,
		skipWorktree: flags&flagSkipWorktree != 0,
		intentToAdd:  flags&flagIntentToAdd != 0,
	}
}

// extensions returns errIndexShape if an extension after the entries changes their meaning. Extensions that may be ignored have
// a name that starts with a capital letter.
func (s *indexScanner) extensions() error {
	for s.pos+8 <= len(s.data)-s.idSize {
		name := string(s.data[s.pos : s.pos+4])
		if (name[0] < 'A' || name[0] > 'Z') && name != "sdir" {
			return errIndexShape
		}
		size := int(binary.BigEndian.Uint32(s.data[s.pos+4:]))
		s.pos += 8 + size
	}
	return nil
}
