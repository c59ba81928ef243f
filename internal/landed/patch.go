package landed

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A patch is what a commit changes, without line numbers.
type patch []filePatch

// filePatch is the part of a patch that changes one file.
type filePatch struct {
	name  string   // the line that names it
	modes []string // of a file that is added or removed, or that changes its mode
	index string   // of a binary file
	lines []string // "@@", and lines that begin with a blank, + or -
}

// readPatches reads the output of `git diff-tree -p --full-index --no-prefix`, by commit; "" where none is named.
func readPatches(text string) map[string]patch {
	all := map[string]patch{}
	commit := ""
	var left [2]int // lines of a hunk that are still to come, before and after
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		p := all[commit]
		last := len(p) - 1
		switch {
		case left[0] > 0 || left[1] > 0:
			if line == "" { // as with diff.suppressBlankEmpty
				line = " "
			}
			countDown(&left, line)
			p[last].lines = append(p[last].lines, line)
		case strings.HasPrefix(line, `\`) && last >= 0:
			n := len(p[last].lines) - 1
			p[last].lines[n] += "\n" + line
		case strings.HasPrefix(line, "diff --git "):
			all[commit] = append(p, filePatch{name: line})
		case strings.HasPrefix(line, "@@ "):
			left = hunkSize(line)
			p[last].lines = append(p[last].lines, "@@")
		case isID(line):
			commit = line
		case last >= 0:
			p[last].header(line)
		}
	}
	for _, p := range all {
		for i := range p {
			p[i].finish()
		}
	}
	return all
}

// header takes a line between the name of a file and its changes.
func (f *filePatch) header(line string) {
	switch {
	case strings.HasPrefix(line, "index "):
		f.index, _, _ = strings.Cut(strings.TrimPrefix(line, "index "), " ")
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "Binary files "):
	default:
		f.modes = append(f.modes, line)
	}
}

// finish drops the ids of a file whose lines say all.
func (f *filePatch) finish() {
	if len(f.lines) > 0 {
		f.index = ""
	}
}

func countDown(left *[2]int, line string) {
	switch {
	case strings.HasPrefix(line, "+"):
		left[1]--
	case strings.HasPrefix(line, "-"):
		left[0]--
	case strings.HasPrefix(line, `\`):
	default:
		left[0]--
		left[1]--
	}
}

// hunkSize reads how many lines a hunk has before and after: "@@ -1,3 +1,4 @@".
func hunkSize(line string) (left [2]int) {
	for i, field := range strings.Fields(line)[1:3] {
		_, count, several := strings.Cut(field, ",")
		left[i] = 1
		if several {
			left[i], _ = strconv.Atoi(count) //nolint:errcheck // git wrote it
		}
	}
	return left
}

func isID(line string) bool {
	return len(line) >= 40 && strings.Trim(line, "0123456789abcdef") == ""
}

// key is equal for equal patches.
func (p patch) key() string {
	var b strings.Builder
	for _, f := range p {
		for _, part := range slices.Concat([]string{f.name}, f.modes, []string{f.index}, f.lines) {
			b.WriteString(part + "\x00")
		}
	}
	return b.String()
}

// bare returns a patch without the lines around what it changes.
func (p patch) bare() patch {
	bare := slices.Clone(p)
	for i := range bare {
		var lines []string
		for _, line := range bare[i].lines {
			if line[0] == ' ' {
				line = "@@"
			}
			if line != "@@" || len(lines) > 0 && lines[len(lines)-1] != "@@" {
				lines = append(lines, line)
			}
		}
		if n := len(lines); n > 0 && lines[n-1] == "@@" {
			lines = lines[:n-1]
		}
		bare[i].lines = lines
	}
	return bare
}

func bareAll(patches []patch) []patch {
	all := make([]patch, len(patches))
	for i, p := range patches {
		all[i] = p.bare()
	}
	return all
}

// inverse returns the patch that takes a patch back.
func (p patch) inverse() patch {
	var back patch
	for _, f := range p {
		b := filePatch{name: f.name, modes: inverseModes(f.modes), lines: inverseLines(f.lines)}
		if from, to, ok := strings.Cut(f.index, ".."); ok {
			b.index = to + ".." + from
		}
		back = append(back, b)
	}
	return back
}

func inverseModes(modes []string) (back []string) {
	swap := strings.NewReplacer("new file mode", "deleted file mode", "deleted file mode", "new file mode", "old mode", "new mode", "new mode", "old mode")
	for _, m := range modes {
		back = append(back, swap.Replace(m))
	}
	slices.Reverse(back)
	return back
}

// inverseLines swaps what is removed and what is added; what is removed comes first.
func inverseLines(lines []string) (back []string) {
	var added []string
	for _, line := range append(slices.Clip(lines), "@@") {
		switch line[:1] {
		case "+":
			back = append(back, "-"+line[1:])
		case "-":
			added = append(added, "+"+line[1:])
		default:
			back = append(append(back, added...), line)
			added = nil
		}
	}
	return back[:len(back)-1]
}

// changed returns the lines that a patch adds or removes, with the file. Those without a letter or digit are in every file.
func (p patch) changed() map[string]bool {
	all := map[string]bool{}
	for _, f := range p {
		if f.index != "" {
			all[f.name] = true
		}
		for _, line := range f.lines {
			if line[0] != ' ' && strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				all[f.name+"\x00"+line] = true
			}
		}
	}
	return all
}

// shares reports whether a patch changes one of the lines.
func (p patch) shares(lines map[string]bool) bool {
	for line := range p.changed() {
		if lines[line] {
			return true
		}
	}
	return false
}
