package walls

import (
	"go/ast"
	"testing"
)

const (
	maxFiles   = 40 // of a package, without its tests
	maxMethods = 50 // of git.Repo
)

// No package is so large that its files are no table of contents, and git.Repo does not become one type for everything.
func TestPackageSizes(t *testing.T) {
	files, methods := map[string]int{}, 0
	for _, f := range source(t) {
		if f.test {
			continue
		}
		files[f.dir]++
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && f.dir == "internal/git" && fn.Recv != nil && isPointerTo(fn.Recv.List[0].Type, "Repo") {
				methods++
			}
		}
	}
	for dir, n := range files {
		if n > maxFiles {
			t.Errorf("%s has %d files, more than %d", dir, n, maxFiles)
		}
	}
	if methods == 0 || methods >= maxMethods {
		t.Errorf("git.Repo has %d methods, want fewer than %d", methods, maxMethods)
	}
}

func isPointerTo(expr ast.Expr, name string) bool {
	star, ok := expr.(*ast.StarExpr)
	if !ok {
		return false
	}
	id, ok := star.X.(*ast.Ident)
	return ok && id.Name == name
}
