package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/git/gittest"
	"git-ralph/internal/history/historytest"
	"git-ralph/internal/history/oracle"
)

// logIn runs one command line in a repository and returns what it printed.
func logIn(t testing.TB, r *gittest.Repo, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, messages bytes.Buffer
	env := &Env{
		Dir: r.Dir, Environ: r.Env, In: strings.NewReader(""), Out: &out, Err: &messages,
		Now: time.Now, Random: func(n int) int { return n - 1 }, Width: defaultWidth,
	}
	code = Main(context.Background(), append([]string{"git-ralph"}, args...), env)
	return out.String(), messages.String(), code
}

// drawn makes a drawn repository.
func drawn(t testing.TB, d historytest.Drawn) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	r.GitIn(d.Stream, "fast-import", "--quiet", "--done", "--date-format=raw")
	for name, id := range d.Refs {
		r.Git("update-ref", name, id)
	}
	if len(d.Head) == 40 {
		r.Git("update-ref", "--no-deref", "HEAD", d.Head)
	} else {
		r.Git("symbolic-ref", "HEAD", "refs/heads/"+d.Head)
	}
	return r
}

// agree compares what the program tells with what the oracle does.
func agree(t testing.TB, r *gittest.Repo) {
	t.Helper()
	want, err := oracle.Tell(r.Dir, r.Env, []string{"ralph/plan.jsonl", "plans/work.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	out, messages, code := logIn(t, r, "log", "--all", "--format", "json")
	if code != 0 {
		t.Fatalf("log --all: %d %s", code, messages)
	}
	var got oracle.Report
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-oracle +program\n%s", diff)
	}
}

// twist makes of a repository one in which commits are not what they seem, or are
// not all there.
func twist(t *testing.T, r *gittest.Repo, d historytest.Drawn, seed uint64) *gittest.Repo {
	at := 1 + int(seed*7)%(len(d.IDs)-1)
	child, other := d.IDs[at], d.IDs[int(seed*3)%at]
	switch seed % 6 {
	case 1:
		r.Git("replace", "--graft", child, other, d.IDs[0])
	case 2:
		r.WriteFile(".git/info/grafts", child+" "+other+"\n")
	case 3:
		r.Git("replace", child, other)
	case 4:
		clone := r.At("../clone")
		r.Git("-c", "protocol.file.allow=always", "clone", "-q", "--no-single-branch", "--depth", strconv.Itoa(1+int(seed/6)%7), "file://"+r.Dir, "../clone")
		return clone
	}
	return r
}

// The history that the program tells is the one that an independent, plain
// reading of the same commits tells, in every field (docs/history.md).
func TestHistoryOfDrawnRepositories(t *testing.T) {
	n, first := 40, uint64(1)
	if testing.Short() {
		n = 6
	}
	if given := os.Getenv("RALPH_HISTORIES"); given != "" {
		n, _ = strconv.Atoi(given)
	}
	if given := os.Getenv("RALPH_SEED"); given != "" {
		seed, _ := strconv.Atoi(given)
		first = uint64(seed)
	}
	for seed := first; seed < first+uint64(n); seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			d := historytest.Draw(seed, 12+int(seed%40))
			r := twist(t, drawn(t, d), d, seed)
			r.Git("config", "ralph.plan", "ralph/plan.jsonl")
			r.Git("config", "--add", "ralph.plan", "plans/work.jsonl")
			if keep := os.Getenv("RALPH_KEEP"); keep != "" {
				os.CopyFS(keep, os.DirFS(r.Dir))
			}
			agree(t, r)
		})
	}
}
