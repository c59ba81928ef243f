package fold

import (
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// An identity is what makes a task or issue the one that it is.
type identity struct {
	kind     plan.Kind
	id, born string
}

// A registry knows which identities are of one life: a record that gets a time of
// creation, or that a merge gives another id, lives on.
type registry struct {
	numbers map[identity]int
	known   []identity
	parent  []int
	births  map[key][]int // identities by kind and id
	renamed map[int]bool  // identities that were given another id
	written map[int]bool  // identities that a plan has
	lives   map[int]*Life // by the first identity of each
	all     []*Life
}

// lives finds the lives that the plans and messages know of.
func (f *folder) lives() *registry {
	n := len(f.noted) / 2 // of a task, some notes tell
	r := &registry{
		numbers: make(map[identity]int, n), births: make(map[key][]int, n), renamed: map[int]bool{}, written: make(map[int]bool, n),
		lives: make(map[int]*Life, n),
	}
	for note := range f.notes() {
		for _, name := range note.Names {
			r.enter(name)
		}
		for i := range note.Told {
			r.follow(&note.Told[i])
		}
	}
	for _, same := range r.births {
		r.oneBirth(same)
	}
	for note := range f.notes() {
		for i := range note.Told {
			if t := &note.Told[i]; t.Kind != plan.KindSpec && t.Loose && !t.Quiet && r.births[key{t.Kind, t.ID}] == nil {
				r.number(identity{t.Kind, t.ID, ""})
			}
		}
	}
	r.make()
	return r
}

// number returns the number of an identity.
func (r *registry) number(i identity) int {
	n, known := r.numbers[i]
	if !known {
		n = len(r.known)
		r.numbers[i] = n
		r.known, r.parent = append(r.known, i), append(r.parent, n)
		k := key{i.kind, i.id}
		r.births[k] = append(r.births[k], n)
	}
	return n
}

// enter notes a record, and the identity that it had before a merge renamed it.
func (r *registry) enter(name Name) {
	n := r.number(identity{name.Kind, name.ID, name.Born})
	r.written[n] = true
	if name.FormerID == "" {
		return
	}
	old := r.number(identity{name.Kind, name.FormerID, name.FormerBorn})
	r.renamed[old] = true
	r.join(n, old)
}

// follow joins the identities of a record before and after an edit.
func (r *registry) follow(t *Told) {
	if t.Reborn {
		r.join(r.number(identity{t.Kind, t.ID, t.Earlier}), r.number(identity{t.Kind, t.ID, t.Born}))
	}
}

// oneBirth joins the identities of an id of which no two say when they were
// born.
func (r *registry) oneBirth(same []int) {
	dated := 0
	for _, n := range same {
		if r.known[n].born != "" {
			dated++
		}
	}
	if dated != 1 {
		return
	}
	for _, n := range same {
		r.join(same[0], n)
	}
}

func (r *registry) find(n int) int {
	for r.parent[n] != n {
		r.parent[n] = r.parent[r.parent[n]]
		n = r.parent[n]
	}
	return n
}

func (r *registry) join(a, b int) { r.parent[r.find(a)] = r.find(b) }

// make makes a life of each set of identities.
func (r *registry) make() {
	for n, i := range r.known {
		root := r.find(n)
		life := r.lives[root]
		if life == nil {
			life = &Life{Kind: i.kind}
			r.lives[root] = life
			r.all = append(r.all, life)
		}
		life.members = append(life.members, n)
	}
	for _, life := range r.all {
		r.name(life)
	}
	slices.SortFunc(r.all, func(a, b *Life) int {
		if a.ID != b.ID {
			return strings.Compare(a.ID, b.ID)
		}
		return strings.Compare(a.Born, b.Born)
	})
}

// name gives a life the id that none of its identities lost, and the time of
// creation of that one.
func (r *registry) name(life *Life) {
	slices.SortFunc(life.members, func(a, b int) int {
		x, y := r.known[a], r.known[b]
		if r.renamed[a] != r.renamed[b] {
			if r.renamed[a] {
				return 1
			}
			return -1
		}
		if x.id != y.id {
			return strings.Compare(x.id, y.id)
		}
		return strings.Compare(y.born, x.born) // one that is known before one that is not
	})
	first := r.known[life.members[0]]
	life.ID, life.Born = first.id, first.born
	for _, n := range life.members {
		if id := r.known[n].id; id != life.ID && !slices.Contains(life.Former, id) {
			life.Former = append(life.Former, id)
		}
	}
}

// of returns the life that an event is of. What only a message tells names no
// time of creation: where several had the id, it is the one without, else the
// oldest. It is nil where no note names one, as in what another program kept.
func (r *registry) of(t *Told) *Life {
	if n, known := r.numbers[identity{t.Kind, t.ID, t.Born}]; known && !t.Loose {
		return r.lives[r.find(n)]
	}
	return r.first(t.Kind, t.ID)
}

// first returns the oldest life of those that had an id, nil where none had.
func (r *registry) first(kind plan.Kind, id string) *Life {
	born := r.births[key{kind, id}]
	if len(born) == 0 {
		return nil
	}
	oldest := slices.MinFunc(born, func(a, b int) int {
		return strings.Compare(r.known[a].born, r.known[b].born)
	})
	return r.lives[r.find(oldest)]
}

// ofRecord returns the life of a record.
func (r *registry) ofRecord(record plan.Record) *Life {
	n, known := r.numbers[identity{record.Kind(), record.ID(), record.CreatedAt()}]
	if !known {
		return nil
	}
	return r.lives[r.find(n)]
}
