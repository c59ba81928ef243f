package installer

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shells are the POSIX shells that the script is to run under, where they are installed.
var shells = map[string][]string{
	"sh": {"sh"}, "dash": {"dash"}, "bash": {"bash", "--posix"}, "busybox": {"busybox", "sh"}, "zsh": {"zsh", "--emulate", "sh"},
}

// TestInstallAndUninstall: everything arrives, a second run changes nothing, and uninstalling leaves the directory,
// with somebody else's files in it and a space in its name, as it was.
func TestInstallAndUninstall(t *testing.T) {
	for name, shell := range shells {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(shell[0]); err != nil {
				t.Skipf("%s is not installed", shell[0])
			}
			s := newSite(t, shell...)
			prefix := filepath.Join(s.home, "my tools")
			s.write(filepath.Join(prefix, "bin/other"), "not ours")
			s.write(filepath.Join(prefix, "share/man/man1/other.1"), "not ours")
			before := tree(t, s.home)
			for range 2 {
				s.must("--prefix", prefix)
				got := files(tree(t, prefix))
				if want := slices.Sorted(slices.Values(append([]string{"bin/other", "share/man/man1/other.1"}, installed...))); !slices.Equal(got, want) {
					t.Fatalf("installed %q, want %q", got, want)
				}
			}
			if out, err := exec.Command(filepath.Join(prefix, "bin/git-ralph"), "version").Output(); err != nil || string(out) != "dev\n" {
				t.Errorf("version is %q, %v", out, err)
			}
			s.must("--uninstall", "--prefix", prefix)
			if after := tree(t, s.home); !maps.Equal(before, after) {
				t.Errorf("uninstalling leaves %q, before there was %q", files(after), files(before))
			}
		})
	}
}

// TestDefaultPrefix: without --prefix it is ~/.local, which is made and goes again.
func TestDefaultPrefix(t *testing.T) {
	s := newSite(t)
	before := tree(t, s.home)
	s.must()
	if got := files(tree(t, filepath.Join(s.home, ".local"))); !slices.Equal(got, installed) {
		t.Errorf("installed %q", got)
	}
	s.must("--uninstall")
	if after := tree(t, s.home); !maps.Equal(before, after) {
		t.Errorf("uninstalling leaves %v", slices.Sorted(maps.Keys(after)))
	}
}

// TestNewDirectoriesGoAgain: directories above the prefix that had to be made are taken away too.
func TestNewDirectoriesGoAgain(t *testing.T) {
	s := newSite(t)
	before := tree(t, s.home)
	s.must("--prefix", "a/b c/d")
	s.must("--prefix", "a/b c/d")
	s.must("--uninstall", "--prefix=a/b c/d/")
	if after := tree(t, s.home); !maps.Equal(before, after) {
		t.Errorf("uninstalling leaves %v", slices.Sorted(maps.Keys(after)))
	}
}

// TestUninstallKeepsWhatIsNotOurs: a file that was changed since, and files put beside ours.
func TestUninstallKeepsWhatIsNotOurs(t *testing.T) {
	s := newSite(t)
	s.must("--prefix", "p")
	s.write(filepath.Join(s.home, "p/share/zsh/site-functions/_git-ralph"), "mended by hand")
	s.write(filepath.Join(s.home, "p/bin/mine"), "mine")
	out := s.must("--prefix", "p", "--uninstall")
	want := []string{"bin/mine", "share/zsh/site-functions/_git-ralph"}
	if got := files(tree(t, filepath.Join(s.home, "p"))); !slices.Equal(got, want) {
		t.Errorf("kept %q, want %q", got, want)
	}
	if !strings.Contains(out, "_git-ralph: it was changed since it was installed") {
		t.Errorf("does not say what it kept: %s", out)
	}
}

