package commit_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/test/gittest"
)

// BenchmarkChange measures Begin to Publish, a fresh Open included, beside `git commit --only` of the same file in the
// same run. The ratio is what docs/promises.md bounds.
func BenchmarkChange(b *testing.B) {
	for _, files := range []int{2000, 50000} {
		b.Run(strconv.Itoa(files), func(b *testing.B) {
			r := large(b, files)
			var ours, theirs time.Duration
			n := 0
			for b.Loop() {
				n++
				start := time.Now()
				if err := change(mustOpen(b, r), plan, fmt.Sprintf("ours %d\n", n), "ralph: change"); err != nil {
					b.Fatal(err)
				}
				ours += time.Since(start)
				r.WriteFile(plan, fmt.Sprintf("theirs %d\n", n))
				start = time.Now()
				r.Git("commit", "-q", "--only", "-m", "theirs", "--", plan)
				theirs += time.Since(start)
			}
			b.ReportMetric(float64(ours)/float64(theirs), "ratio")
			b.ReportMetric(float64(ours.Microseconds())/float64(n)/1000, "ours-ms")
			b.ReportMetric(float64(theirs.Microseconds())/float64(n)/1000, "git-ms")
		})
	}
}

func large(b *testing.B, files int) *gittest.Repo {
	b.Helper()
	r := gittest.NewRepo(b)
	for i := range files {
		r.WriteFile(fmt.Sprintf("d%03d/f%05d.txt", i%200, i), "file\n")
	}
	r.Commit("first", map[string]string{plan: "old\n"})
	time.Sleep(time.Second) // no entry of the index is younger than the index
	r.Git("update-index", "-q", "--refresh")
	return r
}

// BenchmarkSteps reports how long after the one before it each step of a change is reached, in microseconds.
func BenchmarkSteps(b *testing.B) {
	r := large(b, 2000)
	spent := map[string]time.Duration{}
	n := 0
	for b.Loop() {
		n++
		last := time.Now()
		repo, err := git.OpenWith(context.Background(), r.Dir, r.Env, git.Options{Step: func(step string) {
			now := time.Now()
			spent[step] += now.Sub(last)
			last = now
		}})
		if err != nil {
			b.Fatal(err)
		}
		if err := change(repo, plan, fmt.Sprintf("ours %d\n", n), "ralph: change"); err != nil {
			b.Fatal(err)
		}
	}
	for _, step := range commit.Steps() {
		b.ReportMetric(float64(spent[step].Microseconds())/float64(n), step+"-µs")
	}
}
