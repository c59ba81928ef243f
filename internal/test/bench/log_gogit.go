package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"git-ralph/internal/proc"
)

// goGitVersion is the one that we build upon.
const goGitVersion = "v5.19.3"

// goGitHistory is the history that go-git reads. It takes half a minute; ten times the commits take many.
var goGitHistory = teamSize{commits: longHistory.commits / 100, tasks: longHistory.tasks, planEvery: longHistory.planEvery}

// logsByGoGit: the commits that changed the plan as go-git's own Log finds them, for the record. It compares neighbours in
// its listing and not parents, so what it finds is not the same.
//
// It is a program in a module of its own: the package whose time is measured here stands in none of our programs, and what
// it needs is not to be fetched by those who only build ours.
func logsByGoGit(ctx context.Context, l *lab) ([]row, error) {
	dir, err := l.history(ctx, goGitHistory, "")
	if err != nil {
		return nil, err
	}
	program, err := l.foreign(ctx, "go-git-"+goGitVersion, ".", map[string]string{
		"go.mod":  "module rival\n\ngo 1.24\n\nrequire github.com/go-git/go-git/v5 " + goGitVersion + "\n",
		"main.go": goGitLog,
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: without go-git: %v\n", err)
		return nil, nil
	}
	what := fmt.Sprintf("log --all, cold, %d commits : go-git's Log of the file", goGitHistory.commits)
	rival := contender{cmd: proc.Cmd{Name: program, Args: []string{planPath}, Dir: dir}}
	ours, err1 := l.time(ctx, l.logAll(dir).cold())
	theirs, err2 := l.time(ctx, rival) // once is enough: it is far off
	r := row{what: what, ours: millis(ours), rival: millis(theirs), value: float64(ours) / float64(theirs), goal: noGoal}
	return []row{r}, errors.Join(err1, err2)
}

const goGitLog = `package main

import (
	"fmt"
	"os"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
)

func main() {
	if err := list(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func list(path string) error {
	repo, err := git.PlainOpen(".")
	if err != nil {
		return err
	}
	commits, err := repo.Log(&git.LogOptions{All: true, FileName: &path})
	if err != nil {
		return err
	}
	return commits.ForEach(func(c *object.Commit) error {
		_, err := fmt.Println(c.Hash)
		return err
	})
}
`
