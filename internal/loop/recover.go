package loop

import (
	"context"
	"errors"
	"maps"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// A commit of code and plan together is made by git. A crash before it leaves a plan that is written and says done, and
// the code beside it. So what is about to be committed is noted first, and the next run makes up for the commit.

// intend returns the note: {"message", "files": [{"path", "size", "time"}]}.
func intend(root, message string, files []string) jsonl.Object {
	return jsonl.Build([]jsonl.Member{
		{Name: "message", Value: jsonl.Quote(message)}, {Name: "files", Value: signaturesOf(root, files).JSON()},
	})
}

// Recover makes up for a commit that a killed run was about to make: of the files that are still as they were then and not
// committed, and of the plan where it is not. It must be called before anything else changes the plan. There is nothing
// to do where the note is not there.
func Recover(ctx context.Context, st *store.Store, j journal.Journal) error {
	what, found := j.Intent()
	if !found {
		return nil
	}
	files, err := stillOpen(ctx, st.Repo(), what)
	if err != nil || len(files) == 0 {
		j.DropIntent()
		return err
	}
	message := journal.Text(what, "message")
	result, err := st.Update(ctx, store.Request{
		OwnEdits: true, Files: files, Message: message,
		Do: func(*plan.Plan, store.Inputs) (plan.Change, error) { return plan.Change{}, nil },
	})
	if err == nil && !result.Committed {
		_, err = st.CommitFiles(ctx, message, files...)
	}
	if errors.Is(err, git.ErrCommitRefused) { // by a hook, or git itself was faster: it outlives the run that started it
		if files, openErr := stillOpen(ctx, st.Repo(), what); openErr == nil && len(files) == 0 {
			err = nil
		}
		j.DropIntent()
	}
	if err == nil {
		j.DropIntent()
	}
	return err
}

// TakeBackRebase ends a rebase that a killed run began to push what is here: in the middle of it the plan is that of long
// ago, and work that is accepted would be done again. It tells whether there was one. The error is git.ErrHalfRebased.
func TakeBackRebase(ctx context.Context, st *store.Store, j journal.Journal) (was bool, err error) {
	head, found := j.Push()
	if !found {
		return false, nil
	}
	if was, err = st.Repo().TakeBack(ctx, head); err == nil {
		j.DropPush()
	}
	return was, err
}

// stillOpen lists the files of a note that are as they were when it was made, and not committed.
func stillOpen(ctx context.Context, repo *git.Repo, what jsonl.Object) ([]string, error) {
	was := readSignatures(get(what, "files"))
	maps.DeleteFunc(was, func(path string, s signature) bool { return s != signatureOf(repo.Root(), path) })
	paths := slices.Sorted(maps.Keys(was))
	if len(paths) == 0 {
		return nil, nil
	}
	changes, err := repo.Changes(ctx, paths...)
	return pathsOf(changes), err
}
