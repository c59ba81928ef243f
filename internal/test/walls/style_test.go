package walls

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The limits of what a reader takes in at once, in lines. Most code stays far below them.
const (
	longestFunction = 60
	longestFile     = 400
	largestTracked  = 1 << 20 // bytes
)

// TestSizes keeps functions and files of shipped code readable.
func TestSizes(t *testing.T) {
	for _, f := range source(t) {
		if f.test {
			continue
		}
		if f.lines > longestFile {
			t.Errorf("%s has %d lines; the limit is %d", f.path, f.lines, longestFile)
		}
		for _, decl := range f.ast.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := f.fset.Position(fn.End()).Line - f.line(fn) + 1; n > longestFunction {
				t.Errorf("%s:%d: %s has %d lines; the limit is %d", f.path, f.line(fn), fn.Name.Name, n, longestFunction)
			}
		}
	}
}

// TestPackageNames refuses names of packages that could hold anything.
func TestPackageNames(t *testing.T) {
	vague := []string{"util", "utils", "common", "shared", "types", "models", "helpers", "helper", "misc", "base"}
	for _, f := range source(t) {
		if slices.Contains(vague, f.ast.Name.Name) || slices.Contains(vague, filepath.Base(f.dir)) {
			t.Errorf("%s: %s names nothing; name the package after its job", f.path, f.ast.Name.Name)
		}
	}
}

// TestPackageComments requires a package comment.
func TestPackageComments(t *testing.T) {
	dirs, byDir := packages(source(t))
	for _, dir := range dirs {
		if !slices.ContainsFunc(byDir[dir], func(f file) bool { return f.ast.Doc != nil }) {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

// TestNoHiddenState keeps packages free of init functions, of variables that change after start-up, and of work
// that every start would pay for.
func TestNoHiddenState(t *testing.T) {
	dirs, byDir := packages(source(t))
	for _, dir := range dirs {
		vars := newPackageVars(byDir[dir])
		for _, f := range byDir[dir] {
			checkInits(t, f)
			checkAssignments(t, f, vars)
		}
	}
}

// packageVars holds the variables of a package, by name and by the declaration that the parser resolves them to.
type packageVars struct {
	names map[string]bool
	specs map[*ast.ValueSpec]bool
}

func newPackageVars(files []file) packageVars {
	vars := packageVars{map[string]bool{}, map[*ast.ValueSpec]bool{}}
	for _, f := range files {
		for _, spec := range varSpecs(f) {
			vars.specs[spec] = true
			for _, name := range spec.Names {
				vars.names[name.Name] = true
			}
		}
	}
	return vars
}

// holds reports whether an identifier is a package variable, and not a local one of the same name. The parser leaves
// what is declared in another file unresolved.
func (v packageVars) holds(id *ast.Ident) bool {
	if id == nil || !v.names[id.Name] {
		return false
	}
	if id.Obj == nil {
		return true
	}
	spec, ok := id.Obj.Decl.(*ast.ValueSpec)
	return ok && v.specs[spec]
}

// varSpecs lists the package-level variable declarations of a file.
func varSpecs(f file) []*ast.ValueSpec {
	var specs []*ast.ValueSpec
	for _, decl := range f.ast.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.VAR {
			for _, spec := range gen.Specs {
				specs = append(specs, spec.(*ast.ValueSpec))
			}
		}
	}
	return specs
}

// checkInits refuses init functions, and package variables that are locks or costly to make.
func checkInits(t *testing.T, f file) {
	t.Helper()
	for _, decl := range f.ast.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			t.Errorf("%s:%d: init function", f.path, f.line(fn))
		}
	}
	for _, spec := range varSpecs(f) {
		ast.Inspect(spec, func(n ast.Node) bool {
			if _, inside := n.(*ast.FuncLit); inside {
				return false
			}
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && (x.Name == "sync" || x.Name == "atomic" || x.Name == "regexp") {
					t.Errorf("%s:%d: package-level %s.%s", f.path, f.line(sel), x.Name, sel.Sel.Name)
				}
			}
			return true
		})
	}
}

// checkAssignments refuses every assignment to a package variable from inside a function.
func checkAssignments(t *testing.T, f file, vars packageVars) {
	t.Helper()
	refuse := func(target ast.Expr) {
		if id := rootIdent(target); vars.holds(id) {
			t.Errorf("%s:%d: %s is package state that changes", f.path, f.line(id), id.Name)
		}
	}
	for _, decl := range f.ast.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, target := range n.Lhs {
						refuse(target)
					}
				}
			case *ast.IncDecStmt:
				refuse(n.X)
			}
			return true
		})
	}
}

// rootIdent is the variable that an assignment's target begins with; nil where there is none.
func rootIdent(target ast.Expr) *ast.Ident {
	for {
		switch x := target.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			target = x.X
		case *ast.IndexExpr:
			target = x.X
		case *ast.StarExpr:
			target = x.X
		case *ast.ParenExpr:
			target = x.X
		default:
			return nil
		}
	}
}

// TestNothingLargeIsTracked keeps generated and sample data out of the repository.
func TestNothingLargeIsTracked(t *testing.T) {
	top := root(t)
	for _, name := range tracked(t) {
		if info, err := os.Lstat(filepath.Join(top, name)); err == nil && info.Size() > largestTracked {
			t.Errorf("%s has %d bytes; the limit is %d", name, info.Size(), largestTracked)
		}
	}
}

// tracked returns the files that git tracks, relative to the root.
func tracked(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Skip("not a git repository")
	}
	return strings.Split(string(bytes.TrimRight(out, "\x00")), "\x00")
}
