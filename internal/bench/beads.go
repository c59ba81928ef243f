package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// beadsVersion is the last release of the rival that has a merge driver for its own file of issues.
const beadsVersion = "v0.47.1"

// beads builds the rival, once, in a module of its own in the folder for what is generated.
func (l *lab) beads(ctx context.Context) (string, error) {
	dir := filepath.Join(l.dir, "beads-"+beadsVersion)
	bin := filepath.Join(dir, "bd")
	if _, err := os.Stat(bin); err == nil {
		return bin, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	const module = "github.com/steveyegge/beads"
	files := map[string]string{
		"go.mod":   "module rival\n\ngo 1.24\n\nrequire " + module + " " + beadsVersion + "\n",
		"rival.go": "//go:build rival\n\npackage rival\n\nimport _ \"" + module + "/cmd/bd\"\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	env := append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off")
	_, err := proc.Run(ctx, proc.Cmd{Name: "go", Args: []string{"build", "-o", bin, module + "/cmd/bd"}, Dir: dir, Env: env})
	return bin, err
}

// issues writes a plan as the rival does: its statuses, its numbers for priorities, and a time for each change.
func (p teamPlan) issues() string {
	var b strings.Builder
	for _, t := range p {
		status, closed := "open", ""
		if t.state == "d" {
			status, closed = "closed", fmt.Sprintf(`, "closed_at": %q`, t.changed)
		}
		var deps []string
		for _, d := range t.deps {
			deps = append(deps, fmt.Sprintf(`{"issue_id": %q, "depends_on_id": %q, "type": "blocks", "created_at": %q, "created_by": "bench"}`, t.id, d, t.created))
		}
		priority := map[string]int{"high": 1, "medium": 2, "low": 3}[t.priority]
		fmt.Fprintf(&b, `{"id": %q, "title": %q, "notes": %q, "status": %q, "priority": %d, "issue_type": "task", "created_at": %q, "updated_at": %q%s, "created_by": "bench", "dependencies": [%s]}`+"\n",
			t.id, t.name, t.notes, status, priority, t.created, t.changed, closed, strings.Join(deps, ", "))
	}
	return b.String()
}
