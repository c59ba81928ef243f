package mergedriver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

const (
	base   = `{"t": "task", "id": "t-aaaa", "name": "Parse", "s": "p"}` + "\n"
	ours   = `{"t": "task", "id": "t-aaaa", "name": "Parse", "s": "p", "x": 1}` + "\n"
	theirs = `{"t": "task", "id": "t-aaaa", "name": "Parse", "s": "p", "x": 2}` + "\n"
)

// site is a directory with the files base, ours and theirs.
type site struct {
	t      *testing.T
	dir    string
	stderr bytes.Buffer
}

func newSite(t *testing.T, base, ours, theirs string) *site {
	t.Helper()
	s := &site{t: t, dir: t.TempDir()}
	for name, text := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *site) env() Env {
	home := "HOME=" + s.dir
	return Env{
		Dir: s.dir, Environ: []string{home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + s.dir, "PATH=" + os.Getenv("PATH")},
		Out: &bytes.Buffer{}, Err: &s.stderr, Version: "1",
	}
}

func (s *site) main(args ...string) int { return Main(context.Background(), args, s.env()) }

func (s *site) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// only lists the names in the directory.
func (s *site) only(want ...string) {
	s.t.Helper()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, want) {
		s.t.Errorf("the directory holds %q, want %q", names, want)
	}
}

// docs/merge.md, "Use it now": a recorded conflict is reported in one line, and is
// status 0 unless the user wants to stop; the result is valid in both cases.
func TestRecordedConflict(t *testing.T) {
	for _, flags := range [][]string{nil, {"--stop-on-conflict"}} {
		s := newSite(t, base, ours, theirs)
		status := s.main(append(flags, "base", "ours", "theirs", "7", "ralph/plan.jsonl")...)
		if status != len(flags) {
			t.Errorf("%q exits %d", flags, status)
		}
		want := "git-ralph-merge-driver: ralph/plan.jsonl: conflict in t-aaaa: both sides changed x; one value is kept, all are recorded\n"
		if flags != nil {
			want += "git-ralph: hint: `git ralph resolve --all` stages the plan as it is, then `git ralph resolve` resolves the recorded conflicts\n"
		}
		if got := s.stderr.String(); got != want {
			t.Errorf("%q says %q", flags, got)
		}
		if got := s.read("ours"); !strings.Contains(got, `"x": 2`) || !strings.Contains(got, `"conflict": {"x": [1, 2]}`) {
			t.Errorf("%q writes %s", flags, got)
		}
		s.only("base", "ours", "theirs")
	}
}

// A large plan, which is mapped and not read, is merged like a small one.
func TestLarge(t *testing.T) {
	var lines strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&lines, `{"t": "task", "id": "t-b%05d", "name": "%s", "s": "p"}`+"\n", i, strings.Repeat("word ", 20))
	}
	s := newSite(t, base+lines.String(), ours+lines.String(), theirs+lines.String())
	made := false
	env := s.env()
	env.BeforeLarge = func() { made = true }
	if status := Main(context.Background(), []string{"base", "ours", "theirs"}, env); status != 0 || !made {
		t.Errorf("exits %d, made room: %v", status, made)
	}
	if head, rest, _ := strings.Cut(s.read("ours"), "\n"); !strings.Contains(head, `"conflict"`) || rest != lines.String() {
		t.Errorf("writes %d bytes, the first line %s", len(rest), head)
	}
	s.only("base", "ours", "theirs")
}

// With --output no input changes.
func TestOutput(t *testing.T) {
	s := newSite(t, base, ours, theirs)
	if status := s.main("--output", "merged", "base", "ours", "theirs"); status != 0 {
		t.Errorf("exits %d: %s", status, &s.stderr)
	}
	if s.read("ours") != ours || !strings.Contains(s.read("merged"), `"conflict"`) {
		t.Errorf("ours is %q, merged %q", s.read("ours"), s.read("merged"))
	}
	s.only("base", "merged", "ours", "theirs")
}

// With --output - the result is all that standard output gets, and messages name
// the plan.
func TestStandardOutput(t *testing.T) {
	s := newSite(t, base, ours, theirs)
	env, out := s.env(), &bytes.Buffer{}
	env.Out = out
	if status := Main(context.Background(), []string{"--output", "-", "base", "ours", "theirs"}, env); status != 0 {
		t.Errorf("exits %d: %s", status, &s.stderr)
	}
	if s.read("ours") != ours || !strings.HasPrefix(out.String(), `{"t": "task"`) || !strings.Contains(out.String(), `"conflict"`) {
		t.Errorf("ours is %q, the output %q", s.read("ours"), out)
	}
	if !strings.HasPrefix(s.stderr.String(), "git-ralph-merge-driver: ours: conflict in t-aaaa") {
		t.Errorf("says %q", &s.stderr)
	}
	s.only("base", "ours", "theirs")
}

