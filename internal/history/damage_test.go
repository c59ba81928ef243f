package history_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/historytest"
)

// grown is a drawn repository, the first from a seed on, of which several files
// are kept.
func grown(t *testing.T, seed uint64) *gittest.Repo {
	t.Helper()
	for {
		d := historytest.Draw(seed, 40)
		r := drawn(t, d)
		for at := range 6 {
			r.Git("update-ref", "refs/heads/main", d.IDs[(at+1)*len(d.IDs)/6-1])
			read(t, r, bothPaths(), "test")
		}
		if len(files(t, r, "[0-9]*")) > 2 {
			return r
		}
		seed++
	}
}

func bothPaths() []string { return []string{planFile, movedFile} }

// Whatever is done to the files, the history stays the same, and nothing is in the
// way of keeping it again (docs/history.md, "The cache").
func TestDamagedFiles(t *testing.T) {
	r := grown(t, 1)
	want := textOf(read(t, r, bothPaths(), ""))
	foreign := grown(t, 50)
	random := rand.New(rand.NewPCG(1, 1))
	all := files(t, r, "*")
	whole := map[string][]byte{}
	for _, f := range all {
		whole[f] = contentOf(t, f)
	}
	for i := range setting("RALPH_DAMAGES", 24) {
		victim := all[random.IntN(len(all))]
		data := []byte(string(whole[victim]))
		switch i % 8 {
		case 0:
			data = data[:random.IntN(len(data))]
		case 1:
			data = append(data, data[:random.IntN(len(data))]...)
		case 2:
			data = nil
		case 3:
			data = whole[all[random.IntN(len(all))]]
		case 4:
			others := files(t, foreign, "[0-9]*")
			data = contentOf(t, others[random.IntN(len(others))])
		case 5:
			data = []byte(strings.Replace(string(data), "test", "tess", 1)) // of another program
		default:
			data[random.IntN(len(data))] ^= 1 << random.IntN(8)
		}
		for f, content := range whole {
			write(t, f, content)
		}
		write(t, victim, data)
		if diff := cmp.Diff(want, textOf(read(t, r, bothPaths(), "test"))); diff != "" {
			t.Fatalf("%d, %s: -whole +damaged\n%s", i, filepath.Base(victim), diff)
		}
	}
	write(t, filepath.Join(r.Dir, ".git/ralph/history/0"), nil)
	read(t, r, bothPaths(), "test")
	if again := files(t, r, "0"); len(again) == 0 || len(contentOf(t, again[0])) == 0 {
		t.Errorf("after a damage that is read again, these are kept: %v", again)
	}
}

// Directories that cannot be written, or files in their place, cost time alone.
func TestNothingCanBeKept(t *testing.T) {
	d := historytest.Draw(3, 20)
	r := drawn(t, d)
	r.Git("update-ref", "refs/heads/main", d.IDs[len(d.IDs)-1])
	want := textOf(read(t, r, bothPaths(), ""))
	write(t, filepath.Join(r.Dir, ".git/ralph"), nil)
	if diff := cmp.Diff(want, textOf(read(t, r, bothPaths(), "test"))); diff != "" {
		t.Errorf("-anew +without a directory\n%s", diff)
	}
}

// Runs side by side, each with commits that others do not see yet, read what
// they would read alone.
func TestManyKeepAtOnce(t *testing.T) {
	d := historytest.Draw(5, 60)
	r := drawn(t, d)
	var all sync.WaitGroup
	for worker := range 16 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), 0))
			for range 6 {
				r.Git("update-ref", "refs/heads/of-"+strconv.Itoa(worker), d.IDs[random.IntN(len(d.IDs))])
				read(t, r, bothPaths(), "test")
			}
		})
	}
	all.Wait()
	r.Git("update-ref", "refs/heads/main", d.IDs[len(d.IDs)-1])
	if diff := cmp.Diff(textOf(read(t, r, bothPaths(), "")), textOf(read(t, r, bothPaths(), "test"))); diff != "" {
		t.Errorf("-anew +kept by many\n%s", diff)
	}
}

func contentOf(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
