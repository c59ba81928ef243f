package jsonc

import (
	"errors"
	"fmt"
	"strings"
)

// ErrKind: a value is of another kind than it has to be.
var ErrKind = errors.New("unexpected value")

func kindError(src string, v *Value, want string) error {
	return fmt.Errorf("%w in line %d: want %s", ErrKind, 1+strings.Count(src[:v.Start], "\n"), want)
}

// Remove removes every object that isOurs accepts from the arrays and objects below the outermost object, and whatever Add made around them. gone
// reports that nothing is left of a file that Add made. The error is ErrSyntax.
func Remove(src string, isOurs func(*Value) bool) (out string, gone bool, err error) {
	for {
		root, err := Parse(src)
		if err != nil || root == nil {
			return src, false, err
		}
		parent, at := find(root, isOurs)
		if parent == nil {
			parent, at = findMade(src, root)
		}
		if parent == nil {
			out, gone = unwrap(src, root)
			return out, gone, nil
		}
		src = cut(src, parent, at)
	}
}

// find returns an element of an array, or a member of an object, that is ours.
func find(v *Value, isOurs func(*Value) bool) (*Value, int) {
	for i := range v.Members {
		m := &v.Members[i]
		if m.IsObject() && isOurs(m) {
			return v, i
		}
		if parent, at := find(m, isOurs); parent != nil {
			return parent, at
		}
	}
	return nil, 0
}

// findMade returns a member that Add made and that holds nothing; the one that SetMissing made, where nothing else is left.
func findMade(src string, v *Value) (*Value, int) {
	for i := range v.Members {
		m := &v.Members[i]
		if parent, at := findMade(src, m); parent != nil {
			return parent, at
		}
		if !isMade(src, m) {
			continue
		}
		isContainer := m.IsObject() || m.IsArray()
		if isContainer && strings.TrimSpace(m.Text[1:len(m.Text)-1]) == "" || !isContainer && !madeAny(src, v) {
			return v, i
		}
	}
	return nil, 0
}

// madeAny reports whether Add made an object among the members, around what a user added to it.
func madeAny(src string, v *Value) bool {
	for i := range v.Members {
		if m := &v.Members[i]; m.IsObject() && isMade(src, m) {
			return true
		}
	}
	return false
}

func isMade(src string, m *Value) bool {
	return m.KeyEnd > 0 && src[m.KeyEnd:m.Start] == colon
}

// cut removes a member or an element together with what was added for it.
func cut(src string, in *Value, i int) string {
	m := &in.Members[i]
	switch {
	case i > 0:
		return src[:in.Members[i-1].End] + src[m.End:]
	case len(in.Members) > 1:
		return src[:m.start()] + src[in.Members[1].start():]
	}
	from, to := m.start(), m.End
	before := src[in.Start+1 : from]
	at := strings.LastIndexByte(before, '\n') + 1
	if !in.IsObject() || strings.Trim(before[at:], " \t") != "" {
		return src[:from] + src[to:]
	}
	switch line := before[:at]; {
	case (line == "\n" || line == "\r\n") && strings.HasPrefix(src[to:], line):
		return src[:in.Start+1] + src[to+len(line):]
	case ("{"+line == newFile || "{"+line == blankFile) && strings.HasPrefix(src[to:], "\n"):
		return src[:in.Start+1+at] + src[to+1:]
	}
	return src[:from] + src[to:]
}

// unwrap removes the outermost object where Add made it and nothing is left in it. gone reports that Add made the file, too.
func unwrap(src string, root *Value) (out string, gone bool) {
	switch root.Text {
	case newFile + "}":
		return src, src == newFile+"}\n"
	case blankFile + "}":
		return src[:root.Start] + src[root.End:], false
	}
	return src, false
}
