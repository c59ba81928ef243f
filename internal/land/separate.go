package land

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// CodeReferences are below this: the code of tasks that a pull request is to merge, by task. It is in no branch before that is pushed.
const CodeReferences = "refs/ralph/code/"

// CodeReference returns the reference that has a commit with the code of a task until a pull request has merged it. It names the commit, so
// that of two clones that land the same task neither takes away what the other one's plan names.
func CodeReference(task, commit string) string { return CodeReferences + task + "/" + commit }

// separate leaves the code of an Implement out of the target, where pull requests merge it: of its branch, only the plan lands. The code
// becomes a commit on the base, the branch that the pull request is to be merged into.
func (l *lander) separate(ctx context.Context, s *stack, p *part, text []byte) ([]byte, error) {
	if l.o.Integration != pipeline.ByPullRequests {
		return text, nil
	}
	after, problems := plan.DecodeBytes(text)
	if !problems.Readable() {
		return text, nil // which is found elsewhere
	}
	for _, id := range p.branch.Tasks {
		record, _ := after.Task(id)
		task, found := pipeline.TaskOf(after, record)
		if !found || task.Step != pipeline.StepImplement || !record.Done() {
			continue
		}
		code, err := l.codeOf(ctx, s, p, task)
		if err != nil || code == "" || p.branch.Outcome != "" {
			return text, err
		}
		meta := []jsonl.Member{{Name: plan.CodeBranch, Value: jsonl.Quote(pipeline.CodeBranch(after, task))}, {Name: plan.CodeCommit, Value: jsonl.Quote(code)}}
		if _, err := after.Edit(id, nil, meta); err != nil {
			return text, err
		}
		text = after.Encode()
		p.code = code
		p.tree, err = l.trees.With(s.tree, l.st.PlanPath(), "100644", l.trees.AddBlob(text))
		return text, err // a branch implements one thing
	}
	return text, nil
}

// codeOf makes the commit with the code of a task: the base with what the branch changes in the target, but for the plan. It goes on from
// the commit of an earlier round. It is "" where nothing but the plan changes.
func (l *lander) codeOf(ctx context.Context, s *stack, p *part, task pipeline.Task) (string, error) {
	theirs := p.tree
	if s.plan != nil {
		var err error
		if theirs, err = l.trees.With(p.tree, l.st.PlanPath(), "100644", l.trees.AddBlob(s.plan)); err != nil {
			return "", err
		}
	}
	if theirs == s.tree {
		return "", nil
	}
	base, err := l.codeBase(ctx)
	if err != nil {
		return "", err
	}
	ours, err := l.trees.TreeOf(base)
	if err != nil {
		return "", err
	}
	got, err := l.trees.Merge(s.tree, ours, theirs)
	if err != nil {
		return "", err
	}
	if len(got.Overlaps) > 0 {
		p.branch.conflict(got.Overlaps)
		p.branch.Reason = "it changes files that its pull request cannot, since the branch to merge into has others: " + strings.Join(got.Overlaps, ", ")
		return "", nil
	}
	parents := []string{base}
	value, _ := task.Meta().Get(plan.CodeCommit)
	if before, _ := value.Str(); before != "" {
		if _, err := l.reader.Commit(before); err == nil {
			parents = []string{before}
			if is, err := l.reader.IsAncestor(base, before); err == nil && !is {
				parents = append(parents, base)
			}
		}
	}
	tree, err := l.trees.Write(ctx, got.Tree)
	if err != nil {
		return "", err
	}
	message := fmt.Sprintf("%s\n\nRalph-Task: %s\n", store.Subject(task.Name()), task.ID())
	return commit.WriteCommit(ctx, l.repo, tree, parents, message)
}

// codeBase returns the commit of the base that code goes onto: the newest one that the target has, as far as this clone knows the remote's.
// Where it knows none it is the target itself.
func (l *lander) codeBase(ctx context.Context) (string, error) {
	settings, err := l.repo.Config(ctx)
	if err != nil {
		return "", err
	}
	remote, _ := settings.Get("ralph.github.remote")
	named, _ := settings.Get("ralph.github.base")
	tip := ""
	for _, base := range []string{named, l.repo.RemoteDefaultBranch(ctx), strings.TrimPrefix(l.o.Into, "refs/heads/"), "main", "master"} {
		if tip, err = l.repo.IDAt(ctx, "refs/remotes/"+cmp.Or(remote, "origin")+"/"+base); err != nil {
			return "", err
		}
		if base != "" && tip != "" {
			break
		}
	}
	if tip == "" {
		return l.tip, nil
	}
	bases, err := l.repo.MergeBases(ctx, l.tip, tip)
	if err != nil || len(bases) == 0 {
		return l.tip, err
	}
	return bases[0], nil
}

// keepCode refers to the code of a stack, here and at the claims remote, before the target's plan names it: no clone sees the plan
// without the code. A landing that fails after this leaves a reference that nothing names.
func (l *lander) keepCode(ctx context.Context, s *stack) error {
	for _, p := range s.parts {
		if p.code == "" {
			continue
		}
		for _, id := range p.branch.Tasks {
			ref := CodeReference(id, p.code)
			if _, err := l.repo.Git().Run(ctx, nil, "update-ref", ref, p.code); err != nil {
				return err
			}
			if remote := l.claims.Remote(); remote != "" {
				c := l.repo.Git().RemoteCmd("push", "--quiet", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--", remote, p.code+":"+ref)
				if _, err := l.repo.Git().Exec(ctx, c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
