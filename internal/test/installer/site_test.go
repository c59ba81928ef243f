package installer

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// standIn is a program with as much of the command line as install.sh uses.
const standIn = `package main

import (
	"fmt"
	"os"
)

var version = "unset"

func main() {
	switch os.Args[1] {
	case "completion":
		fmt.Println("# completion for", os.Args[2])
	case "version":
		fmt.Println(version)
	}
}
`

// standInManpages writes pages as the program that install.sh runs does.
const standInManpages = `package main

import "os"

func main() {
	for _, page := range []string{"git-ralph.1", "git-ralph-task.1"} {
		if os.WriteFile(os.Args[1]+"/"+page, []byte(".TH "+page+"\n"), 0o644) != nil {
			os.Exit(1)
		}
	}
}
`

// installed are the files of the stand-in under its prefix.
var installed = []string{
	"bin/git-ralph",
	"bin/git-ralph-merge-driver",
	"libexec/git-ralph/git-ralph-ui",
	"libexec/git-ralph/git-ralph-workplan-parser",
	"share/bash-completion/completions/git-ralph",
	"share/fish/vendor_conf.d/git-ralph.fish",
	"share/git-ralph/manifest",
	"share/man/man1/git-ralph-task.1",
	"share/man/man1/git-ralph.1",
	"share/zsh/site-functions/_git-ralph",
}

// site is a source tree with install.sh, and the environment that it runs in.
type site struct {
	t      *testing.T
	source string
	home   string
	env    []string
	shell  []string
}

// newSite copies install.sh beside the stand-in program.
func newSite(t *testing.T, shell ...string) *site {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("install.sh is for systems with a POSIX shell")
	}
	script, err := os.ReadFile("../../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := &site{t: t, source: filepath.Join(dir, "source tree"), home: filepath.Join(dir, "home"), shell: shell}
	s.write(filepath.Join(s.source, "install.sh"), string(script))
	s.write(filepath.Join(s.source, "go.mod"), "module git-ralph\n\ngo 1.21\n")
	s.write(filepath.Join(s.source, "cmd/git-ralph/main.go"), standIn)
	s.write(filepath.Join(s.source, "internal/cli/manpages/main.go"), standInManpages)
	for _, program := range []string{"merge-driver", "cmd/git-ralph-workplan-parser", "cmd/git-ralph-ui"} {
		s.write(filepath.Join(s.source, program, "main.go"), "package main\n\nvar version = \"unset\"\n\nfunc main() { print(version) }\n")
	}
	s.write(filepath.Join(s.home, ".profile"), "")
	s.env = append(goEnv(t), "HOME="+s.home, "PATH="+os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "TMPDIR="+t.TempDir())
	s.stub(t, "go", buildOnce(t))
	if len(shell) == 0 {
		s.shell = []string{"sh"}
	}
	return s
}

// builtPrograms is the directory of what buildOnce built.
var builtPrograms string

func TestMain(m *testing.M) {
	var err error
	if builtPrograms, err = os.MkdirTemp("", "installer"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(builtPrograms) //nolint:errcheck // temporary
	os.Exit(code)
}

// buildOnce is a go command that copies a program which it has built from the same stand-ins before.
func buildOnce(t *testing.T) string {
	t.Helper()
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("REAL", real, "BUILT", builtPrograms).Replace(`
case $1 in build) ;; *) exec REAL "$@" ;; esac
last= out=
for word; do
	if [ "$last" = -o ]; then out=$word; fi
	last=$word
done
built=BUILT/$(cat cmd/git-ralph/main.go internal/cli/manpages/main.go merge-driver/main.go cmd/git-ralph-workplan-parser/main.go cmd/git-ralph-ui/main.go | cksum | tr ' ' -)-${last##*/}
if [ ! -f "$built" ]; then
	REAL "$@" && cp "$out" "$built"
else
	cp "$built" "$out"
fi`)
}

// goEnv lets the go command find its caches although HOME is another.
func goEnv(t *testing.T) []string {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GOFLAGS", "GOTOOLCHAIN"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"GOWORK=off"}
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		env = append(env, names[i]+"="+value)
	}
	return env
}

func (s *site) write(path, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// command is install.sh under the site's shell.
func (s *site) command(args ...string) *exec.Cmd {
	argv := slices.Concat(s.shell, []string{filepath.Join(s.source, "install.sh")}, args)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = s.home
	cmd.Env = s.env
	return cmd
}

// run runs install.sh and returns what it printed and its exit status.
func (s *site) run(args ...string) (string, int) {
	s.t.Helper()
	out, err := s.command(args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	if exit != nil {
		return string(out), exit.ExitCode()
	}
	return string(out), 0
}

// must runs install.sh and expects success.
func (s *site) must(args ...string) string {
	s.t.Helper()
	out, code := s.run(args...)
	if code != 0 {
		s.t.Fatalf("install.sh %q exits %d:\n%s", args, code, out)
	}
	return out
}

// tree maps every path below dir to its content; directories end in a slash.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if d.Name() == ".config" || d.Name() == "Library" {
			return filepath.SkipDir // the go command counts its runs there
		}
		if d.IsDir() {
			found[rel+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		found[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// files lists the files of a tree, in order.
func files(tree map[string]string) []string {
	var names []string
	for name := range tree {
		if !strings.HasSuffix(name, "/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// onlyTools makes a PATH of just those programs, and the shell.
func (s *site) onlyTools(t *testing.T, names ...string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range append(names, "sh") {
		path, err := exec.LookPath(name)
		if err != nil {
			continue // a shell builtin
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s.env = append(s.env, "PATH="+dir)
}

// stub puts a program in front of the real one of that name.
func (s *site) stub(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "PATH="+dir+":"+os.Getenv("PATH"))
}
