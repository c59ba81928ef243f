package walk

import (
	"container/heap"
	"errors"
	"slices"

	"git-ralph/internal/git"
)

// dated is a commit that a walk is about to visit.
type dated struct {
	id   git.Hash
	time int64
}

func newFrontier() *frontier[dated] {
	return &frontier[dated]{before: func(a, b dated) bool { return newer(a.time, &a.id, b.time, &b.id) }}
}

// push adds a commit to a frontier.
func (o *Objects) push(f *frontier[dated], id git.Hash) error {
	h, err := o.Commit(id)
	if err == nil {
		heap.Push(f, dated{id, h.Time})
	}
	return err
}

// Reach is the commits that can be reached from a tip, found only as far back as needed.
type Reach struct {
	objects *Objects
	ready   *frontier[dated]
	seen    map[git.Hash]bool
}

// Reach begins with a tip.
func (o *Objects) Reach(tip git.Hash) (*Reach, error) {
	r := &Reach{objects: o, ready: newFrontier(), seen: map[git.Hash]bool{tip: true}}
	return r, o.push(r.ready, tip)
}

// Has reports whether a commit was found among those that are not older than it. Where clocks went wrong it may be reached all the same.
func (r *Reach) Has(id git.Hash) (bool, error) {
	h, err := r.objects.Commit(id)
	for err == nil && !r.seen[id] && r.ready.Len() > 0 && r.ready.commits[0].time >= h.Time {
		err = r.visit(heap.Pop(r.ready).(dated).id)
	}
	return r.seen[id], err
}

func (r *Reach) visit(id git.Hash) error {
	h, err := r.objects.Commit(id)
	if err != nil {
		return err
	}
	for _, p := range h.Parents {
		if r.seen[p] {
			continue
		}
		r.seen[p] = true
		if err := r.objects.push(r.ready, p); err != nil {
			return err
		}
	}
	return nil
}

// Between is what lies between two commits and their merge base.
type Between struct {
	Base  git.Hash
	Other []git.Hash // what the other commit reaches and the one does not; where clocks went wrong, also some that it does
}

// Between finds the merge base of two commits. It is not ok where there is none, or several.
func (o *Objects) Between(one, other git.Hash) (b Between, ok bool, err error) {
	p := painter{objects: o, ready: newFrontier(), colors: map[git.Hash]color{}}
	if err := errors.Join(p.paint(one, fromOne), p.paint(other, fromOther)); err != nil {
		return b, false, err
	}
	var common []git.Hash
	for p.open > 0 {
		id, color := p.next()
		if color&stale == 0 && color&fromOne != 0 && color&fromOther != 0 {
			common = append(common, id)
			color |= stale
		}
		if err := p.paintParents(id, color&^queued); err != nil {
			return b, false, err
		}
	}
	common = slices.DeleteFunc(common, func(id git.Hash) bool { return p.colors[id]&stale != 0 })
	if len(common) != 1 {
		return b, false, nil
	}
	for id, color := range p.colors {
		if color == fromOther {
			b.Other = append(b.Other, id)
		}
	}
	b.Base = common[0]
	return b, true, nil
}
