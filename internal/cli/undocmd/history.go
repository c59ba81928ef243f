package undocmd

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/undo"
)

// history is that of a commit.
type history struct {
	*walk.Graph
	walker   walk.Walker
	reader   *git.Reader
	repo     *git.Repo
	ctx      context.Context
	paths    []string // of the plan
	boundary []git.Hash
	places   map[git.Hash]int32
}

func openHistory(ctx context.Context, st *store.Store, head string) (*history, error) {
	tip, err := git.ParseHash(head)
	if err != nil {
		return nil, err
	}
	h := &history{walker: walk.Open(ctx, st.Repo()), reader: st.Repo().Reader(ctx), repo: st.Repo(), ctx: ctx, paths: st.PlanPaths()}
	if h.Graph, err = h.walker.Walk(walk.Request{Tips: []git.Hash{tip}, Paths: h.paths}); err == nil {
		h.boundary, err = walk.ShallowBoundary(st.Repo())
	}
	if err != nil {
		h.close()
		return nil, err
	}
	h.places = make(map[git.Hash]int32, len(h.Commits))
	for i := range h.Commits {
		h.places[h.Commits[i].ID] = int32(i)
	}
	return h, nil
}

func (h *history) close() {
	h.walker.Close() //nolint:errcheck // nothing was written
	h.reader.Close() //nolint:errcheck // see above
}

func (h *history) isShallow() bool { return len(h.boundary) > 0 }

func (h *history) idOf(at int32) string { return hex.EncodeToString(h.Commits[at].ID[:h.IDSize]) }

// placeOf returns the place of a commit in the graph; ok is false where it is not in the history.
func (h *history) placeOf(id string) (at int32, ok bool) {
	hash, err := git.ParseHash(id)
	if err != nil || len(id) != hex.EncodedLen(h.IDSize) {
		return 0, false
	}
	at, ok = h.places[hash]
	return at, ok
}

// log returns the history as package undo reads it.
func (h *history) log(author string, uncommitted []string) undo.Log {
	return undo.Log{
		Author: author, Newest: h.changes(),
		Has:  func(id string) bool { _, ok := h.placeOf(id); return ok },
		Open: undo.Commit{Author: author, Text: strings.Join(uncommitted, "\n")},
	}
}

