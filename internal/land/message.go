package land

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
)

// LandedTrailer begins a trailer that names a task and the tip of the branch with which it landed.
const LandedTrailer = "Ralph-Landed: "

// maxSubject is how long the subject of a landing is, at most.
const maxSubject = 72

// commit makes the commit of a stack: a merge of all branches, or with Squash one with the same tree and one parent.
func (l *lander) commit(ctx context.Context, s *stack) (string, error) {
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
	now := time.Now().UTC().Format(time.RFC3339)
	for _, p := range s.parts {
		if l.o.Squash {
			events, err := l.eventTrailers(p.branch)
			if err != nil {
				return "", err
			}
			trailers = append(trailers, events...)
		}
		for _, id := range p.branch.Tasks {
			tasks = append(tasks, id)
			trailers = append(trailers, LandedTrailer+id+" "+p.branch.Commit)
		}
		for _, t := range p.tasks {
			if t.Held.Exists() {
				trailers = append(trailers, plain(t.Held.Claim.Trailer(now)))
			}
		}
	}
	text := cut("ralph: "+plain(l.subject(s, tasks))) + "\n"
	if len(trailers) > 0 {
		text += "\n" + strings.Join(trailers, "\n") + "\n"
	}
	return text, nil
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
				trailers = append(trailers, plain(strings.TrimSuffix(line, "\n")))
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

// cut shortens a subject.
func cut(text string) string {
	runes := []rune(strings.TrimSpace(text))
	if len(runes) <= maxSubject {
		return string(runes)
	}
	return string(runes[:maxSubject-1]) + "…"
}

// plain makes spaces of line breaks and control characters, so that no name can forge a trailer.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, text)
}
