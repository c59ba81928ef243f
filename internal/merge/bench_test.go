package merge_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/merge"
)

// largePlan writes n records of about 300 bytes, in the canonical order, of
// which a side has changed one in a hundred: edited, added or removed.
func largePlan(n int, side uint64) []byte {
	r := rand.New(rand.NewPCG(side, 1))
	var b strings.Builder
	for i := range n {
		state, name := `"s": "p"`, fmt.Sprintf("task number %d", i)
		if side > 0 && r.IntN(100) == 0 {
			switch r.IntN(4) {
			case 0:
				continue
			case 1:
				state = fmt.Sprintf(`"s": "d", "done_at": "%012d"`, i)
			case 2:
				fmt.Fprintf(&b, "%s\n", largeTask(fmt.Sprintf("t-%06dx%d", i-1, side), "an addition", state))
			default:
				name += fmt.Sprint(" and more of ", side)
			}
		}
		fmt.Fprintf(&b, "%s\n", largeTask(fmt.Sprintf("t-%06d", i), name, state))
	}
	return []byte(b.String())
}

func largeTask(id, name, state string) string {
	return fmt.Sprintf(`{"t": "task", "id": "%s", "spec": "coverage.md", "name": "%s", "notes": "%s", "accept": "pytest passes", "deps": ["t-000000"], %s, "created_at": "2026-01-01T00:00:00.000Z"}`,
		id, name, strings.Repeat("cover the edge cases ", 6), state)
}

// BenchmarkMerge merges large plans. "x-git" is how often its time, without
// that of reading files, goes into that of git merge-file on the same ones,
// upside down: 0.2 is five times as fast.
func BenchmarkMerge(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			base, x, y := largePlan(n, 0), largePlan(n, 1), largePlan(n, 2)
			b.SetBytes(int64(len(base) + len(x) + len(y)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := merge.Merge(base, x, y); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			if git := mergeFile(b, base, x, y); git > 0 {
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(git), "x-git")
			}
		})
	}
}

// mergeFile returns the best of several times of git merge-file, or 0 where
// there is no git.
func mergeFile(b *testing.B, contents ...[]byte) time.Duration {
	git, err := exec.LookPath("git")
	if err != nil {
		return 0
	}
	var names []string
	for i, content := range contents {
		names = append(names, filepath.Join(b.TempDir(), fmt.Sprint(i)))
		if err := os.WriteFile(names[i], content, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	var best time.Duration
	for range 7 {
		start := time.Now()
		_ = exec.Command(git, "merge-file", "-p", names[1], names[0], names[2]).Run() // its status counts conflicts
		if took := time.Since(start); best == 0 || took < best {
			best = took
		}
	}
	return best
}
