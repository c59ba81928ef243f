package fold

import (
	"errors"
	"iter"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/record"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// none is the position of a commit that is not in the graph.
const none = int32(-1)

// A builder makes a History. Commits go by their position in the graph: a child's is lower than its parents'.
type builder struct {
	Input
	commits  []walk.Commit
	places   map[git.Hash]int32          // of tips
	live     map[string]bool             // branches that there are, here or at a remote
	nonempty []int32                     // commits that record something, the oldest first
	inHead   []bool                      // which commits HEAD reaches
	undone   map[occurrence][]occurrence // for endings, what brought the life back
	logs     *branchReflogs              // once they were read
	reader   plan.LineReader
	result   *History
}

// Build returns the history that follows from what commits record. The errors are ErrPart and those of record.Versions.
func Build(in Input) (*History, error) {
	f := &builder{Input: in, commits: in.Graph.Commits, places: map[git.Hash]int32{}, live: map[string]bool{}, result: &History{}}
	for at := int32(len(in.Entries)) - 1; at >= 0; at-- {
		if in.Entries[at] != nil {
			f.nonempty = append(f.nonempty, at)
		}
	}
	f.findTips()
	lives := f.lives()
	f.makeEvents(lives)
	if err := f.findOrphans(); err != nil {
		return nil, err
	}
	f.limitToPart()
	if err := f.setStatuses(lives); err != nil {
		return nil, err
	}
	f.result.graph, f.result.head, f.result.builder = f.Graph, f.place(f.Head), f
	return f.result, f.warn()
}

// findTips finds the positions of HEAD and the tips in the graph.
func (f *builder) findTips() {
	wanted := map[git.Hash]bool{f.Head: true}
	for _, tip := range f.Tips {
		wanted[tip.Commit] = true
		f.live[tip.Branch] = tip.Branch != ""
	}
	var first [1 << 8]bool // most commits differ from all of them in a byte
	for id := range wanted {
		first[id[0]] = true
	}
	for at := range f.commits {
		if id := &f.commits[at].ID; first[id[0]] && wanted[*id] {
			f.places[*id] = int32(at)
		}
	}
}

// place returns the position of a tip.
func (f *builder) place(id git.Hash) int32 {
	if at, found := f.places[id]; found {
		return at
	}
	return none
}

// limitToPart leaves out the events that a part does not have all of; their lives keep them.
func (f *builder) limitToPart() {
	if f.Part != nil {
		f.result.Events = slices.DeleteFunc(f.result.Events, func(e *Event) bool { return !e.InHead || e.at > f.Part.Last })
	}
}

// entries yields the entries that record something, the oldest first.
func (f *builder) entries() iter.Seq[*record.Entry] {
	return func(yield func(*record.Entry) bool) {
		for _, at := range f.nonempty {
			if !yield(f.Entries[at]) {
				return
			}
		}
	}
}

// mergeNames returns the branches that the message of a merge names; see record.Entry.MergeNames.
func (f *builder) mergeNames(at int32) []string {
	f.Entries[at] = f.WithMessage(f.Entries[at], at)
	return f.Entries[at].MergeNames()
}

// planAt returns the plan of a commit as far as there is one.
func (f *builder) planAt(at int32) (*record.Version, error) {
	if at == none {
		return nil, nil
	}
	v, err := f.Plan(at)
	if errors.Is(err, git.ErrMissing) {
		return nil, nil
	}
	return v, err
}

// headDefect returns why HEAD's plan cannot be read, "" where it can.
func (f *builder) headDefect() (defect string, err error) {
	at := f.place(f.Head)
	if at == none {
		return "", nil
	}
	v, err := f.Plan(at)
	switch {
	case errors.Is(err, git.ErrMissing):
		return "an object is missing", nil
	case err == nil && !v.Valid():
		return "it is not a valid plan", nil
	}
	return "", err
}

// parse returns the record of a line that was read before.
func (f *builder) parse(text string) plan.Record {
	record, _ := f.reader.Record(jsonl.Line{Text: text, Number: 1})
	return record
}
