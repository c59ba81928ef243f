//go:build !unix

package authority

import (
	"os"

	"git-ralph/internal/claim"

	"github.com/gofrs/flock"
)

// otherFile holds a lock that no process inherits.
type otherFile struct{ lock *flock.Flock }

func holdFile(path string) (heldFile, error) {
	lock := flock.New(path)
	if ok, err := lock.TryLock(); err != nil || !ok {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return otherFile{lock}, nil
}

func (otherFile) file() *os.File { return nil }

func (o otherFile) release() { o.lock.Close() }

// probeFile proves nothing: an agent that survives its worker would not hold the lock.
func probeFile(string) claim.LockProof { return claim.LockUnknown }
