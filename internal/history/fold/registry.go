package fold

import (
	"slices"
	"strings"

	"git-ralph/internal/history/record"
	"git-ralph/internal/plan"
)

// An identity is what makes a task or issue the one that it is.
type identity struct {
	kind          plan.Kind
	id, createdAt string
}

// A key is a kind and an id.
type key struct {
	kind plan.Kind
	id   string
}

// A registry holds which identities are of one life: that of a record goes on when it gets a time of creation, or when a
// merge gives it another id.
type registry struct {
	numbers    map[identity]int
	identities []identity
	parent     []int
	byID       map[key][]int // identities by kind and id
	renamed    map[int]bool  // identities that were given another id
	written    map[int]bool  // identities that a plan has
	lives      map[int]*Life // by the first identity of each
	all        []*Life
}

// lives finds the lives that plans and messages mention.
func (f *builder) lives() *registry {
	n := len(f.nonempty) / 2 // each task has events in some entries
	r := &registry{
		numbers: make(map[identity]int, n), byID: make(map[key][]int, n), renamed: map[int]bool{}, written: make(map[int]bool, n),
		lives: make(map[int]*Life, n),
	}
	for e := range f.entries() {
		for _, i := range e.Identities {
			r.enter(i)
		}
		for i := range e.Events {
			r.follow(&e.Events[i])
		}
	}
	for _, same := range r.byID {
		r.joinUndated(same)
	}
	for e := range f.entries() {
		for i := range e.Events {
			if t := &e.Events[i]; t.Kind != plan.KindSpec && t.Unplanned && !t.Repeat && r.byID[key{t.Kind, t.ID}] == nil {
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
		n = len(r.identities)
		r.numbers[i] = n
		r.identities, r.parent = append(r.identities, i), append(r.parent, n)
		k := key{i.kind, i.id}
		r.byID[k] = append(r.byID[k], n)
	}
	return n
}

// enter notes a record, and the identity that it had before a merge renamed it.
func (r *registry) enter(i record.Identity) {
	n := r.number(identity{i.Kind, i.ID, i.CreatedAt})
	r.written[n] = true
	if i.FormerID == "" {
		return
	}
	old := r.number(identity{i.Kind, i.FormerID, i.FormerCreatedAt})
	r.renamed[old] = true
	r.join(n, old)
}

// follow joins the identities of a record before and after an edit.
func (r *registry) follow(t *record.Event) {
	if t.Redated {
		r.join(r.number(identity{t.Kind, t.ID, t.EarlierCreatedAt}), r.number(identity{t.Kind, t.ID, t.CreatedAt}))
	}
}

// joinUndated joins the identities of an id of which only one has a time of creation.
func (r *registry) joinUndated(same []int) {
	dated := 0
	for _, n := range same {
		if r.identities[n].createdAt != "" {
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
	for n, i := range r.identities {
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
		return strings.Compare(a.CreatedAt, b.CreatedAt)
	})
}

// name sets the id of a life to the one that no merge replaced, and its time of
// creation to that of this id.
func (r *registry) name(life *Life) {
	slices.SortFunc(life.members, func(a, b int) int {
		x, y := r.identities[a], r.identities[b]
		if r.renamed[a] != r.renamed[b] {
			if r.renamed[a] {
				return 1
			}
			return -1
		}
		if x.id != y.id {
			return strings.Compare(x.id, y.id)
		}
		return strings.Compare(y.createdAt, x.createdAt) // one with a time before one without
	})
	first := r.identities[life.members[0]]
	life.ID, life.CreatedAt = first.id, first.createdAt
	for _, n := range life.members {
		if id := r.identities[n].id; id != life.ID && !slices.Contains(life.Former, id) {
			life.Former = append(life.Former, id)
		}
	}
}

// of returns the life that an event is of. One that only a message reports
// has no time of creation: where several had the id, it is that of the one without, else of the oldest. It is nil where no
// entry has its identity, as in what another program kept.
func (r *registry) of(t *record.Event) *Life {
	if n, known := r.numbers[identity{t.Kind, t.ID, t.CreatedAt}]; known && !t.Unplanned {
		return r.lives[r.find(n)]
	}
	return r.first(t.Kind, t.ID)
}

// first returns the oldest life of those that had an id, nil where none had.
func (r *registry) first(kind plan.Kind, id string) *Life {
	createdAt := r.byID[key{kind, id}]
	if len(createdAt) == 0 {
		return nil
	}
	oldest := slices.MinFunc(createdAt, func(a, b int) int {
		return strings.Compare(r.identities[a].createdAt, r.identities[b].createdAt)
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
