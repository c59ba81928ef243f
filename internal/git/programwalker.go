package git

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/proc"
)

// programWalker is the engine that asks git: `git rev-list` for commits, `git cat-file --batch` for what they hold.
type programWalker struct {
	repo  *Repo
	ctx   context.Context
	files catFile

	broken []string // references
}

// References implements Walker.
func (w *programWalker) References() ([]Tip, error) {
	args := []string{"for-each-ref", "--format=%(refname) %(objectname) %(symref)"}
	for _, folder := range tipFolders {
		args = append(args, strings.TrimSuffix(folder, "/"))
	}
	out, err := w.repo.output(w.ctx, args...)
	if err != nil {
		return nil, err
	}
	var all []Tip
	if head, err := w.head(); err != nil {
		return nil, err
	} else if head.Name != "" {
		all = append(all, head)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		if len(fields) != 3 {
			return nil, fmt.Errorf("%w: %q", errOddReference, line)
		}
		id, ok := parseHash(fields[1])
		if !ok {
			return nil, fmt.Errorf("%w: %q", errOddReference, line)
		}
		all = append(all, Tip{fields[0], id, fields[2]})
	}
	if w.broken = w.repo.broken(all); w.broken != nil {
		target, err := w.repo.headRef(w.ctx)
		if err == nil && slices.Contains(w.broken, target) {
			err = fmt.Errorf("%s, where HEAD stands, %w", target, ErrBrokenReference)
		}
		if err != nil {
			return nil, err
		}
	}
	sortTips(all)
	return all, nil
}

// Broken implements Walker.
func (w *programWalker) Broken() []string { return w.broken }

// Tips implements Walker.
func (w *programWalker) Tips(references []Tip) ([]Tip, error) {
	tips := make([]Tip, 0, len(references))
	for _, r := range references {
		id, ok, err := w.commitOf(hex.EncodeToString(r.ID[:w.repo.hexSize()/2]))
		if err != nil {
			return nil, err
		}
		if ok {
			tips = append(tips, Tip{r.Name, id, r.Target})
		}
	}
	return tips, nil
}

// head gives the tip of HEAD, an empty one where it has no commit.
func (w *programWalker) head() (Tip, error) {
	name, err := w.repo.run(w.ctx, nil, "rev-parse", "--verify", "-q", "HEAD")
	if proc.ExitCode(err) == 1 {
		return Tip{}, nil
	}
	if err != nil {
		return Tip{}, err
	}
	target, err := w.repo.headRef(w.ctx)
	if err != nil {
		return Tip{}, err
	}
	id, _ := parseHash(name)
	return Tip{"HEAD", id, target}, nil
}

// commitOf follows tags; not ok where they end at something else than a commit. What is not at hand keeps its id.
func (w *programWalker) commitOf(name string) (id Hash, ok bool, err error) {
	id, _ = parseHash(name)
	o, err := w.files.ask(name)
	if err == nil && o.kind == "tag" {
		o, err = w.files.ask(name + "^{}")
	}
	if w.ctx.Err() != nil {
		return id, false, err
	}
	if err != nil {
		return id, true, nil
	}
	id, _ = parseHash(o.id)
	return id, o.kind == "commit", nil
}

func parseHash(text string) (id Hash, ok bool) {
	if len(text) > 2*len(id) {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(text))
	return id, err == nil
}

// Walk implements Walker.
func (w *programWalker) Walk(request Request) (*Graph, error) {
	p := &programWalk{programWalker: w, request: request}
	p.size = w.repo.hexSize() / 2
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
func (w *programWalker) Message(id Hash) (Message, error) {
	name := hex.EncodeToString(id[:w.repo.hexSize()/2])
	o, err := w.files.ask(name)
	if w.ctx.Err() != nil {
		return Message{}, err
	}
	if err != nil || o.kind != "commit" {
		return Message{}, fmt.Errorf("commit %s: %w", name, ErrMissing)
	}
	return parseMessage(o.data), nil
}

// Messages implements Walker, with one process and one goroutine.
func (w *programWalker) Messages(ids []Hash, _ int, fn func(int, Message, error) error) error {
	return w.stream(ids, "commit", func(i int, data []byte, err error) error {
		if err != nil {
			return fn(i, Message{}, err)
		}
		return fn(i, parseMessage(data), nil)
	})
}

// Blobs implements Walker, as Messages.
func (w *programWalker) Blobs(ids []Hash, _ int, fn func(int, int, []byte, error) error) error {
	return w.stream(ids, "blob", func(i int, data []byte, err error) error { return fn(0, i, data, err) })
}

// stream reads objects of one kind in their order.
func (w *programWalker) stream(ids []Hash, kind string, fn func(i int, data []byte, err error) error) error {
	s := newStream(w, len(ids), func(i int) *Hash { return &ids[i] })
	defer s.close()
	for i := range ids {
		o, ok, err := s.next()
		if err != nil {
			return err
		}
		if !ok || o.kind != kind {
			o.data, err = nil, fmt.Errorf("%s %x: %w", kind, ids[i][:s.size], ErrMissing)
		}
		if err := fn(i, o.data, err); err != nil {
			return err
		}
	}
	return nil
}

// Close implements Walker.
func (w *programWalker) Close() error { return w.files.Close() }
