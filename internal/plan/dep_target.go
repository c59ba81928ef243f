package plan

import (
	"fmt"
	"slices"
	"strings"
)

// targets are what a dependency can name: of a task, the tasks and issues of the plan, of an item, its items,
// and the records of a batch that is being added.
type targets struct {
	plan     *Plan
	kinds    []Kind            // that can be named
	known    map[string]bool   // ids of such records of the plan
	localIDs map[string]string // ids of the batch, by the ids that its records use for each other
}

func (p *Plan) targets(of Kind, inputs []input) targets {
	kinds := []Kind{KindTask, KindIssue}
	if of == KindItem {
		kinds = []Kind{KindItem}
	}
	t := targets{plan: p, kinds: kinds, known: make(map[string]bool, len(p.records)), localIDs: make(map[string]string, len(inputs))}
	for i := range p.records {
		if slices.Contains(kinds, p.records[i].kind) {
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
	field := in.kind.WaitsField()
	v, _ := in.object.Get(field)
	names, _ := v.Strings()
	var deps []string
	for _, dep := range names {
		id, err := t.resolve(strings.TrimSpace(dep), had)
		if err != nil {
			return nil, t.wrong(in, field, err)
		}
		if !slices.Contains(deps, id) {
			deps = append(deps, id)
		}
	}
	return deps, nil
}

// wrong returns the error of a field that names nothing, or several records. It says where the ids are to be found.
func (t targets) wrong(in input, field string, err error) error {
	hint := "`git ralph task list` and `git ralph issue list` show the ids there are"
	if t.kinds[0] == KindItem {
		hint = "`git ralph item list` shows the ids there are"
	}
	return &FieldError{Where: in.where, Field: field, Message: err.Error(), hint: hint}
}

// resolve returns the id of the record that a dependency means.
func (t targets) resolve(dep string, had []string) (string, error) {
	if id, found := t.localIDs[dep]; found && dep != "" {
		return id, nil
	}
	if t.known[dep] || slices.Contains(had, dep) {
		return dep, nil
	}
	all := AmbiguousIDError{Prefix: dep}
	for _, kind := range t.kinds {
		id, err := t.plan.ResolveID(kind, dep)
		switch err := err.(type) {
		case nil:
			all.IDs = append(all.IDs, id)
		case *AmbiguousIDError:
			all.IDs, all.IsNumber = append(all.IDs, err.IDs...), err.IsNumber
		}
	}
	switch len(all.IDs) {
	case 0:
		return "", fmt.Errorf("names %q: no such %s in the plan", dep, t.kindNames())
	case 1:
		return all.IDs[0], nil
	}
	return "", fmt.Errorf("names %q, which is %s", dep, all.what())
}

func (t targets) kindNames() string {
	names := make([]string, len(t.kinds))
	for i, kind := range t.kinds {
		names[i] = string(kind)
	}
	return strings.Join(names, " or ")
}