// TestUpgradeRemovesOldFiles: a page that the new version does not have is not left behind.
func TestUpgradeRemovesOldFiles(t *testing.T) {
	s := newSite(t)
	s.must("--prefix", "p")
	s.write(filepath.Join(s.source, "internal/cli/manpages/main.go"), strings.Replace(standInManpages, `, "git-ralph-task.1"`, "", 1))
	s.must("--prefix", "p")
	if got := files(tree(t, filepath.Join(s.home, "p"))); slices.Contains(got, "share/man/man1/git-ralph-task.1") || len(got) != len(installed)-1 {
		t.Errorf("after the upgrade there is %q", got)
	}
	s.must("--prefix", "p", "--uninstall")
	if _, err := os.Stat(filepath.Join(s.home, "p")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the prefix is still there: %v", err)
	}
}

// TestRefusals: each says why and what to do, and changes nothing.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*testing.T, *site)
		args []string
		code int
		want string
	}{
		{"somebody else's file", func(_ *testing.T, s *site) { s.write(filepath.Join(s.home, "p/bin/git-ralph"), "x") }, []string{"--prefix", "p"}, 1, "exists and was not installed by this script"},
		{"no go", func(t *testing.T, s *site) { s.onlyTools(t, "git", "cksum", "dirname", "mktemp", "rm", "sed", "pwd") }, []string{"--prefix", "p"}, 1, "go is not installed or not on PATH"},
		{"no git", func(t *testing.T, s *site) { s.onlyTools(t, "cksum", "dirname", "mktemp", "rm", "sed", "pwd") }, []string{"--prefix", "p"}, 1, "git is not installed or not on PATH"},
		{"old go", func(t *testing.T, s *site) { s.stub(t, "go", "echo go1.20.14") }, []string{"--prefix", "p"}, 1, "go1.20.14 is too old: Go 1.21 or later is needed"},
		{"broken build", func(_ *testing.T, s *site) {
			s.write(filepath.Join(s.source, "cmd/git-ralph/main.go"), "package main\n")
		}, []string{"--prefix", "p"}, 1, "the program could not be built"},
		{"broken merge driver", func(_ *testing.T, s *site) {
			s.write(filepath.Join(s.source, "merge-driver/main.go"), "package main\n")
		}, []string{"--prefix", "p"}, 1, "the program could not be built"},
		{"no completions", func(_ *testing.T, s *site) {
			s.write(filepath.Join(s.source, "cmd/git-ralph/main.go"), strings.Replace(standIn, `fmt.Println("# completion for", os.Args[2])`, "os.Exit(1)", 1))
		}, []string{"--prefix", "p"}, 1, "the completions could not be made"},
		{"nothing to uninstall", func(*testing.T, *site) {}, []string{"--uninstall", "--prefix", "p"}, 1, "nothing is installed under"},
		{"the root", func(*testing.T, *site) {}, []string{"--prefix", "/"}, 1, "the root directory cannot be the prefix"},
		{"an option for a directory", func(*testing.T, *site) {}, []string{"--prefix", "--uninstall"}, 1, "--prefix needs a directory"},
		{"an unknown option", func(*testing.T, *site) {}, []string{"--frobnicate"}, 2, "unknown argument: --frobnicate\nusage: sh install.sh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			c.set(t, s)
			before := tree(t, s.home)
			out, code := s.run(c.args...)
			if code != c.code || !strings.Contains(out, c.want) {
				t.Errorf("exits %d with %q, want %d with %q", code, out, c.code, c.want)
			}
			if after := tree(t, s.home); !maps.Equal(before, after) {
				t.Errorf("left %v", slices.Sorted(maps.Keys(after)))
			}
		})
	}
}

