//go:build unix

package commit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/safefile"
	"git-ralph/internal/test/gittest"
)

const rounds = 5

// changeMany plays the store: ralph lock, read, add a line, commit, again on a lost race.
func changeMany() {
	for i := range rounds {
		if err := addLine(fmt.Sprintf("%s-%d\n", os.Getenv("GIT_TEST_NAME"), i)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

func addLine(line string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	repo := childRepo(git.Options{})
	held, err := safefile.Lock(ctx, repo.GitDir()+"/ralph.lock", "test")
	if err != nil {
		return err
	}
	defer held.Release()
	for {
		err := addLineOnce(ctx, repo, line)
		if !errors.Is(err, commit.ErrHeadMoved) {
			return err
		}
	}
}

func addLineOnce(ctx context.Context, repo *git.Repo, line string) error {
	tx, err := commit.Begin(ctx, repo, plan, lockTime)
	if err != nil {
		return err
	}
	defer tx.Close()
	old, _, err := tx.HeadContent()
	if err != nil {
		return err
	}
	content := append(old[:len(old):len(old)], line...)
	if err := tx.Prepare(content, "ralph: add "+line); err != nil {
		return err
	}
	if err := safefile.Write(repo.Root(), plan, content, 0o666); err != nil {
		return err
	}
	return tx.Publish()
}

// docs/promises.md: every change that was reported as done is in the history exactly once, and so are the user's own
// commits made beside it.
func TestConcurrentProcesses(t *testing.T) {
	const processes = 16
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{plan: ""})
	stop := make(chan struct{})
	var user, ours sync.WaitGroup
	mine := 0
	user.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			r.WriteFile("mine", strconv.Itoa(mine))
			if _, err := r.TryGit("add", "mine"); err != nil {
				continue // locked by us; a user would try again
			}
			if _, err := r.TryGit("commit", "-q", "-m", "mine"); err == nil {
				mine++
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	for p := range processes {
		ours.Go(func() {
			if out, err := child(t, r, "GIT_TEST_CHILD=many", "GIT_TEST_NAME=p"+strconv.Itoa(p)); err != nil {
				t.Errorf("%v %s", err, out)
			}
		})
	}
	ours.Wait()
	close(stop)
	user.Wait()
	if got := strings.Count(r.Git("log", "--format=%s"), "ralph: add"); got != processes*rounds {
		t.Errorf("%d changes in the history, want %d", got, processes*rounds)
	}
	if got := len(strings.Fields(r.Git("show", "HEAD:"+plan))); got != processes*rounds {
		t.Errorf("%d lines in the plan, want %d", got, processes*rounds)
	}
	if got := strings.Count("\n"+r.Git("log", "--format=%s"), "\nmine"); got != mine {
		t.Errorf("%d commits of the user's, want %d", got, mine)
	}
	if got := r.Git("status", "--porcelain", "--", plan); got != "" {
		t.Errorf("status %q", got)
	}
	r.Fsck()
}
