package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func date() time.Time { return time.Unix(1764000001, 0).UTC() }

// write makes a file below dir, and returns its path.
func write(t *testing.T, dir, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestArchivesFollowFromContents guards: neither the modes, the dates nor the order of the files on disk change a byte of an archive.
func TestArchivesFollowFromContents(t *testing.T) {
	dir := t.TempDir()
	files := []file{
		{name: "bin/program", source: write(t, dir, "a/program", "run", 0o700), executable: true},
		{name: "README.md", source: write(t, dir, "a/README.md", "read", 0o666)},
	}
	again := []file{
		{name: "README.md", source: write(t, dir, "b/README.md", "read", 0o600)},
		{name: "bin/program", source: write(t, dir, "b/program", "run", 0o644), executable: true},
	}
	if err := os.Chtimes(again[0].source, time.Time{}, date()); err != nil {
		t.Fatal(err)
	}
	for name, pack := range map[string]func(io.Writer, string, []file, time.Time) error{"tar": packTar, "zip": packZip} {
		var one, two bytes.Buffer
		if err := errors.Join(pack(&one, "top", files, date()), pack(&two, "top", again, date())); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Bytes(), two.Bytes()) {
			t.Errorf("%s: the archives differ", name)
		}
		got := listTar
		if name == "zip" {
			got = listZip
		}
		want := []string{"top/README.md -rw-r--r-- read", "top/bin/program -rwxr-xr-x run"}
		if list := got(t, one.Bytes()); !slices.Equal(list, want) {
			t.Errorf("%s: contains %q, want %q", name, list, want)
		}
	}
}

// listTar describes the entries of a compressed tar file, each of which must belong to root and have the date.
func listTar(t *testing.T, data []byte) (list []string) {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(plain)
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		text, readErr := io.ReadAll(archive)
		if err := errors.Join(err, readErr); err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(date()) || h.Uid != 0 || h.Gid != 0 || h.Uname != "root" || h.Gname != "root" {
			t.Errorf("%s: %s %d:%d %s:%s", h.Name, h.ModTime, h.Uid, h.Gid, h.Uname, h.Gname)
		}
		list = append(list, h.Name+" "+h.FileInfo().Mode().String()+" "+string(text))
	}
}

func listZip(t *testing.T, data []byte) (list []string) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !f.Modified.Equal(date()) {
			t.Errorf("%s: %s", f.Name, f.Modified)
		}
		list = append(list, f.Name+" "+f.Mode().String()+" "+string(text))
	}
	return list
}

// TestVersions guards: what git says of a commit becomes the number in names of files, and a version that Debian and RPM order as
// releases follow each other.
func TestVersions(t *testing.T) {
	for _, c := range []struct{ described, number, packaged string }{
		{"v1.2.3", "1.2.3", "1.2.3"},
		{"v1.2.3-dirty", "1.2.3-dirty", "1.2.3+dirty"},
		{"v1.2.3-rc.1", "1.2.3-rc.1", "1.2.3~rc.1"},
		{"v1.2.3-14-g0123456789ab", "1.2.3-14-g0123456789ab", "1.2.3+14.g0123456789ab"},
		{"v1.2.3-rc.1-14-g0123456789ab-dirty", "1.2.3-rc.1-14-g0123456789ab-dirty", "1.2.3~rc.1+14.g0123456789ab+dirty"},
		{"0123456789ab", "0123456789ab", "0~20251124.160001.0123456789ab"},
		{"0123456789ab-dirty", "0123456789ab-dirty", "0~20251124.160001.0123456789ab+dirty"},
		{"v1-weird_name", "1-weird_name", "0~20251124.160001.v1.weird.name"},
	} {
		r := release{version: c.described, date: date()}
		if r.number() != c.number || r.packageVersion() != c.packaged {
			t.Errorf("%s: %s and %s, want %s and %s", c.described, r.number(), r.packageVersion(), c.number, c.packaged)
		}
	}
}

// TestWrongUse guards: what cannot be meant is refused, with what can be.
func TestWrongUse(t *testing.T) {
	for _, epoch := range []string{"today", "-1", "1.5"} {
		if _, err := dateOf(epoch, "1"); err == nil || !strings.Contains(err.Error(), epoch) {
			t.Errorf("SOURCE_DATE_EPOCH=%s: %v", epoch, err)
		}
	}
	for _, list := range []string{"", "plan9/amd64", "linux/amd64,linux/arm64", "linux"} {
		var errs bytes.Buffer
		if code := run(t.Context(), []string{"-targets", list}, &errs); code != 2 || !strings.Contains(errs.String(), "darwin/arm64") {
			t.Errorf("-targets %q: %d, %s", list, code, &errs)
		}
	}
}

