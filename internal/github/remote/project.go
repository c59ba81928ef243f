package remote

import (
	"context"
	"fmt"

	"git-ralph/internal/github/mirror"
)

// A project is one of the owner's, with its fields.
type project struct {
	ID     string
	Fields struct {
		Nodes []struct {
			ID, Name string
			Options  []struct{ ID, Name string }
		}
	}
}

func (r *Remote) findProject(ctx context.Context) (*project, error) {
	if r.project != nil {
		return r.project, nil
	}
	const query = `query RalphProject($owner: String!, $number: Int!) { repositoryOwner(login: $owner) {
... on User { projectV2(number: $number) { ...P } } ... on Organization { projectV2(number: $number) { ...P } } } }
fragment P on ProjectV2 { id fields(first: 100) { nodes { ... on ProjectV2SingleSelectField { id name options { id name } } } } }`
	var answer struct{ RepositoryOwner *struct{ ProjectV2 *project } }
	number := r.target().Project
	if err := r.Client.Query(ctx, "RalphProject", query, map[string]any{"owner": r.target().Owner, "number": number}, &answer); err != nil {
		return nil, err
	}
	if answer.RepositoryOwner == nil || answer.RepositoryOwner.ProjectV2 == nil {
		return nil, fmt.Errorf("%s has no project %d that the token can read: ralph.github.project names it", r.target().Owner, number)
	}
	r.project = answer.RepositoryOwner.ProjectV2
	return r.project, nil
}

// option returns the ids of a field of the project and of one of its options.
func (p *project) option(field, option string) (fieldID, optionID string, err error) {
	for _, f := range p.Fields.Nodes {
		for _, o := range f.Options {
			if f.Name == field && o.Name == option {
				return f.ID, o.ID, nil
			}
		}
	}
	return "", "", fmt.Errorf("the project has no option %q of a field %q", option, field)
}

// setProject sets fields of the project, to which the issue is added where it is not in it.
func (r *Remote) setProject(ctx context.Context, s mirror.Sending) error {
	if len(s.Project) == 0 {
		return nil
	}
	p, err := r.findProject(ctx)
	if err != nil {
		return err
	}
	entry := s.Entry
	if entry == "" { // GitHub answers the entry that is there, if there is one
		const add = `mutation RalphAddToProject($project: ID!, $content: ID!) { addProjectV2ItemById(input: {projectId: $project, contentId: $content}) { item { id } } }`
		var answer struct {
			AddProjectV2ItemByID struct{ Item struct{ ID string } }
		}
		if err := r.Client.Mutate(ctx, "RalphAddToProject", add, map[string]any{"project": p.ID, "content": s.Node}, &answer); err != nil {
			return err
		}
		entry = answer.AddProjectV2ItemByID.Item.ID
	}
	for _, name := range []string{mirror.StateField, mirror.EstimateField} {
		value := s.Project[name]
		if value == "" {
			continue
		}
		field, option, err := p.option(name, value)
		if err != nil {
			return err
		}
		const set = `mutation RalphSetField($project: ID!, $item: ID!, $field: ID!, $option: String!) {
updateProjectV2ItemFieldValue(input: {projectId: $project, itemId: $item, fieldId: $field, value: {singleSelectOptionId: $option}}) { projectV2Item { id } } }`
		if err := r.Client.Mutate(ctx, "RalphSetField", set, map[string]any{"project": p.ID, "item": entry, "field": field, "option": option}, nil); err != nil {
			return err
		}
	}
	return nil
}
