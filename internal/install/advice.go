package install

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
)

// Advice lists hooks that were not installed because the files are not ours to change.
type Advice struct {
	Hooks []string
	Why   string
	Into  Manager // the value for --into, which writes them, or prints what to write; "" if the user has to add calls
}

// Advise lists the hooks that Install leaves out, the options being the same.
func Advise(ctx context.Context, o Options) ([]Advice, error) {
	h, err := o.hooks(ctx, nil)
	if err != nil || h.byConfig || h.dir == "" || len(h.wanted) == 0 {
		return nil, err
	}
	switch into := h.options.Into; {
	case into == Lefthook, into == PreCommit:
		return h.uncalled(into), nil
	case into == Husky:
		return h.leftOut(filepath.Join(h.repo().Root(), huskyDir)), nil
	case h.manager != "":
		return []Advice{adviceOn(h.wanted, h.manager, whyNot(h.manager, h.dir))}, nil
	}
	return h.leftOut(h.dir), nil
}

// uncalled lists the hooks that the files of a tool do not call.
func (h hookSet) uncalled(manager Manager) []Advice {
	text := h.managerFiles(manager)
	missing := slices.DeleteFunc(slices.Clone(h.wanted), func(name string) bool { return calls(text, name) })
	if len(missing) == 0 {
		return nil
	}
	return []Advice{adviceOn(missing, manager, fmt.Sprintf("the files of %s do not call these yet", manager))}
}

// leftOut lists the hooks that cannot go into the files of a directory.
func (h hookSet) leftOut(dir string) []Advice {
	var all []Advice
	for _, name := range h.wanted {
		file := filepath.Join(dir, name)
		why := h.whyUnusable(file)
		text, _ := read(file)
		manager := managerIn(text)
		at := slices.IndexFunc(all, func(a Advice) bool { return a.Into != "" && a.Into == manager })
		switch {
		case why == "", !isLink(file) && (Has(text) || hasOurs(file+legacySuffix)):
		case at >= 0:
			all[at] = adviceOn(append(all[at].Hooks, name), manager, whyNot(manager, dir))
		case manager != "" && h.options.Into == "":
			all = append(all, adviceOn([]string{name}, manager, whyNot(manager, dir)))
		default:
			all = append(all, adviceOn([]string{name}, "", file+" "+why))
		}
	}
	return all
}

func whyNot(manager Manager, dir string) string {
	if manager == HooksPath && isLink(dir) {
		return dir + " is a symbolic link, so what is in there is not this repository's alone"
	}
	if manager == HooksPath {
		return "core.hooksPath names " + dir + ", where hooks are not this repository's alone, or not at all"
	}
	return fmt.Sprintf("%s owns hooks in %s", manager, dir)
}

func adviceOn(names []string, manager Manager, why string) Advice {
	if manager == HooksPath {
		manager = ""
	}
	return Advice{Hooks: names, Why: why, Into: manager}
}
