package plan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// docs/plan-format.md, "Errors", names every code of a problem, and the
// severities that it can have.
func TestDocumentedCodes(t *testing.T) {
	documented, returned := documentedCodes(t), givenCodes(t)
	for _, code := range declaredCodes(t) {
		if documented[code] == "" {
			t.Errorf("%s is not in the tables", code)
		}
		if returned[code] == "" {
			t.Errorf("no plan of the tests has the problem %s", code)
		}
	}
	for code, severities := range documented {
		if returned[code] != severities {
			t.Errorf("%s is documented as %q; it is given as %q", code, severities, returned[code])
		}
	}
}

// documentedCodes returns the severities in the tables by code. Those of the
// table that has no such column are errors.
func documentedCodes(t *testing.T) map[Code]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/plan-format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Errors\n")
	codes := map[Code]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\| ((?:error|warning|advice)[a-z ]* \\|)?").FindAllStringSubmatch(section, -1) {
		severities := strings.TrimSuffix(row[2], " |")
		if severities == "" {
			severities = string(Error)
		}
		codes[Code(row[1])] = severities
	}
	return codes
}

// declaredCodes returns the constants of type Code.
func declaredCodes(t *testing.T) []Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "problem.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []Code
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "Code" {
			code, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			codes = append(codes, Code(code))
		}
		return false
	})
	return codes
}

// givenCodes returns the severities that problems of bad plans have, by code.
func givenCodes(t *testing.T) map[Code]string {
	t.Helper()
	plans := []string{"{", "{\"\xff\": 1}", `{"a": 1, "a": 1}`, "=======", `{"t": 1}`, taskLine("t-a") + "\n" + taskLine("t-a")}
	for _, test := range checkTests() {
		plans = append(plans, strings.Join(test.lines, "\n"))
	}
	found := map[Code][]string{}
	for _, data := range plans {
		p, problems := Decode(data)
		for _, problem := range append(problems, Check(p, true)...) {
			found[problem.Code] = append(found[problem.Code], string(problem.Severity))
		}
	}
	codes := map[Code]string{}
	for code, severities := range found {
		slices.Sort(severities)
		codes[code] = strings.Join(slices.Compact(severities), " or ")
	}
	return codes
}