// Markers have a size that a machine can bear, with git and without.
func TestMarkerSize(t *testing.T) {
	for _, text := range []string{"", "\x00"} {
		s := newSite(t, "1"+text+"\n", "2"+text+"\n", "3"+text+"\n")
		if status := s.main("base", "ours", "theirs", "2000000000"); status != 1 || !strings.HasPrefix(s.read("ours"), strings.Repeat("<", 1000)+" ours\n") {
			t.Errorf("exits %d, writes %d bytes", status, len(s.read("ours")))
		}
	}
}

// What is no plan is merged as git merges text: its markers, in the size that
// was requested, or a clean merge.
func TestPlainText(t *testing.T) {
	s := newSite(t, "1\n", "2\n", "3\n")
	if status := s.main("base", "ours", "theirs", "9", "p"); status != 1 {
		t.Errorf("exits %d", status)
	}
	if got, want := s.read("ours"), "<<<<<<<<< ours\n2\n=========\n3\n>>>>>>>>> theirs\n"; got != want {
		t.Errorf("writes %q", got)
	}
	if !strings.HasPrefix(s.stderr.String(), "git-ralph-merge-driver: p: merging plain text: ") || strings.Count(s.stderr.String(), "\n") != 1 {
		t.Errorf("says %q", &s.stderr)
	}
	s = newSite(t, "a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n")
	if status := s.main("base", "ours", "theirs"); status != 0 || s.read("ours") != "A\nb\nc\nD\n" {
		t.Errorf("exits %d, writes %q", status, s.read("ours"))
	}
}

// What git does not merge either, and a machine without git, leave both sides
// in the file.
func TestLastResort(t *testing.T) {
	want := "<<<<<<< ours\n2\x00\n=======\n3\x00\n>>>>>>> theirs\n"
	for _, path := range []string{os.Getenv("PATH"), t.TempDir()} {
		s := newSite(t, "1\x00", "2\x00", "3\x00")
		env := s.env()
		env.Environ = append(env.Environ[:3:3], "PATH="+path)
		if status := Main(context.Background(), []string{"base", "ours", "theirs"}, env); status != 1 || s.read("ours") != want {
			t.Errorf("exits %d, writes %q", status, s.read("ours"))
		}
		s.only("base", "ours", "theirs")
	}
}

// A mistake in the engine is no loss: the text is merged.
func TestCrash(t *testing.T) {
	crashes := map[string]func(base, ours, theirs []byte) (merge.Result, error){
		"panics": func(_, _, _ []byte) (merge.Result, error) {
			var none []int
			return merge.Result{}, errors.New(string(rune(none[3])))
		},
		"makes an invalid plan": func(_, _, _ []byte) (merge.Result, error) {
			return merge.Result{}, &merge.ResultError{Problem: plan.Problem{Message: "id t-aaaa is used twice"}}
		},
		"fails": func(_, _, _ []byte) (merge.Result, error) { return merge.Result{}, errors.New("no\x1b[2J") },
	}
	for name, crash := range crashes {
		s := newSite(t, base, ours, theirs)
		job, err := Parse([]string{"base", "ours", "theirs"})
		if err != nil {
			t.Fatal(err)
		}
		if status := (&driver{job, s.env(), crash}).run(context.Background()); status != 1 {
			t.Errorf("%s: exits %d", name, status)
		}
		if got, want := s.read("ours"), "<<<<<<< ours\n"+ours+"=======\n"+theirs+">>>>>>> theirs\n"; got != want {
			t.Errorf("%s: writes %q", name, got)
		}
		if strings.Contains(s.stderr.String(), "\x1b") || strings.Count(s.stderr.String(), "\n") != 1 {
			t.Errorf("%s: says %q", name, &s.stderr)
		}
	}
}

// Called by hand, the driver takes no file for the pending one that the
// registered command did not make: it stays, and what it leads to stays.
func TestOthersFiles(t *testing.T) {
	makers := map[string]func(name string) error{
		"a file":      func(name string) error { return os.WriteFile(name, []byte("mine\n"), 0o600) },
		"a directory": func(name string) error { return os.Mkdir(name, 0o700) },
		"a link":      func(name string) error { return os.Symlink("empty", name) },
	}
	for name, make := range makers {
		s := newSite(t, base, ours, theirs)
		pending := filepath.Join(s.dir, "ours.ralph")
		if err := errors.Join(os.WriteFile(filepath.Join(s.dir, "empty"), nil, 0o600), make(pending)); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Lstat(pending)
		if status := s.main("base", "ours", "theirs"); status != 0 || !strings.Contains(s.read("ours"), `"conflict"`) {
			t.Errorf("%s: exits %d: %s", name, status, &s.stderr)
		}
		after, err := os.Lstat(pending)
		if err != nil || !os.SameFile(before, after) || after.Size() != before.Size() || s.read("empty") != "" {
			t.Errorf("%s was touched: %v", name, err)
		}
		s.only("base", "empty", "ours", "ours.ralph", "theirs")
	}
}

