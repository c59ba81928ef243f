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

// produced reports whether a file with conflict markers was made of these versions and of nothing else: every line that is
// not a marker is in one of them. The lines below "|||||||" do not count, since nobody wrote them there. The file may have
// been cut short anywhere, by a crash or a full disk.
func (v Versions) produced(file string) bool {
	known := map[string]bool{"": true}
	for _, data := range [...][]byte{v.Base, v.Ours, v.Theirs} {
		for line := range jsonl.Lines(text(data)) {
			known[trimmed(line.Text)] = true
		}
	}
	hidden := 0 // the size of the markers around a base section
	for line := range jsonl.Lines(file) {
		switch s, size := markerOf(line.Text); {
		case hidden == 0 && s == baseSign:
			hidden = size
		case hidden == size && s == theirsSign:
			hidden = 0
		case hidden == 0 && s == 0 && !known[trimmed(line.Text)] && !isCut(line, known):
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
	text := trimmed(line.Text)
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

// trimmed returns a line without white space and a byte-order mark, which git and editors may add or remove.
func trimmed(line string) string { return strings.Trim(strings.TrimPrefix(line, "\ufeff"), " \t\r") }

func text(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// same reports whether two files are equal except for their line endings.
func same(a, b []byte) bool {
	return strings.ReplaceAll(text(a), "\r\n", "\n") == strings.ReplaceAll(text(b), "\r\n", "\n")
}

// commonBase makes a base for two versions whose base is unknown: the lines that
// both have, and of records that differ the members that are equal. So whatever
// only one version has counts as added, never as removed by the other.
func commonBase(ours, theirs []byte) []byte {
	if text(ours) > text(theirs) {
		ours, theirs = theirs, ours // the result must not depend on which of them is ours
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

// formerIDs returns the ids that records had before a merge gave them others. Two records of such an id are the same only if
// package merge says so.
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

// inCommon returns what a record has in common with the one of a plan that is the same spec, task or issue, "" where there
// is none.
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

// isNamed reports whether a record has an id that no other record of its kind
// may have.
func isNamed(r plan.Record) bool {
	return r.Kind().HasUniqueID() && r.ID() != ""
}

// splitDuplicates returns a file without the records of repeated ids, and one side for each occurrence: side n has the nth
// record of each repeated id.
func splitDuplicates(file string) (base []byte, sides [][]byte) {
	occurrences := occurrencesOf(file)
	for _, n := range occurrences {
		sides = append(sides, make([][]byte, max(0, n-len(sides)))...)
	}
	for line := range jsonl.Lines(file) {
		whole := line.Text + line.Ending
		if line.Ending == "" {
			whole += "\n"
		}
		n := occurrences[line.Number]
		if n == 0 {
			base = append(base, whole...)
		}
		for i := range sides {
			if n == 0 || n == i+1 {
				sides[i] = append(sides[i], whole...)
			}
		}
	}
	return base, sides
}

// occurrencesOf numbers the records of each repeated id, by line.
func occurrencesOf(file string) map[int]int {
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
	occurrences := map[int]int{}
	for _, at := range lines {
		if len(at) < 2 {
			continue
		}
		for i, line := range at {
			occurrences[line] = i + 1
		}
	}
	return occurrences
}
