package walls

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shippedTags are the build tags of the released program.
const shippedTags = "urfave_cli_no_docs"

// A program that ships, and what it may do before main, as the runtime's own trace counts it. A clock would measure
// the machine; these counts change only when an import does. They stand a little above what was counted when they were
// set: raise them only for a package that earns its place in every start.
type program struct {
	dir       string
	start     string // the argument of its shortest run
	maxInits  int
	maxAllocs int
	without   []string // more that may not be linked into it
}

var programs = []program{
	{"cmd/git-ralph", "version", 42, 280, []string{"github.com/yuin/", "go.yaml.in/"}},
	{"merge-driver", "--version", 28, 180, []string{
		"github.com/go-git/", "github.com/urfave/", "github.com/charmbracelet/", "text/template", "git-ralph/internal/git",
		"github.com/yuin/", "go.yaml.in/",
	}},
	{"cmd/git-ralph-workplan-parser", "--version", 27, 1800, []string{
		"github.com/go-git/", "github.com/urfave/", "github.com/charmbracelet/", "text/template", "git-ralph/internal/git", "os/exec",
	}},
}

// tooHeavy may not be linked into a program: each costs every command, `version` included, or reaches a network.
var tooHeavy = []string{
	"encoding/gob", "net/http", "crypto/tls", "html/template", "go/ast", "testing",
	"github.com/go-git/go-git/v5", "github.com/ProtonMail/go-crypto/", "github.com/skeema/knownhosts",
	"golang.org/x/crypto/", "github.com/cpuguy83/go-md2man/", "os/user",
	"github.com/modelcontextprotocol/", "github.com/google/jsonschema-go/", "git-ralph/internal/mcpserver", "git-ralph/internal/board", "git-ralph/internal/loopback", "git-ralph/internal/web", "charm.land/", "git-ralph/internal/hub/transport", "git-ralph/internal/github/api",
}

// linkedPackage is what go list prints about a linked package.
type linkedPackage struct {
	ImportPath string
	Module     *struct{ Path, Version string }
}

// linked lists the packages of a shipped program.
func linked(t *testing.T, program string) []linkedPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-tags", shippedTags, "-json=ImportPath,Module", "./"+program)
	cmd.Dir = root(t)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var list []linkedPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p linkedPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// TestNothingHeavyIsLinked keeps a program's start light by what it is made of.
func TestNothingHeavyIsLinked(t *testing.T) {
	for _, program := range programs {
		for _, p := range linked(t, program.dir) {
			for _, heavy := range slices.Concat(tooHeavy, program.without) {
				if covers(heavy, p.ImportPath) {
					t.Errorf("%s links %s", program.dir, p.ImportPath)
				}
			}
			// Earlier versions build tables of all of Unicode at start, 60 ms of them.
			if m := p.Module; m != nil && m.Path == "github.com/mattn/go-runewidth" && olderThan(m.Version, 0, 0, 31) {
				t.Errorf("%s links go-runewidth %s; v0.0.31 or later is needed", program.dir, m.Version)
			}
		}
	}
}

// olderThan compares a version such as v0.0.27 with a wanted one.
func olderThan(version string, want ...int) bool {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	for i, part := range strings.SplitN(version, ".", len(want)) {
		if n, _ := strconv.Atoi(part); n != want[i] {
			return n < want[i]
		}
	}
	return false
}

// TestStartIsLight counts the packages that initialise themselves before main and the memory that they take.
func TestStartIsLight(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the counts are those of linux")
	}
	for _, p := range programs {
		binary := filepath.Join(t.TempDir(), "program")
		build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", shippedTags, "-ldflags", "-s -w", "-o", binary, "./"+p.dir)
		build.Dir = root(t)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
		inits, allocs := initTrace(t, binary, p.start)
		t.Logf("%s: %d packages initialise themselves, with %d allocations", p.dir, inits, allocs)
		if inits == 0 || inits > p.maxInits {
			t.Errorf("%s: %d packages initialise themselves before main; the limit is %d", p.dir, inits, p.maxInits)
		}
		if allocs > p.maxAllocs {
			t.Errorf("%s: %d allocations before main; the limit is %d", p.dir, allocs, p.maxAllocs)
		}
	}
}

// initTrace runs a program and reads the runtime's trace, a line a package:
//
//	init internal/poll @0.15 ms, 0.002 ms clock, 80 bytes, 3 allocs
func initTrace(t *testing.T, program, arg string) (inits, allocs int) {
	t.Helper()
	cmd := exec.Command(program, arg)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"GODEBUG=inittrace=1", "HOME=" + cmd.Dir, "PATH=" + os.Getenv("PATH")}
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", arg, err, &trace)
	}
	for line := range strings.Lines(trace.String()) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "init" {
			continue
		}
		inits++
		n, err := strconv.Atoi(words[len(words)-2])
		if err != nil {
			t.Fatalf("unexpected trace line %q", line)
		}
		allocs += n
	}
	return inits, allocs
}
