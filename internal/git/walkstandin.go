package git

import (
	"bytes"
	"container/heap"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

type standin struct {
	repo *Repo
	ctx  context.Context
	cat  *catFile
}

// Walker opens an engine for reading history.
func (r *Repo) Walker(ctx context.Context) Walker {
	return &standin{r, ctx, &catFile{repo: r, ctx: ctx}}
}

func hashOf(text string) Hash {
	var h Hash
	hex.Decode(h[:], []byte(text))
	return h
}

func (s *standin) hex(h Hash) string { return hex.EncodeToString(h[:s.repo.hexSize()/2]) }

func (s *standin) Tips() ([]Tip, error) {
	var tips []Tip
	if o, err := s.cat.commit("HEAD"); err == nil {
		tips = append(tips, Tip{"HEAD", hashOf(o.id)})
	}
	out, err := s.repo.run(s.ctx, nil, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags")
	if err != nil {
		return nil, err
	}
	for name := range strings.FieldsSeq(out) {
		if o, err := s.cat.commit(name); err == nil {
			tips = append(tips, Tip{name, hashOf(o.id)})
		}
	}
	return tips, nil
}

func (s *standin) Walk(q Request) (*Graph, error) {
	g := &Graph{Size: s.repo.hexSize() / 2}
	var args bytes.Buffer
	for _, tip := range q.Tips {
		fmt.Fprintln(&args, s.hex(tip))
	}
	if args.Len() == 0 {
		return g, nil
	}
	out, err := s.repo.run(s.ctx, args.Bytes(), "rev-list", "--stdin", "--parents", "--timestamp")
	if err != nil {
		return nil, err
	}
	type node struct {
		w       Walked
		parents []Hash
		kids    int
	}
	nodes := map[Hash]*node{}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		n := &node{}
		n.w.Time, _ = strconv.ParseInt(f[0], 10, 64)
		n.w.ID = hashOf(f[1])
		for _, p := range f[2:] {
			n.parents = append(n.parents, hashOf(p))
		}
		nodes[n.w.ID] = n
	}
	for _, n := range nodes {
		for _, p := range n.parents {
			if nodes[p] != nil {
				nodes[p].kids++
			}
		}
	}
	ready := &readyHeap{}
	for _, n := range nodes {
		if n.kids == 0 {
			heap.Push(ready, n.w)
		}
	}
	at := map[Hash]int32{}
	for ready.Len() > 0 {
		w := heap.Pop(ready).(Walked)
		at[w.ID] = int32(len(g.Commits))
		g.Commits = append(g.Commits, w)
		for _, p := range nodes[w.ID].parents {
			if n := nodes[p]; n != nil {
				if n.kids--; n.kids == 0 {
					heap.Push(ready, n.w)
				}
			}
		}
	}
	for i := range g.Commits {
		c := &g.Commits[i]
		for _, p := range nodes[c.ID].parents {
			if n, ok := at[p]; ok {
				c.Parents = append(c.Parents, n)
			} else {
				g.Missing = append(g.Missing, p)
				c.Parents = append(c.Parents, -int32(len(g.Missing)))
			}
		}
	}
	return g, s.plans(g, q.Paths)
}

func (s *standin) plans(g *Graph, paths []string) error {
	for n, path := range paths {
		var ask bytes.Buffer
		for i := range g.Commits {
			fmt.Fprintf(&ask, "%s:%s\n", s.hex(g.Commits[i].ID), path)
		}
		out, err := s.repo.run(s.ctx, ask.Bytes(), "cat-file", "--batch-check=%(objecttype) %(objectname)")
		if err != nil {
			return err
		}
		for i, line := range strings.Split(out, "\n") {
			if id, ok := strings.CutPrefix(line, "blob "); ok && g.Commits[i].Plan.IsZero() {
				g.Commits[i].Plan, g.Commits[i].Path = hashOf(id), uint8(n)
			}
		}
	}
	return nil
}

type readyHeap []Walked

func (h readyHeap) Len() int { return len(h) }
func (h readyHeap) Less(i, j int) bool {
	if h[i].Time != h[j].Time {
		return h[i].Time > h[j].Time
	}
	return bytes.Compare(h[i].ID[:], h[j].ID[:]) < 0
}
func (h readyHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *readyHeap) Push(x any)   { *h = append(*h, x.(Walked)) }
func (h *readyHeap) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

func (s *standin) Message(h Hash) (Message, error) {
	out, err := s.repo.output(s.ctx, "log", "--no-walk", "--encoding=UTF-8", "--date=raw", "--format=%an%x00%ae%x00%ad%x00%B", s.hex(h))
	if err != nil {
		return Message{}, ErrMissing
	}
	f := strings.SplitN(string(out), "\x00", 4)
	seconds, zone, _ := strings.Cut(f[2], " ")
	var m Message
	m.Author.Name, m.Author.Address, m.Text = f[0], f[1], f[3]
	m.Author.Time, _ = strconv.ParseInt(seconds, 10, 64)
	z, _ := strconv.Atoi(strings.TrimLeft(zone, "+-"))
	m.Author.Zone = z/100*60 + z%100
	if strings.HasPrefix(zone, "-") {
		m.Author.Zone = -m.Author.Zone
	}
	return m, nil
}

func (s *standin) Blobs(ids []Hash, _ int, fn func(i int, data []byte, err error) error) error {
	for i, id := range ids {
		o, err := s.cat.ask(s.hex(id))
		if err != nil {
			err = ErrMissing
		}
		if err := fn(i, o.data, err); err != nil {
			return err
		}
	}
	return nil
}

func (s *standin) Close() error { return s.cat.Close() }

var _ = os.ReadFile
var _ = filepath.Join