// TestInterrupted: a run that is ended while it builds leaves neither files nor directories.
func TestInterrupted(t *testing.T) {
	s := newSite(t)
	started := filepath.Join(t.TempDir(), "started")
	s.stub(t, "go", `case $1 in env) echo go1.21.0 ;; *) touch "`+started+`"; sleep 1 ;; esac`)
	before := tree(t, s.home)
	cmd := s.command("--prefix", "p")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(started); err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 143 {
		t.Errorf("exits with %v: %s", err, &out)
	}
	if after := tree(t, s.home); !maps.Equal(before, after) {
		t.Errorf("left %v", slices.Sorted(maps.Keys(after)))
	}
}

// TestSignalsWaitForTheRenames: once files are being moved into place, the installation is brought to its end.
func TestSignalsWaitForTheRenames(t *testing.T) {
	s := newSite(t)
	mv, err := exec.LookPath("mv")
	if err != nil {
		t.Fatal(err)
	}
	s.stub(t, "mv", `kill -TERM $PPID; exec `+mv+` "$@"`)
	s.must("--prefix", "p")
	if got := files(tree(t, filepath.Join(s.home, "p"))); !slices.Equal(got, installed) {
		t.Errorf("installed %q", got)
	}
}

// TestFailedRename: when one of the renames fails, those before it are undone, in a first installation and in an
// upgrade.
func TestFailedRename(t *testing.T) {
	for _, upgrade := range []bool{false, true} {
		s := newSite(t)
		if upgrade {
			s.must("--prefix", "p")
			s.write(filepath.Join(s.source, "cmd/git-ralph/main.go"), standIn+"// newer\n")
			s.write(filepath.Join(s.source, "internal/cli/manpages/main.go"), strings.ReplaceAll(standInManpages, "task.1", "issue.1"))
		}
		before := tree(t, s.home)
		mv, err := exec.LookPath("mv")
		if err != nil {
			t.Fatal(err)
		}
		// The page that the old and the new version share fails on its way in, not on its way back.
		s.stub(t, "mv", `case "$*" in *old*) ;; *" "*man1/git-ralph.1) exit 1 ;; esac; exec `+mv+` "$@"`)
		if out, code := s.run("--prefix", "p"); code == 0 {
			t.Errorf("upgrade %v: exits 0: %s", upgrade, out)
		}
		if after := tree(t, s.home); !maps.Equal(before, after) {
			t.Errorf("upgrade %v: left %v", upgrade, slices.Sorted(maps.Keys(after)))
		}
	}
}

// TestAdvice: what is missing on PATH is said, and only then.
func TestAdvice(t *testing.T) {
	s := newSite(t)
	prefix := filepath.Join(s.home, "p")
	if out := s.must("--prefix", prefix); !strings.Contains(out, `export PATH="`+prefix+`/bin:$PATH"`) {
		t.Errorf("does not say what to add to PATH: %s", out)
	}
	s.env = append(s.env, "PATH="+prefix+"/bin:"+os.Getenv("PATH"))
	if out := s.must("--prefix", prefix); strings.Contains(out, "add to PATH") {
		t.Errorf("asks for what is there: %s", out)
	}
}

// TestThisProject: the real program installs, with its pages and completions.
func TestThisProject(t *testing.T) {
	s := newSite(t)
	top, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	s.source = top
	s.must("--prefix", "p")
	found := tree(t, filepath.Join(s.home, "p"))
	for _, name := range installed {
		if name != "share/man/man1/git-ralph-task.1" && len(found[name]) == 0 {
			t.Errorf("%s is missing or empty", name)
		}
	}
	s.must("--prefix", "p", "--uninstall")
	if _, err := os.Stat(filepath.Join(s.home, "p")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the prefix is still there: %v", err)
	}
}

// TestIsExecutable: `./install.sh`, as the documentation calls it, works in a fresh clone: git has its executable bit.
func TestIsExecutable(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "-s", "--", "../../../install.sh").Output()
	if err != nil || len(out) == 0 {
		t.Skipf("the sources are not in git: %v", err)
	}
	if !strings.HasPrefix(string(out), "100755 ") {
		t.Errorf("git has install.sh as %s", out)
	}
}
