package pullrequest

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/git"
)

// A Branch is that of a pull request, at a remote.
type Branch struct {
	Repo   *git.Repo
	Remote string
	Name   string
}

// An OccupiedError says that the remote has a branch of that name with other work, which is never overwritten.
type OccupiedError struct{ Remote, Branch, At, Want string }

func (e *OccupiedError) Error() string {
	return fmt.Sprintf("%s at %s has other work: it is at %.9s, which does not belong to %.9s", e.Branch, e.Remote, e.At, e.Want)
}

// Push makes the remote's branch have a commit. A branch with other work stays as it is: the error is an *OccupiedError. One that has the
// commit and more stays too.
func (b Branch) Push(ctx context.Context, commit string) error {
	for try := 1; ; try++ {
		at, err := b.At(ctx)
		if err != nil || at == commit {
			return err
		}
		if at != "" {
			has, err := b.has(ctx, at, commit)
			if has || err != nil {
				return err
			}
		}
		err = b.remote(ctx, "push", "--quiet", "--no-follow-tags", "--recurse-submodules=check", "--no-force-if-includes", "--force-with-lease=refs/heads/"+b.Name+":"+at,
			"--", b.Remote, commit+":refs/heads/"+b.Name)
		const maxTries = 2 // the second one finds out what became of the first one
		if err == nil || try == maxTries {
			return err
		}
	}
}

// has reports whether the remote's branch, at a commit, has another one already. Where it has neither that nor only commits of it, it has other work.
func (b Branch) has(ctx context.Context, at, commit string) (bool, error) {
	if _, err := b.Repo.Git().Run(ctx, nil, "cat-file", "-e", at+"^{commit}"); err != nil {
		if err := b.Fetch(ctx, b.Name); err != nil {
			return false, err
		}
	}
	reader := b.Repo.Reader(ctx)
	defer reader.Close()
	if is, err := reader.IsAncestor(commit, at); is || err != nil {
		return is, err
	}
	is, err := reader.IsAncestor(at, commit)
	if err == nil && !is {
		err = &OccupiedError{b.Remote, b.Name, at, commit}
	}
	return false, err
}

// At returns the commit that the remote's branch is at, "" where there is none.
func (b Branch) At(ctx context.Context) (string, error) {
	result, err := b.Repo.Git().Exec(ctx, b.Repo.Git().RemoteCmd("ls-remote", "--", b.Remote, "refs/heads/"+b.Name))
	at, _, _ := strings.Cut(string(result.Stdout), "\t")
	return strings.TrimSpace(at), err
}

// Default returns the name of the branch that the remote's HEAD is on, "" where it is on none.
func (b Branch) Default(ctx context.Context) (string, error) {
	result, err := b.Repo.Git().Exec(ctx, b.Repo.Git().RemoteCmd("ls-remote", "--symref", "--", b.Remote, "HEAD"))
	line, _, _ := strings.Cut(string(result.Stdout), "\t")
	name, isBranch := strings.CutPrefix(line, "ref: refs/heads/")
	if !isBranch {
		name = ""
	}
	return name, err
}

// Fetch fetches the commits of a branch of the remote. No reference of this clone moves but the copy of that branch.
func (b Branch) Fetch(ctx context.Context, name string) error {
	return b.remote(ctx, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--", b.Remote, "+refs/heads/"+name+":refs/remotes/"+b.Remote+"/"+name)
}

func (b Branch) remote(ctx context.Context, args ...string) error {
	_, err := b.Repo.Git().Exec(ctx, b.Repo.Git().RemoteCmd(args...))
	return err
}

// FetchReference fetches the commits of a reference that is no branch. Nothing in this clone refers to them then.
func (b Branch) FetchReference(ctx context.Context, name string) error {
	return b.remote(ctx, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--", b.Remote, name)
}
