package markdown

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// A fragment is YAML that was taken out of the file: the frontmatter, or the lines of a block without what quotes and
// lists put before them.
type fragment struct {
	text   []byte
	begin  int     // of it in the file
	pieces []piece // in order; each begins a line
	rows   []int   // where the lines begin in the text, as YAML counts them
}

// A piece is a run of bytes of the file, after some blanks that stand for a part of a tab.
type piece struct{ text, blanks, source int }

// wholeFragment is a part of the file as it is.
func wholeFragment(src []byte, begin, end int) fragment {
	f := fragment{begin: begin}
	f.add(src[begin:end], 0, begin)
	return f.finished()
}

// add appends bytes of the file.
func (f *fragment) add(b []byte, blanks, source int) {
	f.pieces = append(f.pieces, piece{len(f.text), blanks, source})
	f.text = append(f.text, bytes.Repeat([]byte{' '}, blanks)...)
	f.text = append(f.text, b...)
}

// finished adds where the lines begin.
func (f fragment) finished() fragment {
	f.rows = []int{0}
	for i := 0; i < len(f.text); {
		n := lineBreak(f.text[i:])
		if n > 0 {
			f.rows = append(f.rows, i+n)
		}
		i += max(n, 1)
	}
	return f
}

// lineBreak returns the length of the line break that a text begins with: those of YAML 1.1, which the library counts.
func lineBreak(b []byte) int {
	switch {
	case b[0] == '\n':
		return 1
	case b[0] == '\r' && len(b) > 1 && b[1] == '\n':
		return 2
	case b[0] == '\r':
		return 1
	case b[0] == 0xc2 && len(b) > 1 && b[1] == 0x85: // next line
		return 2
	case b[0] == 0xe2 && len(b) > 2 && b[1] == 0x80 && (b[2] == 0xa8 || b[2] == 0xa9): // line and paragraph separator
		return 3
	}
	return 0
}

// offset returns the offset in the text of a line and a column in characters, both from 1.
func (f fragment) offset(line, column int) int {
	at := f.rows[min(max(line, 1), len(f.rows))-1]
	for ; column > 1 && at < len(f.text); column-- {
		_, n := utf8.DecodeRune(f.text[at:])
		at += n
	}
	return at
}

// source returns where an offset of the text is in the file.
func (f fragment) source(at int) int {
	i := sort.Search(len(f.pieces), func(i int) bool { return f.pieces[i].text > at }) - 1
	if i < 0 {
		return f.begin
	}
	p := f.pieces[i]
	return p.source + max(0, at-p.text-p.blanks)
}
