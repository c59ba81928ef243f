package land

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// LandedTrailer begins a trailer that names a task and the tip of the branch with which it landed.
const LandedTrailer = "Ralph-Landed: "

// commit makes the commit of a stack: a merge of all branches, or with Squash one with the same tree and one parent, or with Rebase
// the last of all of theirs.
func (l *lander) commit(ctx context.Context, s *stack) (string, error) {
	if l.o.Rebase {
		return l.rebased(ctx, s)
	}
	tree, err := l.trees.Write(ctx, s.tree)
	if err != nil {
		return "", err
	}
	parents := []string{s.tip}
	if !l.o.Squash {
		parents = append(parents, s.commits...)
	}
	text, err := l.message(s)
	if err != nil {
		return "", err
	}
	return commit.WriteCommit(ctx, l.repo, tree, parents, text)
}

// message returns the message of a landing.
func (l *lander) message(s *stack) (string, error) {
	var tasks, trailers []string
	for _, p := range s.parts {
		tasks = append(tasks, p.branch.Tasks...)
		lines, err := l.trailers(p)
		if err != nil {
			return "", err
		}
		trailers = append(trailers, lines...)
	}
	text := store.Subject("ralph: "+l.subject(s, tasks)) + "\n"
	if len(trailers) > 0 {
		text += "\n" + strings.Join(trailers, "\n") + "\n"
	}
	return text, nil
}

// trailers returns the trailers of one branch: of a squash with the events that its commits record, then which tasks landed, and
// the claims that ended.
func (l *lander) trailers(p part) (lines []string, err error) {
	if l.o.Squash || p.code != "" {
		if lines, err = l.eventTrailers(p.branch); err != nil {
			return nil, err
		}
	}
	for _, id := range p.branch.Tasks {
		if p.code == "" { // else it lands with the pull request
			lines = append(lines, LandedTrailer+id+" "+p.branch.Commit)
		}
	}
	now := time.Now().UTC().Format(time.RFC3339)
	for _, t := range p.tasks {
		if t.Held.Exists() {
			lines = append(lines, store.Plain(t.Held.Claim.Trailer(now)))
		}
	}
	return lines, nil
}

// withTrailers adds trailers to the message of a commit that is made again.
func withTrailers(message string, trailers []string) string {
	message = strings.TrimRight(message, "\n")
	if !git.EndsInTrailers(strings.Split(message, "\n"), nil) {
		message += "\n"
	}
	return message + "\n" + strings.Join(trailers, "\n") + "\n"
}

// subject says what lands.
func (l *lander) subject(s *stack, tasks []string) string {
	switch {
	case len(tasks) == 1:
		return "land " + tasks[0] + " " + l.nameOf(s, tasks[0])
	case len(tasks) > 1:
		return fmt.Sprintf("land %d tasks: %s", len(tasks), strings.Join(tasks, ", "))
	}
	var names []string
	for _, b := range s.branches() {
		names = append(names, b.Name)
	}
	return "land " + strings.Join(names, ", ")
}

// eventTrailers returns the trailers of a branch's commits, oldest first: a squash would lose what only they say.
func (l *lander) eventTrailers(b *branch) (trailers []string, err error) {
	var ids []string
	l.graph.walk(b.Commit, func(id string, isNew bool) {
		if isNew {
			ids = append(ids, id)
		}
	})
	for _, id := range slices.Backward(ids) {
		o, err := l.reader.Commit(id)
		if err != nil {
			return nil, err
		}
		_, message, _ := strings.Cut(string(o.Data), "\n\n")
		for line := range strings.Lines(message) {
			if strings.HasPrefix(line, plan.EventTrailer) || strings.HasPrefix(line, plan.EvidenceTrailer) || strings.HasPrefix(line, plan.BranchTrailer) {
				trailers = append(trailers, store.Plain(strings.TrimSuffix(line, "\n")))
			}
		}
	}
	return trailers, nil
}

// nameOf returns the name of a task in the plan of a stack.
func (l *lander) nameOf(s *stack, id string) string {
	_, is, err := changedTasks(nil, s.plan)
	if err != nil {
		return ""
	}
	task := is[id]
	return task.Name()
}
