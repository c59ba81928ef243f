package history_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/git"
	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/historytest"
)

// newestOf is a history with the newest events of HEAD's alone, and the lives that they are of.
func newestOf(h *fold.History, n int) *fold.History {
	some := &fold.History{Warnings: h.Warnings, Complete: h.Complete}
	touched := map[*fold.Life]bool{}
	for _, e := range slices.Backward(h.Events) {
		if e.InHead && len(some.Events) < n {
			some.Events = append(some.Events, e)
			touched[e.Life] = true
		}
	}
	for _, l := range h.Lives {
		if touched[l] {
			some.Lives = append(some.Lives, l)
		}
	}
	return some
}

// readNewest reads as much of a history as its newest events need.
func readNewest(t *testing.T, r *gittest.Repo, o history.Options, n int) *fold.History {
	t.Helper()
	var err error
	if o.Repo, err = git.Open(t.Context(), r.Dir, r.Env); err != nil {
		t.Fatal(err)
	}
	l, err := history.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	h, err := l.Newest(n)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// idsOf are the ids of a history, and whether they are those of accepted tasks.
func idsOf(h *fold.History) map[string]bool {
	ids := map[string]bool{}
	for _, l := range h.Lives {
		for _, id := range append(l.Former, l.ID) {
			ids[id] = ids[id] || id == l.ID && l.Status == fold.Accepted
		}
	}
	return ids
}

// The newest events are the same, and so is all that is reported of their tasks, whether all of the history is folded for them
// or a part; and so are the ids that are known then.
func TestNewestEvents(t *testing.T) {
	first, n := setting("RALPH_SEED", 1), setting("RALPH_HISTORIES", 12)
	var parts atomic.Int32
	t.Run("histories", func(t *testing.T) {
		for seed := uint64(first); seed < uint64(first+n); seed++ {
			t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
				t.Parallel()
				parts.Add(newestAsWorkGoesOn(t, seed))
			})
		}
	})
	if n >= 12 && int(parts.Load()) < n/8 {
		t.Errorf("of %d histories, a part was enough %d times", n, parts.Load())
	}
}

// newestAsWorkGoesOn follows a branch through a drawn history, and reports how often a part of it was enough.
func newestAsWorkGoesOn(t *testing.T, seed uint64) (parts int32) {
	random := rand.New(rand.NewPCG(seed, 1))
	d := historytest.Draw(seed, 80+int(seed%80))
	r := drawn(t, d)
	stations := strings.Fields(r.Git("rev-list", "--first-parent", "--reverse", d.IDs[len(d.IDs)-1-random.IntN(10)]))
	r.Git("symbolic-ref", "HEAD", "refs/heads/main")
	o := history.Options{Paths: []string{planFile}, ProgramVersion: "test", Window: 1 + random.IntN(8)}
	for at := random.IntN(max(len(stations)-20, 1)); at < len(stations); at += 1 + random.IntN(4) {
		r.Git("update-ref", "refs/heads/main", stations[at])
		if random.IntN(16) == 0 {
			r.Git("update-ref", "refs/heads/other", d.IDs[random.IntN(len(d.IDs))])
		}
		newest := 1 + random.IntN(6)
		whole, kept := read(t, r, o.Paths, ""), readNewest(t, r, o, newest)
		if diff := cmp.Diff(textOf(newestOf(whole, newest)), textOf(newestOf(kept, newest))); diff != "" {
			t.Fatalf("%d newest of %s: -whole +part\n%s", newest, stations[at], diff)
		}
		if len(kept.Events) < len(whole.Events) {
			parts++
		}
		var err error
		if o.Repo, err = git.Open(t.Context(), r.Dir, r.Env); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(idsOf(whole), history.KnownIDs(o)); diff != "" {
			t.Fatalf("ids after %s: -whole +known\n%s", stations[at], diff)
		}
	}
	return parts
}

