package install

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/githooks"
)

// Advice says which hooks were not put into files that are somebody else's, and what to write there.
type Advice struct {
	Hooks   []string
	Why     string
	Into    Manager // what --into takes to write it; "" where we never do
	Snippet string  // what does the same
}

// Advise lists the hooks that Install leaves out, the options being the same.
func Advise(ctx context.Context, o Options) ([]Advice, error) {
	h, err := o.hooks(ctx, nil)
	if err != nil || h.byConfig || h.options.Into != "" || h.dir == "" || len(h.wanted) == 0 {
		return nil, err
	}
	if h.manager != "" {
		return []Advice{h.advice(h.wanted, h.manager, whyNot(h.manager, h.dir))}, nil
	}
	var all []Advice
	for _, name := range h.wanted {
		file := filepath.Join(h.dir, name)
		why := h.unfit(file)
		text, _ := read(file)
		manager := managerIn(text)
		at := slices.IndexFunc(all, func(a Advice) bool { return a.Into != "" && a.Into == manager })
		switch {
		case why == "" || Has(text) || hasOurs(file+legacySuffix):
		case at >= 0:
			all[at] = h.advice(append(all[at].Hooks, name), manager, whyNot(manager, h.dir))
		case manager != "":
			all = append(all, h.advice([]string{name}, manager, whyNot(manager, h.dir)))
		default:
			all = append(all, h.advice([]string{name}, "", file+" "+why))
		}
	}
	return all, nil
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

func (h hookSet) advice(names []string, manager Manager, why string) Advice {
	a := Advice{Hooks: names, Why: why, Into: manager}
	h = h.shared()
	h.wanted = names
	switch manager {
	case Lefthook:
		a.Snippet = strings.Join(h.lefthook().lines(), "\n") + "\n"
	case PreCommit:
		a.Snippet = strings.Join(h.preCommit().lines(), "\n") + "\n"
	case Husky:
		a.Snippet = h.calls()
	case HooksPath:
		a.Into, a.Snippet = "", h.calls()
	default:
		a.Into, a.Snippet = "", `git-ralph hook `+names[0]+` "$@" || exit`+"\n"
	}
	return a
}

// calls gives, for each hook, the lines that go to the beginning of its script.
func (h hookSet) calls() string {
	var b strings.Builder
	for _, name := range h.wanted {
		fmt.Fprintf(&b, "# in %s:\n%s\n", name, githooks.Body(name, h.place))
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