// changes yields the commits that changed the plan, children first, but for merges, and for those of which it is not known.
func (h *history) changes() iter.Seq2[undo.Commit, error] {
	return func(yield func(undo.Commit, error) bool) {
		for at := range h.Commits {
			at := int32(at)
			if len(h.Parents(int(at))) > 1 || !h.isChanged(at) {
				continue
			}
			if c, err := h.read(at); !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// isChanged reports whether a commit has another plan than its first parent.
func (h *history) isChanged(at int32) bool {
	now, err := h.Commits[at].PlanID()
	if err != nil || h.isCut(at) {
		return false
	}
	parents := h.Parents(int(at))
	if len(parents) == 0 {
		return !now.IsZero()
	}
	before, err := h.Commits[parents[0]].PlanID()
	return err == nil && before != now
}

// isCut reports whether the parent of a commit is missing here.
func (h *history) isCut(at int32) bool {
	parents := h.Parents(int(at))
	return len(parents) > 0 && parents[0] < 0 || slices.Contains(h.boundary, h.Commits[at].ID)
}

func (h *history) read(at int32) (undo.Commit, error) {
	m, err := h.walker.Message(h.Commits[at].ID)
	return undo.Commit{ID: h.idOf(at), Author: m.Author.Address, Time: m.Author.Time, Text: m.Text}, err
}

// parentOf returns the first parent of a commit of the history, "" for none.
func (h *history) parentOf(id string) string {
	at, _ := h.placeOf(id)
	if parents := h.Parents(int(at)); len(parents) > 0 {
		return h.idOf(parents[0])
	}
	return ""
}

// version is the plan of a commit.
type version struct {
	name string // how errors name it
	data []byte
}

// plans returns the plan of a commit of the history, and the one before it.
func (h *history) plans(id string) (before, after version, err error) {
	at, _ := h.placeOf(id)
	if parents := h.Parents(int(at)); len(parents) > 0 {
		if before, err = h.planOf(parents[0]); err != nil {
			return before, after, err
		}
	}
	after, err = h.planOf(at)
	return before, after, err
}

func (h *history) planOf(at int32) (version, error) {
	c := &h.Commits[at]
	if c.Plan.IsZero() {
		return version{}, nil
	}
	path := h.paths[c.Path]
	blob := hex.EncodeToString(c.Plan[:h.IDSize])
	v := version{name: planio.Shortened(h.idOf(at)) + ":" + path}
	o, err := h.reader.Ask(blob)
	if err != nil && h.ctx.Err() == nil {
		err = &cmdline.HintedError{
			Err: fmt.Errorf("%s: %w", v.name, git.ErrMissing), Hint: "in a partial clone, `git ralph log --fetch` fetches the versions of the plan",
		}
	}
	if err != nil {
		return v, err
	}
	v.data = o.Data
	if smudge := h.repo.Smudge(h.ctx, path); smudge != nil {
		v.data, err = smudge(blob)
	}
	return v, err
}

// find returns the commit that the user named, where it can be taken back.
func (h *history) find(rev string) (undo.Commit, error) {
	id, err := h.resolve(rev)
	if err != nil {
		return undo.Commit{}, err
	}
	at, ok := h.placeOf(id)
	switch {
	case !ok:
		return undo.Commit{}, h.elsewhere(id)
	case h.isCut(at):
		return undo.Commit{}, &cmdline.HintedError{
			Err:  fmt.Errorf("the parent of %s is missing here, so it is not known what it changed", planio.Shortened(id)),
			Hint: "in a shallow clone, `git fetch --unshallow` fetches it",
		}
	case !h.isChanged(at):
		return undo.Commit{}, &cmdline.HintedError{
			Err:  fmt.Errorf("%s did not change the plan", planio.Shortened(id)),
			Hint: "`git log -- " + h.paths[0] + "` lists the commits that did",
		}
	}
	return h.read(at)
}

// resolve returns the id of the commit that a name stands for. A beginning of several names is that of the one in the history.
func (h *history) resolve(rev string) (string, error) {
	const shortest = 4
	id, err := h.reader.Resolve(rev)
	if err == nil || !errors.Is(err, git.ErrBadRevision) {
		return id, err
	}
	for _, kind := range [...]plan.Kind{plan.KindTask, plan.KindIssue, plan.KindItem} {
		if plan.ValidID(kind, rev) {
			return "", &cmdline.HintedError{Err: err, Hint: "`git ralph show " + rev + "` lists the commits of the " + string(kind)}
		}
	}
	if strings.Contains(rev, "..") || strings.HasPrefix(rev, "^") {
		return "", &cmdline.HintedError{Err: err, Hint: "undo takes back one commit at a time: name that"}
	}
	if len(rev) < shortest || strings.Trim(rev, "0123456789abcdef") != "" {
		return "", err
	}
	out, _ := h.repo.Git().Run(h.ctx, nil, "rev-parse", "--disambiguate="+rev)
	commits := slices.DeleteFunc(strings.Fields(out), func(id string) bool { _, ok := h.placeOf(id); return !ok })
	switch len(commits) {
	case 0:
		return "", err
	case 1:
		return commits[0], nil
	}
	return "", &cmdline.HintedError{Err: fmt.Errorf("%q is the beginning of more than one commit's name", rev), Hint: "give more of it: " + strings.Join(commits, ", ")}
}

// elsewhere returns the error for a commit that is not in the history, with the one that was made of it, if there is one.
func (h *history) elsewhere(id string) error {
	err := fmt.Errorf("%s is not in the history of HEAD, so the plan does not have what it did", planio.Shortened(id))
	hash, _ := git.ParseHash(id)
	m, broken := h.walker.Message(hash)
	old := undo.Commit{ID: id, Author: m.Author.Address, Time: m.Author.Time, Text: m.Text}
	for c, unreadable := range h.changes() {
		if broken != nil || unreadable != nil {
			break
		}
		if c.IsCopyOf(old) {
			return &cmdline.HintedError{Err: err, Hint: fmt.Sprintf("it was made again as %s: `git ralph undo %[1]s`", planio.Shortened(c.ID))}
		}
	}
	return err
}

// maxOffered is how many commits are offered to complete an argument.
const maxOffered = 30

// undoable offers the last commits that changed the plan.
func undoable(ctx context.Context, env *term.Env, _ *cmdline.Line) (all []cmdline.Candidate) {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return nil
	}
	head, err := st.Resolve(ctx, "HEAD")
	if err != nil {
		return nil
	}
	h, err := openHistory(ctx, st, head)
	if err != nil {
		return nil
	}
	defer h.close()
	for c, err := range h.changes() {
		if err != nil || len(all) == maxOffered {
			break
		}
		all = append(all, cmdline.Candidate{Text: planio.Shortened(c.ID), About: c.Subject()})
	}
	return all
}
