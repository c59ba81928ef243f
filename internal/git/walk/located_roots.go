package walk

import (
	"git-ralph/internal/git/odb"

	"git-ralph/internal/git"
)

// locatedRoots are objects, one of which was located before.
type locatedRoots struct {
	*odb.Reader
	id git.Hash
	at odb.Place
}

// Object implements objects.
func (p *locatedRoots) Object(id *git.Hash) (odb.Kind, []byte, error) {
	if *id == p.id {
		return p.Reader.ObjectAt(id, p.at)
	}
	return p.Reader.Object(id)
}

// resolveAll resolves a batch whose root directories are located together.
func (p *locatedRoots) resolveAll(l *pathLookup, batch []*node) error {
	roots := make([]git.Hash, len(batch))
	for i, n := range batch {
		roots[i] = n.at
	}
	places := p.Locate(roots)
	for i, n := range batch {
		p.id, p.at = n.at, places[i]
		if err := l.resolve(n); err != nil {
			return err
		}
	}
	return nil
}
