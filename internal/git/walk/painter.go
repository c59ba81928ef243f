package walk

import (
	"container/heap"

	"git-ralph/internal/git"
)

// A color says by which of two commits a commit is reached.
type color uint8

const (
	fromOne color = 1 << iota
	fromOther
	stale  // an ancestor of a common ancestor
	queued // to be visited
)

// painter colors the ancestors of two commits, the newest first, until only ancestors of common ones are left.
type painter struct {
	objects *Objects
	ready   *frontier[dated]
	colors  map[git.Hash]color
	open    int // how many are to be visited that are not stale
}

// paint adds colors to a commit, which is visited again if it did not have them.
func (p *painter) paint(id git.Hash, colors color) error {
	before := p.colors[id]
	after := before | colors
	if after == before {
		return nil
	}
	p.colors[id] = after | queued
	switch {
	case before&queued == 0 && after&stale == 0:
		p.open++
	case before&queued != 0 && before&stale == 0 && after&stale != 0:
		p.open--
	}
	if before&queued != 0 {
		return nil
	}
	return p.objects.push(p.ready, id)
}

// next takes the newest of those that are to be visited.
func (p *painter) next() (git.Hash, color) {
	id := heap.Pop(p.ready).(dated).id
	p.colors[id] &^= queued
	if p.colors[id]&stale == 0 {
		p.open--
	}
	return id, p.colors[id]
}

func (p *painter) paintParents(id git.Hash, colors color) error {
	h, err := p.objects.Commit(id)
	for i := 0; err == nil && i < len(h.Parents); i++ {
		err = p.paint(h.Parents[i], colors)
	}
	return err
}
