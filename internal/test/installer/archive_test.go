package installer

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// fromArchive makes an unpacked archive of the site's source: install.sh beside programs that are there already, for this platform.
// The only programs on the PATH are those that install.sh needs, so there is no Go.
func fromArchive(t *testing.T, shell ...string) *site {
	t.Helper()
	s := newSite(t, shell...)
	script, err := os.ReadFile(filepath.Join(s.source, "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	s.source = filepath.Join(t.TempDir(), "git-ralph 1.2.3")
	s.write(filepath.Join(s.source, "install.sh"), string(script))
	s.write(filepath.Join(s.source, "PLATFORM"), runtime.GOOS+"/"+runtime.GOARCH+"\n")
	for _, name := range installed {
		text := "a file of the archive"
		if strings.HasPrefix(name, "bin/") {
			text = "#!/bin/sh\ncase $1 in version) echo git-ralph version v1.2.3 ;; esac\n"
		}
		if name == "share/git-ralph/manifest" {
			continue
		}
		s.write(filepath.Join(s.source, name), text)
		if strings.HasPrefix(name, "bin/") {
			if err := os.Chmod(filepath.Join(s.source, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.onlyTools(t, "git", "cat", "cksum", "cp", "cut", "dirname", "find", "grep", "head", "mkdir", "mktemp", "mv", "readlink", "rm", "rmdir", "sed", "sort", "uname")
	return s
}

// TestInstallFromArchive: an unpacked archive is installed where there is no Go, and uninstalling leaves
// no trace. The archive stays as it is.
func TestInstallFromArchive(t *testing.T) {
	for name, shell := range shells {
		t.Run(name, func(t *testing.T) {
			path, err := exec.LookPath(shell[0])
			if err != nil {
				t.Skipf("%s is not installed", shell[0])
			}
			s := fromArchive(t, append([]string{path}, shell[1:]...)...)
			archive, before := tree(t, s.source), tree(t, s.home)
			prefix := filepath.Join(s.home, "my tools")
			if out := s.must("--prefix", prefix); !strings.Contains(out, "git ralph v1.2.3 is under "+prefix) {
				t.Errorf("says %q", out)
			}
			if got := files(tree(t, prefix)); !slices.Equal(got, installed) {
				t.Fatalf("installed %q, want %q", got, installed)
			}
			if out, err := exec.Command(filepath.Join(prefix, "bin/git-ralph"), "version").Output(); err != nil || string(out) != "git-ralph version v1.2.3\n" {
				t.Errorf("version is %q, %v", out, err)
			}
			s.must("--uninstall", "--prefix", prefix)
			if after := tree(t, s.home); !maps.Equal(before, after) {
				t.Errorf("uninstalling leaves %q, before there was %q", files(after), files(before))
			}
			if !maps.Equal(archive, tree(t, s.source)) {
				t.Error("the archive was changed")
			}
		})
	}
}

// TestInstallThroughLink: the archive is found where install.sh is called through symbolic links, relative ones too.
func TestInstallThroughLink(t *testing.T) {
	s := fromArchive(t)
	for name, target := range map[string]string{"tools/two": filepath.Join(s.source, "install.sh"), "install": filepath.Join("tools", "two")} {
		if err := os.MkdirAll(filepath.Join(s.home, "tools"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(s.home, name)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := s.command("--prefix", filepath.Join(s.home, "there"))
	cmd.Args[len(s.shell)] = filepath.Join(s.home, "install")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "git ralph v1.2.3 is under ") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestArchiveRefusals: an archive that is for another platform or is not complete is refused, and nothing is left.
func TestArchiveRefusals(t *testing.T) {
	const other = "linux/riscv64"
	replace := func(name, text string) func(*testing.T, *site) {
		return func(_ *testing.T, s *site) { s.write(filepath.Join(s.source, name), text) }
	}
	for _, c := range []struct {
		name string
		set  func(*testing.T, *site)
		want string
	}{
		{
			"another processor", replace("PLATFORM", other+"\n"),
			"this archive is for " + other + ", and this system is " + runtime.GOOS + "/" + runtime.GOARCH,
		},
		{"a missing program", func(t *testing.T, s *site) {
			if err := os.Remove(filepath.Join(s.source, "libexec/git-ralph/git-ralph-ui")); err != nil {
				t.Fatal(err)
			}
		}, "libexec/git-ralph/git-ralph-ui is missing"},
		{"a broken program", replace("bin/git-ralph", "#!/bin/sh\nexit 1\n"), "bin/git-ralph does not run here"},
		{"no git", func(t *testing.T, s *site) { s.onlyTools(t, "cat", "cksum", "dirname", "mktemp", "rm", "sed", "uname") }, "git is not installed or not on PATH"},
		{"no cksum", func(t *testing.T, s *site) {
			s.onlyTools(t, "git", "cat", "cp", "cut", "dirname", "find", "grep", "head", "mkdir", "mktemp", "mv", "rm", "rmdir", "sed", "sort", "uname")
		}, "cksum is not installed or not on PATH"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fromArchive(t)
			c.set(t, s)
			before := tree(t, s.home)
			out, code := s.run("--prefix", "p")
			if code != 1 || !strings.Contains(out, c.want) {
				t.Errorf("exits %d with %q, want 1 with %q", code, out, c.want)
			}
			if after := tree(t, s.home); !maps.Equal(before, after) {
				t.Errorf("left %q", files(after))
			}
		})
	}
}

// TestArchiveIsNoPrefix: an archive is not installed into itself.
func TestArchiveIsNoPrefix(t *testing.T) {
	s := fromArchive(t)
	before := tree(t, s.source)
	if out, code := s.run("--prefix", s.source); code != 1 || !strings.Contains(out, "exists and was not installed by this script") {
		t.Errorf("exits %d with %q", code, out)
	}
	if !maps.Equal(before, tree(t, s.source)) {
		t.Error("the archive was changed")
	}
}

// TestFullDisk guards: where the files cannot be copied there is one error, though cp has one for each, and nothing is left.
func TestFullDisk(t *testing.T) {
	s := fromArchive(t)
	s.stub(t, "cp", "echo 'cp: a: no space' >&2; echo 'cp: b: no space' >&2; exit 1")
	before := tree(t, s.home)
	if out, code := s.run(); code != 1 || out != "install.sh: error: cp: a: no space\n" {
		t.Errorf("exit code %d, says %q", code, out)
	}
	if after := tree(t, s.home); !maps.Equal(before, after) {
		t.Errorf("leaves %q, before there was %q", files(after), files(before))
	}
}

// TestSearchPathOfDirectories guards: where CDPATH is exported, and cd prints where it went, the script still finds its archive.
func TestSearchPathOfDirectories(t *testing.T) {
	s := fromArchive(t)
	sh, _ := exec.LookPath("sh")
	c := s.command("--prefix", filepath.Join(s.home, "tools"))
	c.Path, c.Args, c.Dir = sh, []string{"sh", filepath.Join(filepath.Base(s.source), "install.sh"), "--prefix", filepath.Join(s.home, "tools")}, filepath.Dir(s.source)
	c.Env = append(c.Env, "CDPATH="+c.Dir)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
