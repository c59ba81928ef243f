package journal

import (
	"os"
	"strings"

	"git-ralph/internal/jsonl"
)

// private is the mode of files that hold what agents saw: not everything that is secret looks like it.
const private = 0o600

// A record is the path of a file that holds one object.
type record string

// write replaces the record. A reader sees the former one or this one. That it cannot be written is no reason to stop: it
// serves readers and the recovery from a crash.
func (r record) write(o jsonl.Object) {
	path := string(r)
	if os.WriteFile(path+".tmp", []byte(o.Text()+"\n"), private) == nil {
		os.Rename(path+".tmp", path) //nolint:errcheck // see above
	}
}

func (r record) read() (jsonl.Object, error) {
	data, err := os.ReadFile(string(r))
	if err != nil {
		return jsonl.Object{}, err
	}
	return jsonl.ParseObject(strings.TrimSpace(string(data)))
}

// remove removes the record, if it exists.
func (r record) remove() { os.Remove(string(r)) } //nolint:errcheck // see above