// TestLicences guards: the licences of a module and of the packages that are linked are shipped and identified, no others; a module
// without one is not shipped.
func TestLicences(t *testing.T) {
	mit, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	write(t, top, "LICENSE", string(mit), 0o644)
	write(t, top, "PATENTS", "This implementation means the copyrightable works", 0o644)
	write(t, top, "license.go", "package x", 0o644)
	write(t, top, "a/b/COPYING.txt", strings.Replace(string(mit), "the git ralph authors", "another", 1), 0o644)
	write(t, top, "c/LICENSE", "not linked", 0o644)
	m := module{path: "example.com/m", version: "v1.0.0"}
	for _, dir := range []string{"a/b", "a"} {
		if err := m.addLicences(top, filepath.Join(top, dir)); err != nil {
			t.Fatal(err)
		}
	}
	if ids := m.ids(); !slices.Equal(ids, []string{"MIT"}) {
		t.Errorf("the licences are %q", ids)
	}
	texts := string(licenceTexts([]module{m}))
	for _, want := range []string{"m v1.0.0: LICENSE\n", "m v1.0.0: PATENTS\n", "m v1.0.0: a/b/COPYING.txt\n", "2026 another\n"} {
		if strings.Count(texts, want) != 1 {
			t.Errorf("%q is %d times in:\n%s", want, strings.Count(texts, want), texts)
		}
	}
	if strings.Contains(texts, "not linked") || strings.Contains(texts, "license.go") {
		t.Errorf("contains more:\n%s", texts)
	}
	if _, err := checked(map[string]*module{"m": {path: "example.com/free", version: "v1.0.0"}}); err == nil {
		t.Error("a module without a licence is taken")
	}
}

// TestDebianLayout guards: a Debian package has everything where Debian's policy wants it, and not the installer.
func TestDebianLayout(t *testing.T) {
	t.Chdir("../..")
	dir := t.TempDir()
	var files []file
	for _, name := range []string{"bin/git-ralph", "libexec/git-ralph/git-ralph-ui", manDir + "git-ralph.1", bashCompletion, zshCompletion, fishCompletion, thirdParty, "LICENSE", "README.md", "docs/loop.md", installer} {
		files = append(files, file{name: name, source: write(t, dir, name, "text of "+name, 0o644)})
	}
	r := release{version: "v1.0.0", commit: "0123", date: date(), maintainer: "A <a@example.com>"}
	placed, err := r.layOut(format{name: "deb", zsh: "usr/share/zsh/vendor-completions/"}, files, filepath.Join(dir, "deb"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range placed {
		got = append(got, f.name)
		text, err := os.ReadFile(f.source)
		if err != nil {
			t.Error(err)
		}
		if strings.HasSuffix(f.name, ".gz") {
			if h, err := gzip.NewReader(bytes.NewReader(text)); err != nil || h.Name != "" || !h.ModTime.IsZero() {
				t.Errorf("%s: %v, %+v", f.name, err, h)
			}
		}
		if f.name == "usr/share/doc/git-ralph/copyright" && !strings.Contains(string(text), "\nCopyright: 2026 the git ralph authors\nLicense: MIT\n MIT License\n .\n Copyright") {
			t.Errorf("%s", text)
		}
	}
	slices.Sort(got)
	want := []string{
		"usr/bin/git-ralph", "usr/libexec/git-ralph/git-ralph-ui", "usr/share/bash-completion/completions/git-ralph", "usr/share/doc/git-ralph/README.md",
		"usr/share/doc/git-ralph/THIRD-PARTY-LICENSES.gz", "usr/share/doc/git-ralph/changelog.gz", "usr/share/doc/git-ralph/copyright",
		"usr/share/doc/git-ralph/docs/loop.md", "usr/share/fish/vendor_conf.d/git-ralph.fish", "usr/share/man/man1/git-ralph.1.gz",
		"usr/share/zsh/vendor-completions/_git-ralph",
	}
	if !slices.Equal(got, want) {
		t.Errorf("placed\n%q, want\n%q", got, want)
	}
	dirs := []string{"usr/share/doc/git-ralph", "usr/share/doc/git-ralph/docs"}
	if own := ownDirectories(placed); !slices.Contains(own, "usr/share/fish") || slices.Contains(own, "usr/share/doc") || !slices.Contains(own, dirs[0]) || !slices.Contains(own, dirs[1]) {
		t.Errorf("rpm is to remove %q", own)
	}
}
