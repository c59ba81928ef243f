package walls

import (
	"slices"
	"strings"
	"testing"
)

// floor is one package: its folder and the folders that it may import.
type floor struct {
	dir  string
	uses []string
}

// floors says which packages of ours each package may import. The order is the house's: a line names only packages
// of lines above it, which keeps the arrows pointing down.
var floors = []floor{
	{"internal/jsonl", nil},
	{"internal/mmap", nil},
	{"internal/proc", nil},
	{"internal/safefile", nil},
	{"internal/textmerge", nil},
	{"internal/trust", []string{"internal/safefile"}},
	{"githooks", nil},
	{"internal/mask", []string{"internal/jsonl"}},
	{"internal/plan", []string{"internal/jsonl"}},
	{"internal/schedule", []string{"internal/plan"}},
	{"internal/merge", []string{"internal/jsonl", "internal/plan", "internal/textmerge"}},
	{"internal/plandiff", []string{"internal/jsonl", "internal/plan", "internal/textmerge"}},
	{"internal/resolve", []string{"internal/jsonl", "internal/merge", "internal/plan"}},
	{"internal/git/odb", []string{"internal/mmap"}},
	{"internal/git", []string{"internal/git/odb", "internal/proc", "internal/safefile"}},
	{"internal/store", []string{"internal/git", "internal/jsonl", "internal/merge", "internal/plan", "internal/plandiff", "internal/safefile"}},
	{"internal/history/fold", []string{"internal/git", "internal/jsonl", "internal/plan"}},
	{"internal/history/cache", []string{"internal/git", "internal/history/fold", "internal/mmap"}},
	{"internal/history", []string{"internal/git", "internal/history/cache", "internal/history/fold"}},
	{"internal/mergedriver", []string{"internal/merge", "internal/proc", "internal/safefile"}},
	{"internal/githook", []string{
		"githooks", "internal/git", "internal/history/fold", "internal/jsonl", "internal/mask", "internal/plan", "internal/plandiff",
		"internal/schedule", "internal/store",
	}},
	{"internal/install", []string{"githooks", "internal/git", "internal/safefile"}},
	{"internal/doctor", []string{"githooks", "internal/git", "internal/install", "internal/plan", "internal/proc", "internal/store"}},
	{"internal/agent", []string{"internal/jsonl", "internal/mask", "internal/proc"}},
	{"internal/prompt", []string{"internal/plan", "internal/safefile", "internal/schedule"}},
	{"internal/journal", []string{"internal/jsonl", "internal/proc", "internal/safefile"}},
	{"internal/loop", []string{
		"internal/agent", "internal/git", "internal/journal", "internal/jsonl", "internal/mask", "internal/plan", "internal/proc", "internal/prompt",
		"internal/safefile", "internal/schedule", "internal/store",
	}},
	{"internal/cli", []string{
		"internal/agent", "internal/doctor", "internal/git", "internal/githook", "internal/history", "internal/history/fold", "internal/install",
		"internal/journal", "internal/jsonl", "internal/loop", "internal/mask", "internal/merge", "internal/mergedriver", "internal/plan", "internal/plandiff",
		"internal/proc", "internal/prompt", "internal/resolve", "internal/safefile", "internal/schedule", "internal/store",
		"internal/trust",
	}},
	{"cmd/git-ralph", []string{"internal/cli"}},
	{"merge-driver", []string{"internal/mergedriver"}},

	// Beside the house: what only make and the tests call.
	{"internal/git/gittest", []string{"internal/git", "internal/proc"}},
	{"internal/mask/masktest", nil},
	{"internal/realagent", nil},
	{"internal/scripted", []string{"internal/jsonl", "internal/proc"}},
	{"internal/demo/scripted-agent", []string{"internal/scripted"}},
	{"internal/history/oracle", []string{"internal/proc"}},
	{"internal/history/historytest", nil},
	{"internal/bench", []string{"internal/git", "internal/proc"}},
	{"internal/checkreal", []string{"internal/history/oracle", "internal/jsonl", "internal/plan", "internal/proc"}},
	{"internal/endtoend", nil},
	{"internal/installer", nil},
	{"internal/walls", nil},
}

