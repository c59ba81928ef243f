package git

import "git-ralph/internal/git/odb"

// ReadLoose reads a loose object; not ok where it is packed, lives in another repository, or is damaged.
func (r *Repo) ReadLoose(id string) (Object, bool) {
	hash, err := ParseHash(id)
	if err != nil {
		return Object{}, false
	}
	kind, data, err := odb.ReadLoose(r.ObjectDir(), &hash, r.IDSize())
	return Object{ID: id, Kind: kind.String(), Data: data}, err == nil
}
