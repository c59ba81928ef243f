package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// tags are the build tags of what is shipped.
const tags = "urfave_cli_no_docs"

// program is one that is shipped: its path in an archive, without the ending that Windows gives it, and the directory of its source.
type program struct{ path, directory string }

func programs() []program {
	return []program{
		{binDir + "git-ralph", "./cmd/git-ralph"},
		{binDir + "git-ralph-merge-driver", "./merge-driver"},
		{helperDir + "git-ralph-ui", "./cmd/git-ralph-ui"},
		{helperDir + "git-ralph-workplan-parser", "./cmd/git-ralph-workplan-parser"},
	}
}

// compile builds the programs into dir.
func (r release) compile(ctx context.Context, p platform, dir string) ([]file, error) {
	var built []file
	for _, it := range programs() {
		name := it.path
		if p.os == "windows" {
			name += ".exe"
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := outputIn(ctx, environ(p), "go", slices.Concat([]string{"build"}, r.shipped(), []string{"-o", path, it.directory})...); err != nil {
			return nil, err
		}
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if strings.Contains(info.GoVersion, " ") {
			return nil, fmt.Errorf("go builds with experiments, %s: unset GOEXPERIMENT", info.GoVersion)
		}
		built = append(built, file{name: name, source: path, executable: true})
	}
	return built, nil
}

// shipped are the arguments of go that build a program as it is shipped.
func (r release) shipped() []string {
	return []string{"-trimpath", "-buildvcs=false", "-tags", tags, "-ldflags", "-s -w -X main.version=" + r.version}
}

// makeShared makes in dir what is the same on every platform, manual pages and completions, and lists it with the documents.
func (r release) makeShared(ctx context.Context, dir string) ([]file, error) {
	env := append(environ(platform{runtime.GOOS, runtime.GOARCH}), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.date.Unix(), 10))
	goRun := func(args ...string) (string, error) {
		return outputIn(ctx, env, "go", slices.Concat([]string{"run"}, r.shipped(), args)...)
	}
	manual := filepath.Join(dir, "man")
	if _, err := goRun("./internal/cli/manpages", manual); err != nil {
		return nil, err
	}
	pages, err := os.ReadDir(manual)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, page := range pages {
		files = append(files, file{name: manDir + page.Name(), source: filepath.Join(manual, page.Name())})
	}
	for _, it := range [][2]string{{"bash", bashCompletion}, {"zsh", zshCompletion}, {"fish", fishCompletion}} {
		text, err := goRun("./cmd/git-ralph", "completion", it[0])
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, it[0])
		if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
			return nil, err
		}
		files = append(files, file{name: it[1], source: path})
	}
	documents, err := documents(ctx)
	return append(files, documents...), err
}

// documents lists what the archive has of the source tree itself.
func documents(ctx context.Context) ([]file, error) {
	list, err := output(ctx, "git", "ls-files", "-s", "-z", "--", "LICENSE", "README.md", installer, docsDir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, entry := range strings.FieldsFunc(list, func(c rune) bool { return c == 0 }) {
		mode, name, ok := strings.Cut(entry, "\t")
		if !ok {
			return nil, fmt.Errorf("git lists %q", entry)
		}
		files = append(files, file{name: name, source: filepath.FromSlash(name), executable: strings.HasPrefix(mode, "100755 ")})
	}
	return files, nil
}
