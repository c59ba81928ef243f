package walls

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// module is the import path in front of every package of ours.
const module = "git-ralph"

// file is one parsed Go file of the module, whatever system it is built for.
type file struct {
	path  string // from the module's root, with slashes
	dir   string // the package's directory, as in "internal/plan"
	test  bool
	ast   *ast.File
	fset  *token.FileSet
	lines int
}

// root is the module's root directory.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// source parses every Go file below the root, build constraints aside, so that a wall holds on every system.
func source(t *testing.T) []file {
	t.Helper()
	top := root(t)
	var files []file
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipDirectory(top, path, d.Name())
		}
		if strings.HasSuffix(path, ".go") {
			files = append(files, parse(t, top, path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// skipDirectory skips what the go command skips.
func skipDirectory(top, path, name string) error {
	if path != top && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "bin") {
		return filepath.SkipDir
	}
	return nil
}

func parse(t *testing.T, top, path string) file {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, path, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(top, path)
	if err != nil {
		t.Fatal(err)
	}
	rel = filepath.ToSlash(rel)
	return file{
		path: rel, dir: filepath.ToSlash(filepath.Dir(rel)), test: strings.HasSuffix(rel, "_test.go"),
		ast: tree, fset: fset, lines: strings.Count(string(text), "\n"),
	}
}

// line is where a node begins, for messages.
func (f file) line(n ast.Node) int { return f.fset.Position(n.Pos()).Line }

// imports lists the import paths of the file.
func (f file) imports() []string {
	paths := make([]string, len(f.ast.Imports))
	for i, spec := range f.ast.Imports {
		paths[i], _ = strconv.Unquote(spec.Path.Value)
	}
	return paths
}

// importName is the name under which the file knows an import path; "" where it does not import it.
func (f file) importName(path string) string {
	for _, spec := range f.ast.Imports {
		if p, _ := strconv.Unquote(spec.Path.Value); p == path {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return path[strings.LastIndex(path, "/")+1:]
		}
	}
	return ""
}

// uses returns the first line at which the file names something of an imported package; 0 where it does not.
func (f file) uses(path, name string) int {
	local := f.importName(path)
	if local == "" {
		return 0
	}
	at := 0
	ast.Inspect(f.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || at != 0 || sel.Sel.Name != name {
			return at == 0
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == local && x.Obj == nil {
			at = f.line(sel)
		}
		return at == 0
	})
	return at
}

// packages groups the files that ship by directory, in order.
func packages(files []file) ([]string, map[string][]file) {
	byDir := map[string][]file{}
	for _, f := range files {
		if !f.test {
			byDir[f.dir] = append(byDir[f.dir], f)
		}
	}
	dirs := make([]string, 0, len(byDir))
	for dir := range byDir {
		dirs = append(dirs, dir)
	}
	sort.Strings(dirs)
	return dirs, byDir
}
