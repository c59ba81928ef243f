package commit

import (
	"context"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// WriteCommit stores a commit with the identity, date and signature of the user's own `git commit`, and returns its id.
// Nothing refers to it yet. The error is ErrCommitRefused with git's message.
func WriteCommit(ctx context.Context, r *git.Repo, tree string, parents []string, message string) (string, error) {
	settings, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	return writeCommit(ctx, r, settings, tree, parents, message)
}

// WriteCommitBy is WriteCommit with the author and the date of another commit, as its header has them: "Name <address> 0 +0000".
func WriteCommitBy(ctx context.Context, r *git.Repo, author, tree string, parents []string, message string) (string, error) {
	settings, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	sign, err := settings.Bool("commit.gpgSign", false)
	if err != nil {
		return "", err
	}
	name, rest, _ := strings.Cut(author, " <")
	address, date, _ := strings.Cut(rest, "> ")
	return commitTree(ctx, r, tree, parents, message, sign, "GIT_AUTHOR_NAME="+name, "GIT_AUTHOR_EMAIL="+address, "GIT_AUTHOR_DATE=@"+date)
}

// writeCommit makes a commit: in this process in the plain case, else through git.
func writeCommit(ctx context.Context, r *git.Repo, settings *config.Config, tree string, parents []string, message string) (string, error) {
	sign, err := settings.Bool("commit.gpgSign", false)
	if err != nil {
		return "", err
	}
	if !sign {
		if text, ok := plainCommit(r, settings, tree, parents, message); ok {
			return writeObject(ctx, r, settings, plumbing.CommitObject, text)
		}
	}
	return commitTree(ctx, r, tree, parents, message, sign)
}

// commitTree has git make the commit. The message is UTF-8, whatever encoding the user has configured for theirs.
func commitTree(ctx context.Context, r *git.Repo, tree string, parents []string, message string, sign bool, env ...string) (string, error) {
	args := []string{"-c", "i18n.commitEncoding=UTF-8", "commit-tree"}
	for _, parent := range parents {
		args = append(args, "-p", parent)
	}
	if sign {
		args = append(args, "-S")
	}
	c := r.Git().Cmd(append(args, "-F", "-", tree)...)
	c.Stdin, c.Env = []byte(message), append(slices.Clip(c.Env), env...)
	c.Group = false // signing may ask on the terminal
	res, err := r.Git().Exec(ctx, c)
	if err != nil {
		return "", refusal(err)
	}
	return strings.TrimSpace(string(res.Stdout)), nil
}

// WriteTree stores a tree object, and returns its id.
func WriteTree(ctx context.Context, r *git.Repo, data []byte) (string, error) {
	settings, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	return writeObject(ctx, r, settings, plumbing.TreeObject, data)
}

// WriteCommitText stores the text of a commit object as it is, and returns its id.
func WriteCommitText(ctx context.Context, r *git.Repo, text []byte) (string, error) {
	settings, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	return writeObject(ctx, r, settings, plumbing.CommitObject, text)
}