// After a few commits on top of a long branch, with merges, a part is enough.
func TestNewestEventsNeedAPart(t *testing.T) {
	r := gittest.NewRepo(t)
	r.GitIn(longBranch(400), "fast-import", "--quiet", "--done", "--date-format=raw")
	ids := strings.Fields(r.Git("rev-list", "--grep=^accept", "--reverse", "refs/heads/long"))
	r.Git("symbolic-ref", "HEAD", "refs/heads/main")
	o := history.Options{Paths: []string{planFile}, ProgramVersion: "test", Window: 8}
	all := 0
	for _, tip := range ids[len(ids)-30:] {
		r.Git("update-ref", "refs/heads/main", tip)
		r.Git("update-ref", "-d", "refs/heads/long")
		const newest = 12 // so that some are older than the commits that came since
		whole, kept := read(t, r, o.Paths, ""), readNewest(t, r, o, newest)
		if diff := cmp.Diff(textOf(newestOf(whole, newest)), textOf(newestOf(kept, newest))); diff != "" {
			t.Fatalf("-whole +part\n%s", diff)
		}
		if len(kept.Lives) == len(whole.Lives) {
			all++
		}
	}
	if all > 10 { // the first time, when what is kept is written anew, and after merges into what lies far back
		t.Errorf("all lives were looked at %d times", all)
	}
}

// longBranch is a branch for git fast-import on which one task after the other is added, done and accepted, every fifth of
// them on a branch that is merged.
func longBranch(tasks int) string {
	var b strings.Builder
	var open []string
	mark := 0
	commit := func(message string, parents ...int) int {
		mark++
		fmt.Fprintf(&b, "commit refs/heads/long\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n", mark, 1700000000+60*mark, len(message), message)
		for i, p := range parents {
			fmt.Fprintf(&b, "%s :%d\n", [...]string{"from", "merge"}[i], p)
		}
		plan := strings.Join(open, "")
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", planFile, len(plan), plan)
		return mark
	}
	open = []string{taskLine("t-keep", "stays")}
	tip := commit("first")
	for i := range tasks {
		id, before := fmt.Sprintf("t-%04d", i), tip
		open = append(open, taskLine(id, "x"))
		tip = commit("add", tip)
		open[1] = `{"t":"task","id":"` + id + `","name":"x","s":"d","done_at":"0000000","spec":"a.md"}` + "\n"
		tip = commit("do", tip)
		open = open[:1]
		tip = commit("accept", tip)
		switch {
		case i%5 == 0:
			tip = commit("Merge branch 'f"+id+"'", commit("other", before), tip)
		case i%7 == 0: // into what did not move for long
			tip = commit("Merge branch 'g"+id+"'", 1, tip)
		}
	}
	return b.String() + "done\n"
}

// That a task was done at a commit which is no ancestor is reported of all its attempts, however old.
func TestNewestEventsOfTasksDoneLongAgo(t *testing.T) {
	r := gittest.NewRepo(t)
	done := `{"t":"task","id":"t-0001","name":"one","s":"d","done_at":"deadbeefdead","spec":"a.md","created_at":"2026-01-01T00:00:00Z"}` + "\n"
	r.Commit("add", map[string]string{planFile: taskLine("t-0001", "one")})
	r.Commit("do", map[string]string{planFile: done})
	for i := range 8 {
		r.Commit("other", map[string]string{planFile: taskLine("t-0001", "one") + taskLine("t-0002", strconv.Itoa(i))})
	}
	o := history.Options{Paths: []string{planFile}, ProgramVersion: "test", Window: 1}
	read(t, r, o.Paths, o.ProgramVersion)
	r = r.Setenv("GIT_COMMITTER_DATE", "2099-01-01T00:00:00Z") // what is new is newer than what is kept
	r.Commit("again", map[string]string{planFile: taskLine("t-0001", "two") + taskLine("t-0002", "7")})
	whole, kept := read(t, r, o.Paths, ""), readNewest(t, r, o, 1)
	if diff := cmp.Diff(textOf(newestOf(whole, 1)), textOf(newestOf(kept, 1))); diff != "" {
		t.Errorf("-whole +part\n%s", diff)
	}
	if len(kept.Events) == len(whole.Events) {
		t.Error("a part was not enough")
	}
}
