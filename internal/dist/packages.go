package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const summary = "keep the plan of a coding agent in git"

const description = summary + `
Tasks, their dependencies, what was done, what was rejected and why, in one
file of a git repository. Plans merge by themselves; history is read from the
commits. Agents can do the work, one or many.`

// format is a kind of package, and what differs between the two.
type format struct {
	name     string
	zsh      string // the directory of zsh's completions
	needsGit string
	fileName string
}

// writePackages makes a Debian package and an RPM package of the files of an archive. nfpm, which tools.mod pins, writes them.
func (r release) writePackages(ctx context.Context, p platform, files []file, used []module, dir string) error {
	version := r.packageVersion()
	rpmArch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[p.arch]
	for _, kind := range []format{
		{"deb", "usr/share/zsh/vendor-completions/", "git (>= 1:2.30)", "git-ralph_" + version + "_" + p.arch + ".deb"},
		{"rpm", "usr/share/zsh/site-functions/", "git >= 2.30", "git-ralph-" + version + "-1." + rpmArch + ".rpm"},
	} {
		contents, err := r.layOut(kind, files, filepath.Join(dir, kind.name))
		if err != nil {
			return err
		}
		config, err := json.Marshal(r.packageOf(kind, p, contents, used)) // JSON is YAML too
		if err != nil {
			return err
		}
		settings := filepath.Join(dir, kind.name+".yaml")
		if err := os.WriteFile(settings, config, 0o644); err != nil {
			return err
		}
		args := []string{"tool", "-modfile=tools.mod", "nfpm", "package", "--packager", kind.name, "--config", settings, "--target", filepath.Join(outDir, kind.fileName)}
		if _, err := output(ctx, "go", args...); err != nil {
			return err
		}
	}
	return nil
}

// packageOf is nfpm's description of a package.
func (r release) packageOf(kind format, p platform, contents []file, used []module) map[string]any {
	var list []map[string]any
	if kind.name == "rpm" {
		for _, dir := range ownDirectories(contents) {
			list = append(list, map[string]any{
				"dst": "/" + dir, "type": "dir", "file_info": map[string]any{"mode": 0o755, "owner": "root", "group": "root", "mtime": r.date},
			})
		}
	}
	for _, f := range contents {
		list = append(list, map[string]any{
			"src": f.source, "dst": "/" + f.name, "type": kind.typeOf(f),
			"file_info": map[string]any{"mode": f.mode(), "owner": "root", "group": "root", "mtime": r.date},
		})
	}
	ids := []string{"MIT"}
	for _, m := range used {
		ids = append(ids, m.ids()...)
	}
	slices.Sort(ids)
	return map[string]any{
		"name": "git-ralph", "arch": p.arch, "platform": "linux", "version": r.packageVersion(), "version_schema": "none",
		"section": "vcs", "priority": "optional", "maintainer": r.maintainer, "description": description,
		"license": strings.Join(slices.Compact(ids), " AND "), "mtime": r.date, "disable_globbing": true,
		"depends": []string{kind.needsGit}, "contents": list,
		"rpm": map[string]any{"buildhost": "localhost", "summary": summary, "packager": r.maintainer},
		"deb": map[string]any{"compression": "xz"},
	}
}

// typeOf is nfpm's name for what a file is. rpm asks for documentation, which users can do without, and licences, which they always get.
func (kind format) typeOf(f file) string {
	switch name := path.Base(f.name); {
	case kind.name == "rpm" && (name == "LICENSE" || name == thirdParty+".gz"):
		return "license"
	case kind.name == "rpm" && (strings.HasPrefix(f.name, "usr/share/doc/") || strings.HasPrefix(f.name, "usr/share/man/")):
		return "doc"
	default:
		return "file"
	}
}

// ownDirectories lists the directories of files that not every system has: rpm removes those alone that a package names.
func ownDirectories(files []file) []string {
	everywhere := []string{".", "usr", "usr/bin", "usr/libexec", "usr/share", "usr/share/doc", "usr/share/man", "usr/share/man/man1"}
	var own []string
	for _, f := range files {
		for dir := path.Dir(f.name); !slices.Contains(everywhere, dir) && !slices.Contains(own, dir); dir = path.Dir(dir) {
			own = append(own, dir)
		}
	}
	slices.Sort(own)
	return own
}

// layOut returns the files of an archive where the packages of a system have them. Those that are changed on the way are written
// into dir.
func (r release) layOut(kind format, files []file, dir string) ([]file, error) {
	const doc = "usr/share/doc/git-ralph/"
	var placed []file
	for _, f := range files {
		name := "usr/" + f.name
		switch {
		case f.name == installer:
			continue
		case f.name == "LICENSE" && kind.name == "deb":
			continue // it is in the copyright file
		case f.name == zshCompletion:
			name = kind.zsh + filepath.Base(f.name)
		case strings.HasPrefix(f.name, manDir), f.name == thirdParty:
			name += ".gz"
			text, err := os.ReadFile(f.source)
			if err != nil {
				return nil, err
			}
			f.source = filepath.Join(dir, filepath.Base(name))
			if err := writeCompressed(f.source, text); err != nil {
				return nil, err
			}
		}
		if !strings.HasPrefix(f.name, "share/") && !strings.HasPrefix(f.name, binDir) && !strings.HasPrefix(f.name, helperDir) {
			name = doc + strings.TrimPrefix(name, "usr/")
		}
		f.name = name
		placed = append(placed, f)
	}
	if kind.name != "deb" {
		return placed, nil
	}
	own, err := r.debianFiles(doc, dir)
	return append(placed, own...), err
}

// debianFiles are the documents that Debian's policy asks for.
func (r release) debianFiles(doc, dir string) ([]file, error) {
	terms, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	rights := filepath.Join(dir, "copyright")
	if err := os.WriteFile(rights, debianCopyright(string(terms)), 0o644); err != nil {
		return nil, err
	}
	changes := filepath.Join(dir, "changelog.gz")
	text := fmt.Sprintf("git-ralph (%s) unstable; urgency=medium\n\n  * Built from the commit %s.\n\n -- %s  %s\n",
		r.packageVersion(), r.commit, r.maintainer, r.date.Format(time.RFC1123Z))
	return []file{{name: doc + "copyright", source: rights}, {name: doc + "changelog.gz", source: changes}}, writeCompressed(changes, []byte(text))
}

// debianCopyright has the form of Debian's machine-readable copyright files: the licence's lines are indented, and a dot stands for
// an empty one.
func debianCopyright(terms string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: git-ralph\n"+
		"Comment: The programs contain modules of others; %s.gz has their licences.\n\nFiles: *\n", thirdParty)
	for line := range strings.Lines(terms) {
		if strings.HasPrefix(line, "Copyright ") {
			fmt.Fprintf(&b, "Copyright: %s", strings.TrimPrefix(line, "Copyright (c) "))
		}
	}
	b.WriteString("License: MIT\n")
	for line := range strings.Lines(terms) {
		fmt.Fprintf(&b, " %s\n", cmp.Or(strings.TrimSpace(line), "."))
	}
	return b.Bytes()
}

// writeCompressed writes text as gzip -n9 does, without a name or a date.
func writeCompressed(path string, text []byte) error {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
