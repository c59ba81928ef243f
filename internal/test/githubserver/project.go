package githubserver

import (
	"fmt"
	"net/http"
	"strings"
)

const projectID = "PVT_kwDO1"

// projectItems are what GraphQL answers of an issue's place in projects.
func (s *Server) projectItems(i *Issue) []any {
	if !i.InProject {
		return []any{}
	}
	value := func(field string) any {
		if v := i.Fields[field]; v != "" {
			return map[string]any{"name": v}
		}
		return nil
	}
	return []any{map[string]any{
		"id": "PVTI_" + i.nodeID(), "project": map[string]any{"id": projectID, "number": s.Project}, "state": value("Workflow State"), "estimate": value("Estimate"),
	}}
}

// project is a project with its fields. The id of an option has the name.
func (s *Server) project(variables fields) any {
	if s.Project == 0 || variables.number("number") != s.Project {
		return nil
	}
	all := []any{map[string]any{}} // a field of another type has none of the members that are asked for
	for name, options := range s.Options {
		list := []any{}
		for _, o := range options {
			list = append(list, map[string]any{"id": "o:" + o, "name": o})
		}
		all = append(all, map[string]any{"id": "f:" + name, "name": name, "options": list})
	}
	return map[string]any{"id": projectID, "fields": map[string]any{"nodes": all}}
}

func (s *Server) byNode(id string) *Issue {
	for _, i := range s.Issues {
		if strings.TrimPrefix(id, "PVTI_") == i.nodeID() {
			return i
		}
	}
	return nil
}

func (s *Server) addToProject(w http.ResponseWriter, r *http.Request, variables fields) {
	i := s.byNode(variables.text("content"))
	if i == nil {
		problem(w, r, "NOT_FOUND", "Could not resolve to a node")
		return
	}
	i.InProject = true
	data(w, r, "addProjectV2ItemById", map[string]any{"item": map[string]any{"id": "PVTI_" + i.nodeID()}})
}

func (s *Server) setField(w http.ResponseWriter, r *http.Request, variables fields) {
	i := s.byNode(variables.text("item"))
	field, option := strings.TrimPrefix(variables.text("field"), "f:"), strings.TrimPrefix(variables.text("option"), "o:")
	if i == nil || !i.InProject || s.Options[field] == nil {
		problem(w, r, "NOT_FOUND", fmt.Sprintf("Could not resolve to a node with the global id of %q", field))
		return
	}
	i.Fields[field] = option
	data(w, r, "updateProjectV2ItemFieldValue", map[string]any{"projectV2Item": map[string]any{"id": variables.text("item")}})
}

func problem(w http.ResponseWriter, r *http.Request, sort, message string) {
	Reply(w, r, http.StatusOK, map[string]any{"data": nil, "errors": []any{map[string]any{"type": sort, "message": message}}})
}
