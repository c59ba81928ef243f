package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// beadsVersion is the last release of the rival that has a merge driver for its own file of issues.
const beadsVersion = "v0.47.1"

// beads builds the rival.
func (l *lab) beads(ctx context.Context) (string, error) {
	const module = "github.com/steveyegge/beads"
	return l.foreign(ctx, "beads-"+beadsVersion, module+"/cmd/bd", map[string]string{
		"go.mod":   "module rival\n\ngo 1.24\n\nrequire " + module + " " + beadsVersion + "\n",
		"rival.go": "//go:build rival\n\npackage rival\n\nimport _ \"" + module + "/cmd/bd\"\n",
	})
}

// measureBeads compares the two drivers on one large plan, each in its own format.
func (l *lab) measureBeads(ctx context.Context) (row, error) {
	bd, err := l.beads(ctx)
	if err != nil {
		return row{}, err
	}
	chance := rand.New(rand.NewPCG(1, 1))
	base := newTeamPlan(chance, 10_000)
	sides := map[string]teamPlan{"base": base, "ours": base.worked(chance, 100), "theirs": base.worked(chance, 100)}
	t := trio{dir: filepath.Join(l.dir, "merge-beads")}
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return row{}, err
	}
	for name, p := range sides {
		err1 := os.WriteFile(filepath.Join(t.dir, name), []byte(p.records()), 0o600)
		err2 := os.WriteFile(filepath.Join(t.dir, name+".issues"), []byte(p.issues()), 0o600)
		if err := errors.Join(err1, err2); err != nil {
			return row{}, err
		}
	}
	rival := contender{cmd: proc.Cmd{Name: bd, Args: []string{"merge", "merged", "base.issues", "ours.issues", "theirs.issues"}, Dir: t.dir}, counts: true}
	return l.compare(ctx, "merge of 10,000 tasks : bd merge", 1.0/30, l.runs/3+1, t.ours(l), rival)
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
