package history

import (
	"context"
	"os"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

func TestProf(t *testing.T) {
	dir := os.Getenv("PROFDIR")
	if dir == "" {
		t.Skip()
	}
	for range 3 {
		start := time.Now()
		repo, err := git.Open(context.Background(), dir, os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		w := repo.Walker(context.Background())
		r := reader{Options: Options{Repo: repo, Paths: []string{"ralph/plan.jsonl"}}, ctx: context.Background(), walker: w}
		in, err := r.input()
		t.Log("input", time.Since(start))
		start = time.Now()
		fold.Of(in)
		t.Log("fold", time.Since(start))
		w.Close()
	}
}
