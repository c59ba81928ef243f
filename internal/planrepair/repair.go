package planrepair

import (
	"errors"
	"iter"
	"slices"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// ErrNothingToRepair says that a file is a valid plan and not in conflict.
var ErrNothingToRepair = errors.New("nothing is left to repair")

// A File is a plan file that may be in conflict, and what is known of how it
// came to be.
type File struct {
	Path   string    // for messages
	Data   []byte    // as it is in the worktree; empty where there is none
	Stages *Versions // what git's index holds of a file in conflict; nil of any other

	// Sources yields versions that a file with conflict markers may have been
	// merged from, the likeliest first. Each is read only when it is yielded. It may be nil.
	Sources iter.Seq2[Versions, error]
}

// An Origin says what a plan was made of.
type Origin string

// The origins.
const (
	ByHand     Origin = "file"       // the file itself, which is valid
	Stages     Origin = "index"      // the versions in git's index
	History    Origin = "history"    // the versions that git merged
	Markers    Origin = "markers"    // the sections between conflict markers
	Duplicates Origin = "duplicates" // the records of one id
)

// A Result is a valid plan and how it was made.
type Result struct {
	merge.Result
	Origin Origin
}

// Repair makes a valid plan of a file. The errors are ErrNothingToRepair, a
// *plan.InvalidError for content that cannot be repaired, and those of Sources.
func Repair(f File) (Result, error) {
	_, problems := plan.DecodeBytes(f.Data)
	if len(problems) == 0 && f.Stages == nil {
		return Result{}, ErrNothingToRepair
	}
	s := repairer{path: f.Path}
	data, origin, err := s.file(f, problems)
	if err != nil {
		return Result{}, err
	}
	return Result{merge.Result{Data: data, Conflicts: s.conflicts, Discarded: s.discarded}, origin}, nil
}

// A repairer collects what the merges of one repair recorded and discarded.
type repairer struct {
	path      string
	conflicts []merge.Conflict
	discarded []merge.DiscardedValue
}

// file makes a valid plan of a file, and reports what of.
func (s *repairer) file(f File, problems plan.Problems) ([]byte, Origin, error) {
	if f.Stages != nil && !f.isEdited(problems) {
		data, err := s.merge(*f.Stages)
		return data, Stages, err
	}
	if len(problems) == 0 {
		return f.Data, ByHand, nil
	}
	if hasMarkers(problems) && f.Sources != nil {
		for v, err := range f.Sources {
			if err != nil {
				return nil, "", err
			}
			if v.produced(text(f.Data)) {
				data, err := s.merge(v)
				return data, History, err
			}
		}
	}
	origin := Duplicates
	if hasMarkers(problems) {
		origin = Markers
	}
	data, err := s.repair(f.Path, f.Data)
	return data, origin, err
}

// isEdited reports whether somebody edited a file in conflict after git wrote it.
// Git writes one of the sides, or lines of the versions with markers. Edits must
// not be lost.
func (f File) isEdited(problems plan.Problems) bool {
	if len(f.Data) == 0 || same(f.Data, f.Stages.Ours) || same(f.Data, f.Stages.Theirs) {
		return false
	}
	return len(problems) == 0 || !f.Stages.produced(text(f.Data))
}

func hasMarkers(problems plan.Problems) bool {
	return slices.ContainsFunc(problems, func(p plan.Problem) bool { return p.Code == plan.CodeConflictMarker })
}

// merge merges three versions. One that is not a valid plan is repaired first,
// if it can be.
func (s *repairer) merge(v Versions) ([]byte, error) {
	result, err := merge.Merge(v.Base, v.Ours, v.Theirs)
	if _, invalid := errors.AsType[*merge.InvalidError](err); invalid {
		for _, part := range []struct {
			name string
			data *[]byte
		}{{"base", &v.Base}, {"ours", &v.Ours}, {"theirs", &v.Theirs}} {
			if *part.data, err = s.repair(s.path+" ("+part.name+")", *part.data); err != nil {
				return nil, err
			}
		}
		result, err = merge.Merge(v.Base, v.Ours, v.Theirs)
	}
	if err != nil {
		return nil, err
	}
	s.conflicts = append(s.conflicts, result.Conflicts...)
	s.discarded = append(s.discarded, result.Discarded...)
	return result.Data, nil
}

// repair makes a valid plan of one file by itself. Name is for messages.
func (s *repairer) repair(name string, data []byte) ([]byte, error) {
	_, problems := plan.DecodeBytes(data)
	broken := slices.DeleteFunc(slices.Clone(problems), func(p plan.Problem) bool {
		return p.Code == plan.CodeConflictMarker || p.Code == plan.CodeDuplicateID
	})
	switch {
	case len(problems) == 0:
		return data, nil
	case len(broken) > 0:
		return nil, &plan.InvalidError{File: name, Problems: broken}
	case hasMarkers(problems):
		return s.mergeSections(name, data)
	}
	return s.mergeDuplicates(data)
}

// mergeSections merges the sections between conflict markers.
func (s *repairer) mergeSections(name string, data []byte) ([]byte, error) {
	parts, err := parse(text(data))
	if stray, ok := errors.AsType[*strayError](err); ok {
		return nil, &plan.InvalidError{File: name, Problems: plan.Problems{stray.problem}}
	}
	if err != nil {
		return nil, err
	}
	return s.mergeParts(parts)
}

// mergeParts merges the versions of a file, or of a section of it. Parts without
// conflicts are taken as they are.
func (s *repairer) mergeParts(parts []part) ([]byte, error) {
	if !slices.ContainsFunc(parts, func(p part) bool { return p.conflict != nil }) {
		return s.side(parts, nil)
	}
	var v Versions
	var err error
	if v.Ours, err = s.side(parts, func(c *conflict) []part { return c.ours }); err != nil {
		return nil, err
	}
	if v.Theirs, err = s.side(parts, func(c *conflict) []part { return c.theirs }); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(parts, func(p part) bool { return p.conflict != nil && !p.conflict.hasBase }) {
		v.Base = commonBase(v.Ours, v.Theirs)
	} else if v.Base, err = s.side(parts, func(c *conflict) []part { return c.base }); err != nil {
		return nil, err
	}
	return s.merge(v)
}

// side assembles one version of a file, from the sections that choose selects, and
// merges records with the same id.
func (s *repairer) side(parts []part, choose func(*conflict) []part) ([]byte, error) {
	var data []byte
	for _, p := range parts {
		data = append(data, p.text...)
		if p.conflict == nil {
			continue
		}
		section, err := s.mergeParts(choose(p.conflict))
		if err != nil {
			return nil, err
		}
		data = append(data, section...)
	}
	return s.mergeDuplicates(data)
}

// mergeDuplicates merges records with the same id as if each had been added by
// another side.
func (s *repairer) mergeDuplicates(data []byte) ([]byte, error) {
	base, sides := splitDuplicates(text(data))
	if len(sides) == 0 {
		return data, nil
	}
	united := sides[0]
	for _, side := range sides[1:] {
		var err error
		if united, err = s.merge(Versions{Base: base, Ours: united, Theirs: side}); err != nil {
			return nil, err
		}
	}
	return united, nil
}
