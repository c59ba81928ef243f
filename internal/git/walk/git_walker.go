package walk

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
)

// gitWalker is the engine that runs git: `git rev-list` for commits, `git cat-file --batch` for what they hold.
type gitWalker struct {
	repo  *git.Repo
	ctx   context.Context
	files *git.Reader

	broken []string // references
}

// References implements Walker.
func (w *gitWalker) References() ([]git.Tip, error) {
	args := []string{"for-each-ref", "--format=%(refname) %(objectname) %(symref)"}
	for _, dir := range git.TipDirectories {
		args = append(args, strings.TrimSuffix(dir, "/"))
	}
	out, err := w.repo.Git().Output(w.ctx, args...)
	if err != nil {
		return nil, err
	}
	var all []git.Tip
	if head, err := w.head(); err != nil {
		return nil, err
	} else if head.Name != "" {
		all = append(all, head)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		if len(fields) != 3 {
			return nil, fmt.Errorf("%w: %q", git.ErrUnexpectedReference, line)
		}
		id, err := git.ParseHash(fields[1])
		if err != nil {
			return nil, fmt.Errorf("%w: %q", git.ErrUnexpectedReference, line)
		}
		all = append(all, git.Tip{Name: fields[0], ID: id, Target: fields[2]})
	}
	if w.broken = git.BrokenReferences(w.repo, all); w.broken != nil {
		target, err := w.repo.HeadRef(w.ctx)
		if err == nil && slices.Contains(w.broken, target) {
			err = fmt.Errorf("%s, to which HEAD points, %w", target, git.ErrBrokenReference)
		}
		if err != nil {
			return nil, err
		}
	}
	git.SortTips(all)
	return all, nil
}

// Broken implements Walker.
func (w *gitWalker) Broken() []string { return w.broken }

// Tips implements Walker.
func (w *gitWalker) Tips(references []git.Tip) ([]git.Tip, error) {
	tips := make([]git.Tip, 0, len(references))
	for _, r := range references {
		id, ok, err := w.commitOf(hex.EncodeToString(r.ID[:w.repo.IDSize()]))
		if err != nil {
			return nil, err
		}
		if ok {
			tips = append(tips, git.Tip{Name: r.Name, ID: id, Target: r.Target})
		}
	}
	return tips, nil
}

// head returns the tip of HEAD, an empty one where it has no commit.
func (w *gitWalker) head() (git.Tip, error) {
	name, err := w.repo.Head(w.ctx)
	if name == "" || err != nil {
		return git.Tip{}, err
	}
	target, err := w.repo.HeadRef(w.ctx)
	if err != nil {
		return git.Tip{}, err
	}
	id, _ := git.ParseHash(name)
	return git.Tip{Name: "HEAD", ID: id, Target: target}, nil
}

// commitOf follows tags; not ok where they end at something else than a commit. What is missing keeps its id.
func (w *gitWalker) commitOf(name string) (id git.Hash, ok bool, err error) {
	id, _ = git.ParseHash(name)
	o, err := w.files.Ask(name)
	if err == nil && o.Kind == "tag" {
		o, err = w.files.Ask(name + "^{}")
	}
	if err != nil && w.ctx.Err() != nil {
		return id, false, err
	}
	if err != nil {
		return id, true, nil
	}
	id, _ = git.ParseHash(o.ID)
	return id, o.Kind == "commit", nil
}

// Walk implements Walker.
func (w *gitWalker) Walk(request Request) (*Graph, error) {
	p := &gitWalk{gitWalker: w, request: request}
	p.size = w.repo.IDSize()
	err := p.list()
	if err != nil && w.ctx.Err() == nil {
		p.collector = collector{size: p.size} // git gives up over what is missing or damaged
		err = p.trace()
	}
	if err != nil {
		return nil, err
	}
	if err := p.look(); err != nil {
		return nil, err
	}
	return p.result(nil), nil
}

// Message implements Walker.
func (w *gitWalker) Message(id git.Hash) (Message, error) {
	name := hex.EncodeToString(id[:w.repo.IDSize()])
	o, err := w.files.Ask(name)
	if err != nil && w.ctx.Err() != nil {
		return Message{}, err
	}
	if err != nil || o.Kind != "commit" {
		return Message{}, fmt.Errorf("commit %s: %w", name, git.ErrMissing)
	}
	return parseMessage(o.Data), nil
}

// Messages implements Walker, with one process and one goroutine.
func (w *gitWalker) Messages(ids []git.Hash, _ int, fn func(int, int, Message, error) error) error {
	return w.stream(ids, "commit", func(i int, data []byte, err error) error {
		if err != nil {
			return fn(0, i, Message{}, err)
		}
		return fn(0, i, parseMessage(data), nil)
	})
}

// Blobs implements Walker, as Messages.
func (w *gitWalker) Blobs(ids []git.Hash, _ int, fn func(int, int, []byte, error) error) error {
	return w.stream(ids, "blob", func(i int, data []byte, err error) error { return fn(0, i, data, err) })
}

// stream reads objects of one kind in their order.
func (w *gitWalker) stream(ids []git.Hash, kind string, fn func(i int, data []byte, err error) error) error {
	s := newStream(w, len(ids), func(i int) *git.Hash { return &ids[i] })
	defer s.close()
	for i := range ids {
		o, ok, err := s.next()
		if err != nil {
			return err
		}
		if !ok || o.Kind != kind {
			o.Data, err = nil, fmt.Errorf("%s %x: %w", kind, ids[i][:s.size], git.ErrMissing)
		}
		if err := fn(i, o.Data, err); err != nil {
			return err
		}
	}
	return nil
}

// Close implements Walker.
func (w *gitWalker) Close() error { return w.files.Close() }