// TestFloors keeps each package to what its line allows, and the table to the packages that exist.
func TestFloors(t *testing.T) {
	dirs, byDir := packages(source(t))
	allowed := map[string][]string{}
	for i, it := range floors {
		allowed[it.dir] = it.uses
		for _, use := range it.uses {
			if !slices.ContainsFunc(floors[:i], func(f floor) bool { return f.dir == use }) {
				t.Errorf("table: %s may use %s, which is not on a lower floor", it.dir, use)
			}
		}
		if !slices.Contains(dirs, it.dir) {
			t.Errorf("table: there is no package %s", it.dir)
		}
	}
	for _, dir := range dirs {
		uses, known := allowed[dir]
		if !known {
			t.Errorf("%s has no line in the table of floors", dir)
			continue
		}
		for _, f := range byDir[dir] {
			for _, path := range f.imports() {
				if own, ok := strings.CutPrefix(path, module+"/"); ok && !slices.Contains(uses, own) {
					t.Errorf("%s imports %s, which its floor does not allow", f.path, own)
				}
			}
		}
	}
}

// walls names imports that belong to one place. A path that ends in "/" stands for everything below it.
var walls = []struct {
	path  string
	only  []string // folders; a folder counts with those below it
	tests bool     // whether tests are held to it too
}{
	{"os/exec", []string{"internal/proc"}, false},
	{"github.com/go-git/", []string{"internal/git"}, true},
	{"github.com/urfave/cli/", []string{"internal/cli"}, true},
	{"github.com/sergi/go-diff/", []string{"internal/textmerge"}, true},
	{"net/http", []string{"internal/realagent"}, true}, // a model for tests; see tooHeavy
	{"encoding/gob", nil, true},
	{"text/template", nil, true},
	{"html/template", nil, true},
}

// TestWalls keeps what is dangerous, heavy or replaceable behind the one package whose job it is.
func TestWalls(t *testing.T) {
	for _, f := range source(t) {
		for _, path := range f.imports() {
			for _, wall := range walls {
				if f.test && !wall.tests || !covers(wall.path, path) {
					continue
				}
				if !slices.ContainsFunc(wall.only, func(dir string) bool { return f.dir == dir || strings.HasPrefix(f.dir, dir+"/") }) {
					t.Errorf("%s imports %s; only %v may", f.path, path, wall.only)
				}
			}
		}
	}
}

func covers(wall, path string) bool {
	return path == wall || strings.HasSuffix(wall, "/") && strings.HasPrefix(path, wall)
}

// TestProcessesStartInProc closes the ways around os/exec.
func TestProcessesStartInProc(t *testing.T) {
	for _, f := range source(t) {
		if f.test || f.dir == "internal/proc" {
			continue
		}
		for _, way := range [][2]string{{"os", "StartProcess"}, {"syscall", "Exec"}, {"syscall", "ForkExec"}, {"syscall", "StartProcess"}} {
			if line := f.uses(way[0], way[1]); line > 0 {
				t.Errorf("%s:%d: %s.%s; only internal/proc starts programs", f.path, line, way[0], way[1])
			}
		}
	}
}

// pure are the packages whose answers depend on their arguments alone: no files, clock, chance or environment.
var pure = []string{"internal/jsonl", "internal/mask", "internal/plan", "internal/schedule", "internal/plandiff", "internal/textmerge", "internal/merge", "internal/resolve", "internal/history/fold"}

// impure are what they must not import, and single names of packages that they may import.
var (
	impureImports = []string{"os", "os/", "io/fs", "io/ioutil", "net", "net/", "syscall", "math/rand", "math/rand/v2", "crypto/rand", "log", "log/slog", "flag", "runtime/debug"}
	impureNames   = map[string][]string{
		"time":          {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Local", "LoadLocation"},
		"fmt":           {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
		"path/filepath": {"Abs", "EvalSymlinks", "Glob", "Walk", "WalkDir"},
	}
)

// TestPurePackages keeps I/O, clock, randomness and environment out of the packages that are handed them.
func TestPurePackages(t *testing.T) {
	for _, f := range source(t) {
		if f.test || !slices.Contains(pure, f.dir) {
			continue
		}
		for _, path := range f.imports() {
			if slices.ContainsFunc(impureImports, func(wall string) bool { return covers(wall, path) }) {
				t.Errorf("%s imports %s, but %s is pure", f.path, path, f.dir)
			}
		}
		for path, names := range impureNames {
			for _, name := range names {
				if line := f.uses(path, name); line > 0 {
					t.Errorf("%s:%d: %s.%s, but %s is pure", f.path, line, path, name, f.dir)
				}
			}
		}
	}
}