// The pending file of the registered command becomes the result.
func TestPending(t *testing.T) {
	s := newSite(t, base, ours, theirs)
	if err := os.WriteFile(filepath.Join(s.dir, "ours"+PendingSuffix), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if status := s.main("base", "ours", "theirs"); status != 0 || !strings.Contains(s.read("ours"), `"conflict"`) {
		t.Errorf("exits %d: %s", status, &s.stderr)
	}
	s.only("base", "ours", "theirs")
}

// What cannot be read or written is status 1 with the reason, and ours as it was.
func TestFiles(t *testing.T) {
	for _, args := range [][]string{
		{"base", "ours", "nothing"},
		{"--output", "none/of/these\x00", "base", "ours", "theirs"},
	} {
		s := newSite(t, base, ours, theirs)
		if status := s.main(args...); status != 1 || s.read("ours") != ours || s.stderr.Len() == 0 {
			t.Errorf("%q: exits %d, says %q", args, status, &s.stderr)
		}
		if strings.Contains(s.stderr.String(), "\x00") {
			t.Errorf("%q: says %q", args, &s.stderr)
		}
	}
}

// No command line ends with another status than 0 or 1, or touches a file when
// it is wrong.
func TestCommandLine(t *testing.T) {
	for line, want := range map[string]int{
		"--version": 0, "--help": 0, "-h": 0, "": 1, "base ours": 1, "base ours theirs x": 1, "base ours theirs 0": 1,
		"base ours theirs 7 p more": 1, "--output": 1, "--output=": 1, "--output f base ours theirs x": 1,
		"--frobnicate base ours theirs": 1, "--stop-on-conflict=1 base ours theirs": 1, "-- base ours base": 0,
	} {
		s := newSite(t, base, ours, theirs)
		if status := s.main(strings.Fields(line)...); status != want {
			t.Errorf("%q exits %d, want %d", line, status, want)
		}
		if s.read("ours") != ours || want == 1 && s.stderr.Len() == 0 {
			t.Errorf("%q: ours is %q, it says %q", line, s.read("ours"), &s.stderr)
		}
	}
}

// docs/merge.md shows the very line that is registered.
func TestCommandIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/merge.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "git config merge.ralph.driver '"+Command(false)+"'\n") {
		t.Errorf("docs/merge.md does not show %s", Command(false))
	}
}

// TestMissingDriverIsSaid: the registered command says on standard error that it
// merges plain text, where the driver is missing and where it fails, and merges.
func TestMissingDriverIsSaid(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("needs a Unix shell")
	}
	for name, driver := range map[string]string{"missing": "", "failing": "#!/bin/sh\nexit 3\n", "merging": "#!/bin/sh\nmv ours.ralph ours\n"} {
		for _, stop := range []bool{false, true} {
			s := newSite(t, "a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n")
			bin := t.TempDir()
			for _, tool := range []string{"git", "mv", "rm"} {
				if path, err := exec.LookPath(tool); err != nil || os.Symlink(path, filepath.Join(bin, tool)) != nil {
					t.Skip("needs git, mv and rm")
				}
			}
			if driver != "" {
				if err := os.WriteFile(filepath.Join(bin, program), []byte(driver), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			line := strings.NewReplacer("%O", "base", "%A", "ours", "%B", "theirs", "%L", "7", "%P", "'ralph/it'\\''s.jsonl'").Replace(Command(stop))
			cmd := exec.Command(shell, "-c", line)
			cmd.Dir, cmd.Env, cmd.Stderr = s.dir, append(s.env().Environ, "PATH="+bin), &s.stderr
			if err := cmd.Run(); err != nil {
				t.Errorf("%s: %v, %s", name, err, &s.stderr)
			}
			want := "git-ralph: warning: git-ralph-merge-driver is not on PATH, or failed: the plan is merged as plain text\n"
			if name == "merging" {
				want = ""
			} else if got := s.read("ours"); got != "A\nb\nc\nD\n" {
				t.Errorf("%s: writes %q", name, got)
			}
			if s.stderr.String() != want {
				t.Errorf("%s: says %q", name, &s.stderr)
			}
		}
	}
}

// A result of more pieces than the system writes at once is written whole.
func TestManyPieces(t *testing.T) {
	var pieces [][]byte
	for i := range 5000 {
		pieces = append(pieces, []byte(strings.Repeat("x", i%7)), []byte("\n"))
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "result"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(writePieces(f, slices.Clone(pieces)), f.Close()); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(f.Name()); !bytes.Equal(got, slices.Concat(pieces...)) {
		t.Errorf("%d bytes are written otherwise than given", len(got))
	}
}
