package journal

import (
	"os"
	"strings"

	"git-ralph/internal/jsonl"
)

// private is the mode of files with the output of agents, in which a secret may have escaped the masks.
const private = 0o600

// A record is the path of a file that holds one object.
type record string

// write replaces the record atomically. An error is ignored: records only serve readers and the recovery from a crash.
func (r record) write(o jsonl.Object) {
	path := string(r)
	err := os.WriteFile(path+".tmp", []byte(o.Text()+"\n"), private)
	if err == nil {
		err = os.Rename(path+".tmp", path)
	}
	if err != nil { // of a disk that is full, half of it would stay
		os.Remove(path + ".tmp") //nolint:errcheck // see above
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
