package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// standard is the name of Go's standard library among the modules.
const standard = "std"

// module is one whose code is in the programs, the standard library included.
type module struct {
	path     string
	version  string
	licences []licence
}

// licence is a file that says under which conditions code may be used. A notice or a grant of patents beside it has no ids.
type licence struct {
	name string   // its path in the module
	ids  []string // of SPDX
	text []byte
}

// ids are the SPDX identifiers of the module's licences, sorted.
func (m module) ids() []string {
	var ids []string
	for _, l := range m.licences {
		ids = append(ids, l.ids...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// readModules finds the modules that the programs for p link, and the licences of the packages that they link from them.
func readModules(ctx context.Context, p platform) ([]module, error) {
	const format = `{{with .Module}}{{if not .Main}}{{.Path}}{{"\t"}}{{.Version}}{{"\t"}}{{.Dir}}{{"\t"}}{{$.Dir}}{{end}}{{end}}`
	args := []string{"list", "-deps", "-tags", tags, "-f", format}
	for _, it := range programs() {
		args = append(args, it.directory)
	}
	list, err := outputIn(ctx, environ(p), "go", args...)
	if err != nil {
		return nil, err
	}
	root, err := output(ctx, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	byPath := map[string]*module{standard: {path: standard, version: strings.TrimPrefix(runtime.Version(), "go")}}
	if err := byPath[standard].addLicences(root, root); err != nil {
		return nil, err
	}
	for line := range strings.Lines(list) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 {
			return nil, fmt.Errorf("go lists a package as %q", line)
		}
		if byPath[fields[0]] == nil {
			byPath[fields[0]] = &module{path: fields[0], version: fields[1]}
		}
		if err := byPath[fields[0]].addLicences(fields[2], fields[3]); err != nil {
			return nil, err
		}
	}
	return checked(byPath)
}

// checked returns the modules in the order of their names. Each must have a licence that is known.
func checked(byPath map[string]*module) ([]module, error) {
	var modules []module
	for _, m := range byPath {
		if len(m.ids()) == 0 {
			return nil, fmt.Errorf("%s %s has no licence that is known: nobody may ship it", m.path, m.version)
		}
		modules = append(modules, *m)
	}
	slices.SortFunc(modules, func(a, b module) int { return cmp.Compare(a.path, b.path) })
	return modules, nil
}

// addLicences adds those in the directory of a package and in each above it, up to the module's own.
func (m *module) addLicences(top, dir string) error {
	for ; ; dir = filepath.Dir(dir) {
		rel, err := filepath.Rel(top, dir)
		if err != nil || strings.HasPrefix(rel, "..") {
			return errors.Join(err, fmt.Errorf("%s is not in %s", dir, top))
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if err := m.addLicence(dir, filepath.ToSlash(filepath.Join(rel, entry.Name())), entry); err != nil {
				return err
			}
		}
		if rel == "." {
			return nil
		}
	}
}

func (m *module) addLicence(dir, name string, entry fs.DirEntry) error {
	kind := regexp.MustCompile(`(?i)^(?:(licen[cs]e|copying)|notice|patents)([-.].*)?$`).FindStringSubmatch(entry.Name())
	if kind == nil || strings.HasSuffix(entry.Name(), ".go") || !entry.Type().IsRegular() || slices.ContainsFunc(m.licences, func(l licence) bool { return l.name == name }) {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
	if err != nil {
		return err
	}
	found := licence{name: name, text: text}
	for _, match := range licensecheck.Scan(text).Match {
		if kind[1] != "" && !match.IsURL {
			found.ids = append(found.ids, match.ID)
		}
	}
	m.licences = append(m.licences, found)
	return nil
}

// licenceTexts is what the licences of the modules ask to be shipped with them.
func licenceTexts(modules []module) []byte {
	var b bytes.Buffer
	b.WriteString("The programs contain the following modules, each under its own licence.\n")
	for _, m := range modules {
		name := m.path + " " + m.version
		if m.path == standard {
			name = "the standard library of Go " + m.version
		}
		slices.SortFunc(m.licences, func(a, b licence) int { return cmp.Compare(a.name, b.name) })
		for _, l := range m.licences {
			fmt.Fprintf(&b, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 78), name, l.name, bytes.TrimSpace(bytes.ReplaceAll(l.text, []byte("\r\n"), []byte("\n"))))
		}
	}
	return b.Bytes()
}
