package jsonc

import "strings"

// A member that Add makes is spelled with this behind its name, and one of a user hardly ever is: where only such a member is
// left around nothing, Remove takes it away too, and the file is what it was.
const colon = ":  "

// The spellings with which the outermost object of a file begins where Add made it: in a file that did not exist, and in one that
// was blank.
const (
	newFile   = "{ \n"
	blankFile = "{  \n"
)

// Add adds an element to the array at a path of names, and makes what is missing on the way. exists says whether there was a file.
// The errors are ErrSyntax and ErrKind.
func Add(src string, exists bool, path []string, element string) (string, error) {
	return add(src, exists, path, func(name string) string { return quote(name) + colon + "[" + element + "]" }, element)
}

// AddMember adds a member at a path of names, the last of which is its own. Where there is one, it stays.
func AddMember(src string, exists bool, path []string, value string) (string, error) {
	return add(src, exists, path, func(name string) string { return quote(name) + colon + value }, "")
}

// add adds what last makes of the last name of a path, or an element to the array that is there; without an element nothing.
func add(src string, exists bool, path []string, last func(name string) string, element string) (string, error) {
	root, err := Parse(src)
	if err != nil {
		return "", err
	}
	if root == nil {
		opening := newFile
		if exists {
			opening = blankFile
		}
		mark, rest := "", src
		if text, found := strings.CutPrefix(src, byteOrderMark); found {
			mark, rest = byteOrderMark, text
		}
		if src, err = add(mark+opening+"}"+rest, true, path, last, element); err != nil || exists {
			return src, err
		}
		return src + "\n", nil
	}
	style := styleOf(src, root)
	at := root
	for i, name := range path {
		if !at.IsObject() {
			return "", kindError(src, at, "an object")
		}
		next := at.Get(name)
		if next == nil {
			return insert(src, at, style, i+1, missing(path[i:], last, style, i+1)), nil
		}
		at = next
	}
	if element == "" {
		return src, nil
	}
	if !at.IsArray() {
		return "", kindError(src, at, "an array")
	}
	return insert(src, at, style, len(path)+1, element), nil
}

// SetMissing adds a member to the outermost object, unless it has one of that name.
func SetMissing(src, name, value string) (string, error) {
	root, err := Parse(src)
	if err != nil || root.Get(name) != nil {
		return src, err
	}
	if !root.IsObject() {
		return "", kindError(src, root, "an object")
	}
	return insert(src, root, styleOf(src, root), 1, quote(name)+colon+value), nil
}

// missing returns the text of a member, and of those around it that do not exist.
func missing(path []string, last func(name string) string, s style, depth int) string {
	if len(path) == 1 {
		return last(path[0])
	}
	inner := missing(path[1:], last, s, depth+1)
	return quote(path[0]) + colon + "{" + s.line(depth+1) + inner + s.line(depth) + "}"
}

const byteOrderMark = "\ufeff"

func quote(name string) string { return `"` + name + `"` }

// insert adds a member or an element behind the last one.
func insert(src string, in *Value, s style, depth int, text string) string {
	if n := len(in.Members); n > 0 {
		end := in.Members[n-1].End
		return src[:end] + "," + s.gap(depth) + text + src[end:]
	}
	at := in.Start + 1
	if in.IsArray() {
		return src[:at] + text + src[at:]
	}
	if strings.HasPrefix(src[in.Start:], newFile) || strings.HasPrefix(src[in.Start:], blankFile) {
		at = in.Start + strings.IndexByte(src[in.Start:], '\n') + 1
		return src[:at] + s.indent + text + "\n" + src[at:]
	}
	if !s.lines {
		return src[:at] + text + src[at:]
	}
	return src[:at] + s.line(depth) + text + s.end + src[at:]
}

// A style is how a file is laid out.
type style struct {
	lines  bool   // each member is on a line of its own
	indent string // of one level
	end    string // of a line
}

func styleOf(src string, root *Value) style {
	s := style{lines: true, indent: "  ", end: "\n"}
	if strings.Contains(src, "\r\n") {
		s.end = "\r\n"
	}
	if root.IsObject() && len(root.Members) > 0 {
		before := src[root.Start+1 : root.Members[0].KeyStart]
		at := strings.LastIndexByte(before, '\n')
		s.lines = at >= 0
		if indent := before[at+1:]; s.lines && indent != "" && strings.Trim(indent, " \t") == "" {
			s.indent = indent
		}
	}
	return s
}

// line returns a line break and the indentation of a level, "" where all is on one line.
func (s style) line(depth int) string {
	if !s.lines {
		return ""
	}
	return s.end + strings.Repeat(s.indent, depth)
}

// gap returns what separates a member from the one before.
func (s style) gap(depth int) string {
	if !s.lines {
		return " "
	}
	return s.line(depth)
}
