package plan

import (
	"fmt"
	"slices"
	"strings"
)

// targets are what a dependency can name: the tasks and issues of the plan,
// and the tasks of a batch that is being added.
type targets struct {
	plan     *Plan
	known    map[string]bool   // ids of tasks and issues of the plan
	localIDs map[string]string // ids of the batch, by the ids that its records use for each other
}

func (p *Plan) targets(inputs []input) targets {
	t := targets{plan: p, known: make(map[string]bool, len(p.records)), localIDs: make(map[string]string, len(inputs))}
	for i := range p.records {
		if p.records[i].referents() != 0 {
			t.known[p.records[i].ID()] = true
		}
	}
	for _, in := range inputs {
		t.localIDs[in.id] = in.id
		if in.localID != "" {
			t.localIDs[in.localID] = in.id
		}
	}
	return t
}

// deps resolves the dependencies of an input, each once. Those in had stay as
// they are, even if they are no longer in the plan.
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
	if id, found := t.localIDs[dep]; found && dep != "" {
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
