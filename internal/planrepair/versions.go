package planrepair

import (
	"slices"
	"strings"
	"unsafe"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Versions are the three contents of a plan file that a merge starts from. One
// in which there was no file is empty.
type Versions struct{ Base, Ours, Theirs []byte }

// made reports whether a file with conflict markers was made of these versions
// and of nothing else: every line that is not a marker stands in one of them.
// What stands below "|||||||" does not count, since nobody wrote it there. The
// file may have been cut short anywhere, by a crash or a full disk.
func (v Versions) made(file string) bool {
	known := map[string]bool{"": true}
	for _, data := range [...][]byte{v.Base, v.Ours, v.Theirs} {
		for line := range jsonl.Lines(text(data)) {
			known[bare(line.Text)] = true
		}
	}
	hidden := 0 // the size of the markers around a base section
	for line := range jsonl.Lines(file) {
		switch s, size := markerOf(line.Text); {
		case hidden == 0 && s == baseSign:
			hidden = size
		case hidden == size && s == theirsSign:
			hidden = 0
		case hidden == 0 && s == 0 && !known[bare(line.Text)] && !isCut(line, known):
			return false
		}
	}
	return true
}

// isCut reports whether a line is the beginning of a conflict marker or of a known
// line, at the end of a file.
func isCut(line jsonl.Line, known map[string]bool) bool {
	if line.Ending != "" {
		return false
	}
	text := bare(line.Text)
	if strings.Contains("<|=>", text[:1]) && strings.Trim(text, text[:1]) == "" {
		return true
	}
	for whole := range known {
		if strings.HasPrefix(whole, text) {
			return true
		}
	}
	return false
}

// bare returns a line without what git, editors and file systems add and take
// away.
func bare(line string) string { return strings.Trim(strings.TrimPrefix(line, "\ufeff"), " \t\r") }

func text(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// same reports whether two files are alike but for the line endings.
func same(a, b []byte) bool {
	return strings.ReplaceAll(text(a), "\r\n", "\n") == strings.ReplaceAll(text(b), "\r\n", "\n")
}

// shared makes a base for two versions that have lost theirs: the lines that
// both have, and of records that differ the members in which they do not. With
// it, what one version alone has counts as added, never as removed by the
// other.
func shared(ours, theirs []byte) []byte {
	if text(ours) > text(theirs) {
		ours, theirs = theirs, ours // which of them is ours means nothing
	}
	x, _ := plan.DecodeBytes(ours)
	y, _ := plan.DecodeBytes(theirs)
	rest := map[string]int{} // lines of y that are not taken yet
	for _, r := range y.Records() {
		rest[r.JSON()]++
	}
	former := formerIDs(x, y)
	var b strings.Builder
	for _, r := range x.Records() {
		line := r.JSON()
		if rest[line] > 0 {
			rest[line]--
		} else if line = inCommon(r, y); line == "" || former[r.ID()] {
			continue
		}
		b.WriteString(line + "\n")
	}
	return []byte(b.String())
}

// formerIDs returns the ids that records had before a merge gave them others. Two
// records of such an id are the same only if the engine says so.
func formerIDs(plans ...*plan.Plan) map[string]bool {
	ids := map[string]bool{}
	for _, p := range plans {
		for _, r := range p.Records() {
			for _, id := range r.Texts("renamed_from") {
				ids[id] = true
			}
		}
	}
	return ids
}

// inCommon returns what a record has in common with the one of a plan that is
// the same spec, task or issue, "" where there is none.
func inCommon(r plan.Record, p *plan.Plan) string {
	if !isNamed(r) && r.Kind() != plan.KindSpec {
		return ""
	}
	all := p.Of(r.Kind())
	i := slices.IndexFunc(all, r.SameTask)
	if i < 0 {
		return ""
	}
	members := slices.DeleteFunc(r.Object().Members(), func(m jsonl.Member) bool {
		v, _ := all[i].Get(m.Name)
		return v != m.Value
	})
	return plan.MakeRecord(r.Kind(), members).JSON()
}

// isNamed reports whether a record is of a kind in which an id stands once.
func isNamed(r plan.Record) bool {
	return (r.Kind() == plan.KindTask || r.Kind() == plan.KindIssue) && r.ID() != ""
}

// divide takes the records of ids that stand more than once out of a file. Each
// of the sides has one of them back, the first of each id on the first side.
func divide(file string) (base []byte, sides [][]byte) {
	turns := turnsOf(file)
	for _, turn := range turns {
		sides = append(sides, make([][]byte, max(0, turn-len(sides)))...)
	}
	for line := range jsonl.Lines(file) {
		whole := line.Text + line.Ending
		if line.Ending == "" {
			whole += "\n"
		}
		turn := turns[line.Number]
		if turn == 0 {
			base = append(base, whole...)
		}
		for i := range sides {
			if turn == 0 || turn == i+1 {
				sides[i] = append(sides[i], whole...)
			}
		}
	}
	return base, sides
}

// turnsOf numbers, by their lines, the records of each id that stands more than
// once.
func turnsOf(file string) map[int]int {
	type identity struct {
		kind plan.Kind
		id   string
	}
	p, _ := plan.Decode(file)
	lines := map[identity][]int{}
	for _, r := range p.Records() {
		if isNamed(r) {
			key := identity{r.Kind(), r.ID()}
			lines[key] = append(lines[key], r.Line())
		}
	}
	turns := map[int]int{}
	for _, at := range lines {
		if len(at) < 2 {
			continue
		}
		for i, line := range at {
			turns[line] = i + 1
		}
	}
	return turns
}
