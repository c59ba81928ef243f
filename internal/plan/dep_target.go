package plan

import (
	"fmt"
	"slices"
	"strings"
)

// targets are what a dependency can name: the tasks and issues of the plan,
// and the tasks of a batch that is being added.
type targets struct {
	plan   *Plan
	known  map[string]bool   // ids of tasks and issues of the plan
	labels map[string]string // ids of the batch, by what it calls them
}

func (p *Plan) targets(inputs []input) targets {
	t := targets{plan: p, known: make(map[string]bool, len(p.records)), labels: make(map[string]string, len(inputs))}
	for i := range p.records {
		if p.records[i].holding() != 0 {
			t.known[p.records[i].ID()] = true
		}
	}
	for _, in := range inputs {
		t.labels[in.id] = in.id
		if in.label != "" {
			t.labels[in.label] = in.id
		}
	}
	return t
}

// deps resolves the dependencies that an input gives, each once. Those of had
// stay as they are, even where they are not in the plan any more.
func (t targets) deps(in input, had []string) ([]string, error) {
	v, _ := in.object.Get("deps")
	names, _ := v.Strings()
	var deps []string
	for _, dep := range names {
		id, err := t.resolve(strings.TrimSpace(dep), had)
		if err != nil {
			return nil, &FieldError{
				Where: in.where, Field: "deps", Message: err.Error(),
				hint: "`git ralph task list` and `git ralph issue list` show the ids there are",
			}
		}
		if !slices.Contains(deps, id) {
			deps = append(deps, id)
		}
	}
	return deps, nil
}

// resolve returns the id of the task or issue that a dependency means.
func (t targets) resolve(dep string, had []string) (string, error) {
	if id, found := t.labels[dep]; found && dep != "" {
		return id, nil
	}
	if t.known[dep] || slices.Contains(had, dep) {
		return dep, nil
	}
	var matches []string
	for _, kind := range [...]Kind{KindTask, KindIssue} {
		id, err := t.plan.ResolveID(kind, dep)
		switch err := err.(type) {
		case nil:
			matches = append(matches, id)
		case *AmbiguousIDError:
			matches = append(matches, err.IDs...)
		}
	}
	switch len(matches) {
	case 0:
		return "", fmt.Errorf("names %q: no such task or issue in the plan", dep)
	case 1:
		return matches[0], nil
	}
	return "", fmt.Errorf("names %q, which is the beginning of more than one id: %s", dep, strings.Join(matches, ", "))
}
