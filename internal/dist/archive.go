package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Where things are in an archive, which has the layout of the prefix that install.sh copies it to.
const (
	binDir         = "bin/"
	helperDir      = "libexec/git-ralph/" // the programs that git-ralph alone calls, which looks for them there
	manDir         = "share/man/man1/"
	bashCompletion = "share/bash-completion/completions/git-ralph"
	zshCompletion  = "share/zsh/site-functions/_git-ralph"
	fishCompletion = "share/fish/vendor_conf.d/git-ralph.fish"
	thirdParty     = "THIRD-PARTY-LICENSES"
	platformFile   = "PLATFORM" // which one the programs are for; install.sh reads it
	installer      = "install.sh"
	docsDir        = "docs/"
)

// file is one in an archive or a package.
type file struct {
	name       string // its path there, with slashes
	source     string // the file that it is a copy of
	executable bool
}

func (f file) mode() fs.FileMode {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// writeArchive packs the files below a directory that is called name. Windows gets a zip file, without the installer, which needs a
// POSIX shell.
func (r release) writeArchive(p platform, name string, files []file, dir string) error {
	files = slices.Clone(files)
	pack, ending := packTar, ".tar.gz"
	if p.os == "windows" {
		pack, ending = packZip, ".zip"
		files = slices.DeleteFunc(files, func(f file) bool { return f.name == installer })
	} else {
		path := filepath.Join(dir, platformFile)
		if err := os.WriteFile(path, []byte(p.String()+"\n"), 0o644); err != nil {
			return err
		}
		files = append(files, file{name: platformFile, source: path})
	}
	out, err := os.Create(filepath.Join(outDir, name+ending))
	if err != nil {
		return err
	}
	defer out.Close() //nolint:errcheck // after an error
	buffer := bufio.NewWriter(out)
	if err := pack(buffer, name, files, r.date); err != nil {
		return err
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	return out.Close()
}

// packTar writes a compressed tar file. Everything belongs to root and has the same date; the order is that of the names.
func packTar(w io.Writer, top string, files []file, date time.Time) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, f := range byName(files) {
		data, err := os.ReadFile(f.source)
		if err != nil {
			return err
		}
		header := tar.Header{
			Typeflag: tar.TypeReg, Name: top + "/" + f.name, Size: int64(len(data)), Mode: int64(f.mode()), Uname: "root", Gname: "root",
			ModTime: date, Format: tar.FormatUSTAR,
		}
		if err := archive.WriteHeader(&header); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if _, err := archive.Write(data); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return compressed.Close()
}

// packZip writes a zip file, in the same way.
func packZip(w io.Writer, top string, files []file, date time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range byName(files) {
		data, err := os.ReadFile(f.source)
		if err != nil {
			return err
		}
		header := zip.FileHeader{Name: top + "/" + f.name, Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode())
		entry, err := archive.CreateHeader(&header)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if _, err := entry.Write(data); err != nil {
			return err
		}
	}
	return archive.Close()
}

func byName(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return cmp.Compare(a.name, b.name) })
}

// writeSums writes SHA256SUMS, which `sha256sum -c` and `shasum -a 256 -c` read, about all files in dir.
func writeSums(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var sums []byte
	for _, entry := range entries {
		sum, err := sumOf(filepath.Join(dir, entry.Name()))
		if err != nil {
			return err
		}
		sums = fmt.Appendf(sums, "%x  %s\n", sum, entry.Name())
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), sums, 0o644)
}

func sumOf(path string) ([sha256.Size]byte, error) {
	data, err := os.ReadFile(path)
	return sha256.Sum256(data), err
}
