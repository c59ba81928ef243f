package fold

import (
	"errors"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/record"
)

// Input is all that the fold reads.
type Input struct {
	record.Source
	Entries []*record.Entry // what commits record, by position; the messages of merges that the fold reads are added

	Head git.Hash // zero where there is none yet
	Tips []Tip    // by priority where HEAD's history does not say how a life ended

	Main    string                     // name of the main line, "" where there is no branch
	Remotes []string                   // names of remotes, as git.CutRemote takes them
	Logs    func() []walk.BranchReflog // reads the reflogs of local branches; nil for none

	Part *Part // nil where Graph is whole

	Warnings []string // of what could not be read for it
}

// A Part says that Graph is the newest part of a graph, and that entries are of some tasks only.
type Part struct {
	Last   int32                    // up to this position the entries have all events of HEAD's history
	Beyond func(digits string) bool // whether the id of a commit beyond the part begins so
}

// ErrPart is the error of a fold whose answer does not follow from the Part.
var ErrPart = errors.New("the answer does not follow from this part of the history")

// needWhole returns ErrPart where a part is folded.
func (f *builder) needWhole() error {
	if f.Part != nil {
		return ErrPart
	}
	return nil
}

// A Tip is a branch or a tag.
type Tip struct {
	Commit git.Hash
	Branch string // its name without that of a remote; "" for a tag or a detached HEAD
	Local  bool   // it is no branch of a remote
	Tag    string // the name of a tag, "" for a branch
}
