package merge

import (
	"git-ralph/internal/jsonl"
)

// A valueSet is a set of values, each in the smallest spelling that was added.
type valueSet struct {
	all []jsonl.Value
	key func(v jsonl.Value) string // equal for values that are the same
	at  map[string]int             // by key
}

func newValueSet(key func(v jsonl.Value) string, some ...jsonl.Value) *valueSet {
	s := &valueSet{key: key, at: make(map[string]int, len(some))}
	s.add(some...)
	return s
}

func (s *valueSet) add(some ...jsonl.Value) {
	for _, v := range some {
		k := s.key(v)
		i, found := s.at[k]
		switch {
		case !found:
			s.at[k] = len(s.all)
			s.all = append(s.all, v)
		case v != "" && s.all[i] != "":
			s.all[i] = min(s.all[i], v)
		}
	}
}

func (s *valueSet) has(v jsonl.Value) bool {
	_, found := s.at[s.key(v)]
	return found
}

// equals reports whether two sets hold the same values.
func (s *valueSet) equals(other *valueSet) bool {
	if len(s.all) != len(other.all) {
		return false
	}
	for k := range s.at {
		if _, found := other.at[k]; !found {
			return false
		}
	}
	return true
}

// mergeSets merges three sets: base's values less what either side removed,
// plus what either added. A value to which a side resolved a conflict counts as
// added. Where nothing would be left, both sides stay.
func mergeSets(b, x, y *valueSet) *valueSet {
	merged := newValueSet(b.key)
	for _, sides := range [...][2]*valueSet{{x, y}, {y, x}} {
		side, other := sides[0], sides[1]
		for _, v := range side.all {
			if !b.has(v) || other.has(v) || resolved(b, side) {
				merged.add(v)
				if other.has(v) {
					merged.add(other.all[other.at[other.key(v)]]) // in its spelling
				}
			}
		}
	}
	if len(merged.all) == 0 {
		merged.add(x.all...)
		merged.add(y.all...)
	}
	return merged
}

// resolved reports whether a side resolved a conflict of several values to one.
func resolved(b, side *valueSet) bool { return len(side.all) == 1 && len(b.all) > 1 }
