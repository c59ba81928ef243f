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

// noLock is the lock of a file whose lock would prove nothing.
type noLock struct{}

func (noLock) file() *os.File { return nil }

func (noLock) release() {}

// holdNew makes a file with content. Nobody sees it before it is complete.
func holdNew(path string, data []byte) (heldFile, error) {
	hidden := hiddenName(path)
	if err := os.WriteFile(hidden, data, 0o666); err != nil {
		return nil, err
	}
	return noLock{}, os.Rename(hidden, path)
}

func (otherFile) file() *os.File { return nil }

func (o otherFile) release() { o.lock.Close() }

// probeFile proves nothing: an agent that survives its worker would not hold the lock.
func probeFile(string) claim.LockProof { return claim.LockUnknown }
