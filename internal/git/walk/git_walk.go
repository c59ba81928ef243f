package walk

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/odb"
)

// gitWalk is a walk that git makes.
type gitWalk struct {
	*gitWalker
	collector
	request Request
	current *node // whose second line is expected
}

// meet returns the node of a commit that the walk comes to.
func (p *gitWalk) meet(id *git.Hash) (n *node, fresh bool) {
	n, fresh = p.find(id)
	n.met = true
	return n, fresh
}

// list lets git list the commits.
func (p *gitWalk) list() error {
	var input bytes.Buffer
	for _, id := range p.request.Tips {
		fmt.Fprintf(&input, "%x\n", id[:p.size])
		p.meet(&id)
	}
	for _, id := range p.request.Known.Tips {
		fmt.Fprintf(&input, "^%x\n", id[:p.size])
	}
	c := p.repo.Git().Cmd("rev-list", "--ignore-missing", "--format=%T %ct %P", "--stdin")
	c.Stdin = input.Bytes()
	c.Env = append(slices.Clip(c.Env), "GIT_FLUSH=0") // nobody waits for a single line
	lines := &lineSplitter{fn: p.line}
	c.Stdout = lines
	_, err := p.repo.Git().Exec(p.ctx, c)
	if lines.err != nil {
		return lines.err
	}
	return err
}

var errOddList = errors.New("unexpected list of commits")

// line reads a line of the list. A commit has two: "commit <id>", and tree, date and parents.
func (p *gitWalk) line(line []byte) error {
	if p.current == nil {
		text, _ := bytes.CutPrefix(line, []byte("commit "))
		id, err := git.ParseHash(string(text))
		if err != nil || len(text) != 2*p.size {
			return fmt.Errorf("%w: %q", errOddList, line)
		}
		p.current, _ = p.meet(&id)
		return nil
	}
	n := p.current
	p.current = nil
	fields := strings.SplitN(string(line), " ", 3) // a date that git cannot read is empty
	if len(fields) < 3 {
		return fmt.Errorf("%w: %q", errOddList, line)
	}
	n.at, _ = git.ParseHash(fields[0])
	n.time, _ = strconv.ParseInt(fields[1], 10, 64)
	n.listed = !p.request.Known.has(n.id)
	words := strings.Fields(fields[2])
	parents := p.room(n, len(words))
	for i, word := range words {
		id, err := git.ParseHash(word)
		if err != nil {
			return fmt.Errorf("%w: %q", errOddList, line)
		}
		parent, _ := p.meet(&id)
		parents[i] = parent.number
	}
	return nil
}

// trace lists the commits by reading one after the other. It is slower than list, but tolerates missing objects.
func (p *gitWalk) trace() error {
	boundary, err := p.boundary()
	if err != nil {
		return err
	}
	var waiting []*node
	for _, id := range p.request.Tips {
		if n, fresh := p.meet(&id); fresh {
			waiting = append(waiting, n)
		}
	}
	var head odb.CommitHeader
	for len(waiting) > 0 {
		n := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if p.request.Known.has(n.id) {
			continue
		}
		o, err := p.files.Ask(hex.EncodeToString(n.id[:p.size]))
		if err != nil && p.ctx.Err() != nil {
			return err
		}
		if err != nil || o.Kind != "commit" || odb.ParseCommit(o.Data, p.size, &head) != nil {
			continue
		}
		n.at, n.time, n.listed = head.Tree, head.Time, true
		if boundary[n.id] {
			continue
		}
		parents := p.room(n, len(head.Parents))
		for i := range head.Parents {
			parent, fresh := p.meet(&head.Parents[i])
			parents[i] = parent.number
			if fresh {
				waiting = append(waiting, parent)
			}
		}
	}
	return nil
}

// boundary returns the commits whose parents a shallow clone leaves out.
func (p *gitWalk) boundary() (map[git.Hash]bool, error) {
	list, err := ShallowBoundary(p.repo)
	boundary := make(map[git.Hash]bool, len(list))
	for _, id := range list {
		boundary[id] = true
	}
	return boundary, err
}

// look finds what stands at the path: the root directories come in one stream, the directories below are requested as they are
// needed.
func (p *gitWalk) look() error {
	var listed []*node
	for number := range p.n {
		if n := p.node(number); n.listed {
			listed = append(listed, n)
		}
	}
	roots := &rootReader{
		stream: newStream(p.gitWalker, len(listed), func(i int) *git.Hash { return &listed[i].at }),
		ctx:    p.ctx, directories: p.files,
	}
	defer roots.stream.close()
	l := newPathLookup(roots, p.size, p.request.Paths)
	for _, n := range listed {
		if err := roots.advance(n.at); err != nil {
			return err
		}
		a, err := l.first(n.at)
		if err != nil {
			return fmt.Errorf("commit %x: %w", n.id[:p.size], err)
		}
		n.set(a)
	}
	return nil
}

// rootReader reads the directories for a pathLookup.
type rootReader struct {
	stream      *stream
	ctx         context.Context
	directories *git.Reader
	id          git.Hash // of the root directory that the stream gave last
	root        git.Object
	ok          bool
}

// advance takes the next root directory from the stream.
func (r *rootReader) advance(id git.Hash) (err error) {
	r.id = id
	r.root, r.ok, err = r.stream.next()
	return err
}

// Object implements objects. Whatever git cannot read is missing.
func (r *rootReader) Object(id *git.Hash) (odb.Kind, []byte, error) {
	o, ok := r.root, r.ok
	if *id != r.id {
		var err error
		o, err = r.directories.Ask(hex.EncodeToString(id[:r.stream.size]))
		ok = err == nil
	}
	if r.ctx.Err() != nil {
		return 0, nil, context.Cause(r.ctx)
	}
	if !ok || o.Kind != "tree" {
		return 0, nil, odb.ErrMissing
	}
	return odb.Tree, o.Data, nil
}
