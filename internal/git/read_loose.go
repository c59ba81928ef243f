package git

import "git-ralph/internal/git/odb"

// ReadLoose reads a loose object. It is not ok if the object is packed, in an alternate, missing or damaged.
func (r *Repo) ReadLoose(id string) (Object, bool) {
	hash, err := ParseHash(id)
	if err != nil {
		return Object{}, false
	}
	kind, data, err := odb.ReadLoose(r.ObjectDir(), &hash, r.IDSize())
	return Object{ID: id, Kind: kind.String(), Data: data}, err == nil
}
