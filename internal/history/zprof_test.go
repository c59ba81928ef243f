package history

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"git-ralph/internal/git"
)

func TestProf(t *testing.T) {
	dir := os.Getenv("PROF_DIR")
	if dir == "" {
		t.Skip()
	}
	debug.SetGCPercent(400)
	n, _ := strconv.Atoi(os.Getenv("PROF_N"))
	repo, err := git.Open(context.Background(), dir, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		t0 := time.Now()
		h, err := Read(context.Background(), Options{repo, []string{"ralph/plan.jsonl"}, "x"})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("all", time.Since(t0), len(h.Events), h.Whole)
	}
}
