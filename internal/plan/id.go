package plan

import (
	"math"
)

const idDigits = "0123456789abcdefghijklmnopqrstuvwxyz"

// minIDLength is the shortest random part of an id.
const minIDLength = 4

// maxCollision is the probability that two of the known ids are equal at which
// new ids become longer.
const maxCollision = 0.005

// ValidID reports whether a new record may have an id: t-, i- or w- for its kind,
// and lower-case letters, digits and hyphens, not a hyphen first.
func ValidID(kind Kind, id string) bool {
	prefix := IDPrefix(kind)
	if len(id) <= len(prefix) || id[:len(prefix)] != prefix || id[len(prefix)] == '-' {
		return false
	}
	for _, c := range []byte(id[len(prefix):]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && c != '-' {
			return false
		}
	}
	return true
}

// IDPrefix returns what the ids of a kind begin with.
func IDPrefix(kind Kind) string {
	switch kind {
	case KindIssue:
		return "i-"
	case KindItem:
		return "w-"
	}
	return "t-"
}

// idLength returns how long the random part of an id must be among n known
// ids, by the birthday bound n²/(2·36^length).
func idLength(n int) int {
	length := minIDLength
	for float64(n)*float64(n)/(2*math.Pow(float64(len(idDigits)), float64(length))) >= maxCollision {
		length++
	}
	return length
}

// CrowdedIDs reports whether ids are too short for their number, so that two
// clones may make the same one. It also returns the length of the shortest
// random part, and the number of ids in the plan.
func (p *Plan) CrowdedIDs() (length, known int, crowded bool) {
	used := p.usedIDs()
	for id := range used {
		if n := len(id) - len(IDPrefix(KindTask)); length == 0 || n < length {
			length = n
		}
	}
	return length, len(used), length > 0 && length < idLength(len(used))
}

// An idSource makes ids that no record has or had.
type idSource struct {
	kind  Kind
	used  map[string]bool
	stamp Stamp
}

func (p *Plan) newIDs(kind Kind, stamp Stamp) idSource {
	return idSource{kind: kind, used: p.usedIDs(), stamp: stamp}
}

func (s *idSource) next() string {
	if s.stamp.Known != nil {
		for _, id := range s.stamp.Known() {
			s.used[id] = true
		}
		s.stamp.Known = nil
	}
	for length := idLength(len(s.used)); ; {
		id := IDPrefix(s.kind) + s.stamp.letters(length)
		if !s.used[id] {
			s.used[id] = true
			return id
		}
	}
}

// usedIDs returns every id that a record has or points at, so that a new
// record cannot take the place of one that is gone.
func (p *Plan) usedIDs() map[string]bool {
	used := make(map[string]bool, len(p.records))
	for i := range p.records {
		r := &p.records[i]
		used[r.ID()] = true
		for _, dep := range r.WaitsFor() {
			used[dep] = true
		}
		for _, link := range [...]string{"parent", "created_from", "supersedes"} {
			used[r.Text(link)] = true
		}
	}
	delete(used, "")
	return used
}

// letters returns n random digits of base 36.
func (s Stamp) letters(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = idDigits[s.Random(len(idDigits))]
	}
	return string(b)
}
