package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/plan"
)

// largePlan is a canonical plan of n tasks of about 300 bytes, one in ten done,
// each with up to two dependencies.
func largePlan(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("t-%05x", i*7919%(1<<20))
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString(spec + "\n")
	for i, id := range names {
		state := `"s": "p"`
		if i%10 == 0 {
			state = `"s": "d", "done_at": "0123456789ab"`
		}
		deps := ""
		if i > 1 {
			deps = fmt.Sprintf(`"deps": [%q, %q], `, names[random.IntN(i)], names[random.IntN(i)])
		}
		fmt.Fprintf(&b, `{"t": "task", "id": %q, "spec": "a.md", "name": "Add a test for part %d", "notes": "%s", "accept": "go test ./part%d passes", %s%s, "created_at": "2026-01-%02dT10:%02d:%02d.%03dZ"}`+"\n",
			id, i, strings.Repeat("look here ", 6), i, deps, state, 1+random.IntN(28), random.IntN(60), random.IntN(60), random.IntN(1000))
	}
	return b.String()
}

func BenchmarkNext(b *testing.B) {
	data := largePlan(10000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		p, _ := plan.Decode(data)
		Of(p).Next()
	}
}

func BenchmarkDecode(b *testing.B) {
	data := largePlan(10000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		plan.Decode(data)
	}
}

func BenchmarkSorted(b *testing.B) {
	p, _ := plan.Decode(largePlan(10000))
	s := Of(p)
	b.ReportAllocs()
	for b.Loop() {
		s.Pending()
	}
}
