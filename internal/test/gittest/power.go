package gittest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// A Disk knows what of git's directory a power cut leaves: what was there at the beginning, and what was flushed since.
type Disk struct {
	repo    *Repo
	safe    map[string]string // contents, by path
	Moments []Moment
}

// A Moment is git's directory when the power may go, and what of it is safe.
type Moment struct {
	Step      string
	all, safe map[string]string
}

// NewDisk returns a disk on which all of the repository is safe.
func NewDisk(r *Repo) *Disk {
	d := &Disk{repo: r}
	d.safe = d.files()
	return d
}

// Reached takes note of a step of git.Options. One that begins with flushed names a file that is safe now.
func (d *Disk) Reached(step, flushed string) {
	all := d.files()
	if path, ok := strings.CutPrefix(step, flushed); ok {
		if content, exists := all[path]; exists {
			d.safe[path] = content
		}
	}
	d.Moments = append(d.Moments, Moment{step, all, maps.Clone(d.safe)})
}

// PowerCuts makes git's directory, one after the other, what a power cut at a moment may leave. New objects that are not safe are
// lost or empty; references that are not safe have come to the disk, are lost or, if new, empty.
func (d *Disk) PowerCuts(m Moment, check func(how string)) {
	d.repo.t.Helper()
	for _, objects := range []string{"lost", "empty"} {
		for _, references := range []string{"written", "lost", "empty"} {
			d.cut(m, map[string]string{"objects": objects, "refs": references})
			check("objects " + objects + ", references " + references)
		}
	}
}

func (d *Disk) cut(m Moment, fate map[string]string) {
	d.repo.t.Helper()
	for path := range d.files() {
		if _, there := m.all[path]; !there {
			os.Remove(path) //nolint:errcheck // the test fails then
		}
	}
	for path, content := range m.all {
		name, _ := filepath.Rel(d.repo.Path(".git"), path)
		top, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		old, was := m.safe[path]
		if how := fate[top]; content != old && (how == "lost" || how == "empty") {
			if content = old; !was && how == "lost" {
				os.Remove(path) //nolint:errcheck // it may be gone
				continue
			}
		}
		d.write(path, content)
	}
}

func (d *Disk) write(path, content string) {
	d.repo.t.Helper()
	if was, err := os.ReadFile(path); err == nil && string(was) == content {
		return
	}
	os.Chmod(path, 0o666) //nolint:errcheck // it may be gone
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, []byte(content), 0o666)
	}
	if err != nil {
		d.repo.t.Fatal(err)
	}
}

func (d *Disk) files() map[string]string {
	d.repo.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(d.repo.Path(".git"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	})
	if err != nil {
		d.repo.t.Fatal(err)
	}
	return all
}
