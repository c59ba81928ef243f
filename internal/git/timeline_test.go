package git_test

import (
	"context"
	"fmt"
	"os"
	"sort"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/gittest"
)

func TestTimeline(t *testing.T) {
	if os.Getenv("TIMELINE") == "" {
		t.Skip()
	}
	r := gittest.NewRepo(t)
	for i := range 2000 {
		r.WriteFile(fmt.Sprintf("d%03d/f%05d.txt", i%200, i), "file\n")
	}
	r.Commit("first", map[string]string{plan: "old\n"})
	time.Sleep(time.Second)
	r.Git("update-index", "-q", "--refresh")
	at := map[string][]float64{}
	for n := range 100 {
		if os.Getenv("TIMELINE") == "2" {
			r.WriteFile(plan, fmt.Sprintf("theirs %d\n", n))
			start := time.Now()
			r.Git("commit", "-q", "--only", "-m", "theirs", "--", plan)
			at["98git"] = append(at["98git"], float64(time.Since(start).Microseconds()))
		}
		var start time.Time
		last := time.Now()
		mark := func(s string) {
			now := time.Now()
			at[s] = append(at[s], float64(now.Sub(last).Microseconds()))
			last = now
		}
		start = last
		repo, err := git.OpenWith(context.Background(), r.Dir, r.Env, git.Options{Step: mark})
		if err != nil {
			t.Fatal(err)
		}
		mark("00open")
		if err := change(repo, plan, fmt.Sprintf("x%d\n", n), "m"); err != nil {
			t.Fatal(err)
		}
		at["99total"] = append(at["99total"], float64(time.Since(start).Microseconds()))
	}
	for _, s := range append(append([]string{"00open"}, git.Steps()...), "99total", "98git") {
		v := at[s]
		if len(v) == 0 {
			continue
		}
		sort.Float64s(v)
		fmt.Printf("%-10s median %6.0f  p10 %6.0f  p90 %6.0f us\n", s, v[len(v)/2], v[len(v)/10], v[len(v)*9/10])
	}
}
