package git

import "git-ralph/internal/git/odb"

// placed are objects, one of which was located before.
type placed struct {
	*odb.Reader
	id Hash
	at odb.Place
}

// Object implements objects.
func (p *placed) Object(id *Hash) (odb.Kind, []byte, error) {
	if *id == p.id {
		return p.Reader.At(id, p.at)
	}
	return p.Reader.Object(id)
}

// resolveAll resolves a batch whose root folders are located together.
func (p *placed) resolveAll(l *lookup, batch []*node) error {
	roots := make([]Hash, len(batch))
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
