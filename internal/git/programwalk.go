package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/git/odb"
)

// programWalk is a walk for which git is asked.
type programWalk struct {
	*programWalker
	collector
	request Request
	current *node // whose second line is expected
}

// meet gives the node of a commit that the walk comes to.
func (p *programWalk) meet(id *Hash) (n *node, fresh bool) {
	n, fresh = p.find(id)
	n.met = true
	return n, fresh
}

// list lets git list the commits.
func (p *programWalk) list() error {
	var input bytes.Buffer
	for _, id := range p.request.Tips {
		fmt.Fprintf(&input, "%x\n", id[:p.size])
		p.meet(&id)
	}
	for _, id := range p.request.Known.Tips {
		fmt.Fprintf(&input, "^%x\n", id[:p.size])
	}
	c := p.repo.cmd("rev-list", "--ignore-missing", "--format=%T %ct %P", "--stdin")
	c.Stdin = input.Bytes()
	c.Env = append(slices.Clip(c.Env), "GIT_FLUSH=0") // nobody waits for a single line
	lines := &lineSplitter{fn: p.line}
	c.Stdout = lines
	_, err := p.repo.exec(p.ctx, c)
	if lines.err != nil {
		return lines.err
	}
	return err
}

var errOddList = errors.New("unexpected list of commits")

// line takes up a line of the list. A commit has two: "commit <id>", and tree, date and parents.
func (p *programWalk) line(line []byte) error {
	if p.current == nil {
		text, _ := bytes.CutPrefix(line, []byte("commit "))
		id, ok := parseHash(string(text))
		if !ok || len(text) != 2*p.size {
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
	n.at, _ = parseHash(fields[0])
	n.time, _ = strconv.ParseInt(fields[1], 10, 64)
	n.listed = !p.request.Known.has(n.id)
	words := strings.Fields(fields[2])
	parents := p.room(n, len(words))
	for i, word := range words {
		id, ok := parseHash(word)
		if !ok {
			return fmt.Errorf("%w: %q", errOddList, line)
		}
		parent, _ := p.meet(&id)
		parents[i] = parent.number
	}
	return nil
}

// trace lists the commits by reading one after the other. It takes longer than list, and bears with what is missing.
func (p *programWalk) trace() error {
	borders, err := p.borders()
	if err != nil {
		return err
	}
	var waiting []*node
	for _, id := range p.request.Tips {
		if n, fresh := p.meet(&id); fresh {
			waiting = append(waiting, n)
		}
	}
	var head odb.CommitHead
	for len(waiting) > 0 {
		n := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if p.request.Known.has(n.id) {
			continue
		}
		o, err := p.files.ask(hex.EncodeToString(n.id[:p.size]))
		if p.ctx.Err() != nil {
			return err
		}
		if err != nil || o.kind != "commit" || odb.ParseCommit(o.data, p.size, &head) != nil {
			continue
		}
		n.at, n.time, n.listed = head.Tree, head.Time, true
		if borders[n.id] {
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

// borders are the commits whose parents a shallow clone leaves out.
func (p *programWalk) borders() (map[Hash]bool, error) {
	list, err := p.repo.Border()
	borders := make(map[Hash]bool, len(list))
	for _, id := range list {
		borders[id] = true
	}
	return borders, err
}

// look finds what stands at the path: the root folders come in one stream, the folders below are asked for as they are
// needed.
func (p *programWalk) look() error {
	var listed []*node
	for number := range p.n {
		if n := p.node(number); n.listed {
			listed = append(listed, n)
		}
	}
	roots := &rootReader{
		stream:  newStream(p.programWalker, len(listed), func(i int) *Hash { return &listed[i].at }),
		folders: &p.files,
	}
	defer roots.stream.close()
	l := newLookup(roots, p.size, p.request.Paths)
	for _, n := range listed {
		if err := roots.advance(n.at); err != nil {
			return err
		}
		a, err := l.first(n.at)
		if err != nil {
			return fmt.Errorf("commit %x: %w", n.id[:p.size], err)
		}
		n.settle(a)
	}
	return nil
}

// rootReader gives a lookup its folders.
type rootReader struct {
	stream  *stream
	folders *catFile
	id      Hash // of the root folder that the stream gave last
	root    object
	ok      bool
}

// advance takes the next root folder from the stream.
func (r *rootReader) advance(id Hash) (err error) {
	r.id = id
	r.root, r.ok, err = r.stream.next()
	return err
}

// Object implements objects. Whatever git cannot read is missing.
func (r *rootReader) Object(id *Hash) (odb.Kind, []byte, error) {
	o, ok := r.root, r.ok
	if *id != r.id {
		var err error
		o, err = r.folders.ask(hex.EncodeToString(id[:r.stream.size]))
		ok = err == nil
	}
	if r.folders.ctx.Err() != nil {
		return 0, nil, context.Cause(r.folders.ctx)
	}
	if !ok || o.kind != "tree" {
		return 0, nil, odb.ErrMissing
	}
	return odb.Tree, o.data, nil
}
