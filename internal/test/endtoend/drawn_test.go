package endtoend

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/test/historytest"
	"git-ralph/internal/test/oracle"
)

// eachHistory draws n histories, compares what the program reports of each with the oracle, and hands the report to check.
func eachHistory(
	t *testing.T, first, n int, draw func(seed uint64, size int) historytest.Drawn, check func(*testing.T, historytest.Drawn, oracle.Report),
) {
	t.Helper()
	t.Run("histories", func(t *testing.T) {
		for seed := uint64(first); seed < uint64(first+n); seed++ {
			t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
				t.Parallel()
				d := draw(seed, 15+int(seed%30))
				r := withProgram(t, logs(t, drawn(t, d), d))
				want, err := oracle.Read(r.Dir, r.Env, []string{planFile})
				if err != nil {
					t.Fatal(err)
				}
				got := logged(t, r)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-oracle +program\n%s", diff)
				}
				check(t, d, got)
			})
		}
	})
}
