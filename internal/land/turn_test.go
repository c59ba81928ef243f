package land_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/land"
	"git-ralph/internal/test/gittest"
)

// Clones that land their own branches together with all that wait do not push against each other: every change of the target is one
// push that was tried, and each clone finds its branch in the target, whoever landed it.
func TestClonesTakeTurns(t *testing.T) {
	const clones = 6
	s := newSite(t, clones, nil)
	pushes := s.Path("../pushes")
	var group sync.WaitGroup
	for i, c := range s.clones(clones) {
		name := fmt.Sprint("b", i)
		c.make(work{name: name, files: map[string]string{name: "x\n"}, task: i + 1})
		c.finish(i+1, name)
		c.WriteFile(".git/hooks/pre-push", "#!/bin/sh\ngrep -q refs/heads/main && printf . >>'"+pushes+"'\nexit 0\n")
		if err := os.Chmod(c.Path(".git/hooks/pre-push"), 0o755); err != nil {
			t.Fatal(err)
		}
		st, claims := c.open()
		group.Go(func() {
			o := land.Options{Into: target, Branches: []string{name}, All: true, Wait: time.Minute}
			if err := o.Configure(t.Context(), st); err != nil {
				t.Error(err)
			}
			got, err := land.Run(t.Context(), st, claims, o)
			if err != nil || !hasArrived(got, name) {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		})
	}
	group.Wait()
	hub := s.At("../hub")
	if n := strings.Count(hub.Git("show", "main:ralph/plan.jsonl"), `"s": "d"`); n != clones {
		t.Errorf("%d tasks are done, want %d", n, clones)
	}
	tried, err := os.ReadFile(pushes)
	if err != nil {
		t.Fatal(err)
	}
	if landings := strings.Count(hub.Git("log", "--first-parent", "--format=%s", "main"), "ralph: land"); len(tried) > landings+1 { // one: who has waited long enough, on a busy machine
		t.Errorf("%d pushes were tried for %d landings", len(tried), landings)
	}
}

func hasArrived(r land.Result, name string) bool {
	for _, b := range r.Branches {
		if b.Name == name {
			return b.Outcome == land.Landed || b.Outcome == land.Contained
		}
	}
	return false
}

// While somebody has the turn, a clone waits. A branch that a landing gives back meanwhile is not landed again: it is reported as returned.
func TestReturnedWhileWaiting(t *testing.T) {
	s := newSite(t, 2, map[string]string{"file": "x\n"})
	all := s.clones(2)
	mine, other := all[0], all[1]
	other.make(work{name: "first", files: map[string]string{"file": "2\n"}, task: 2})
	mine.make(work{name: "mine", files: map[string]string{"file": "1\n"}, task: 1})
	other.finish(2, "first")
	mine.finish(1, "mine")
	_, claims := other.open()
	turn, err := claims.Turn(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	if won, err := claims.TakeTurn(t.Context(), target, turn); err != nil || !won {
		t.Fatal(won, err)
	}
	if won, err := claims.TakeTurn(t.Context(), target, turn); err != nil || won {
		t.Errorf("a turn is taken twice: %v", err)
	}
	result := make(chan map[string]land.Branch)
	go func() {
		_, got := mine.land(land.Options{Branches: []string{"mine"}, All: true})
		result <- got
	}()
	other.land(land.Options{All: true})
	mine.outcomes(<-result, map[string]land.Outcome{"mine": land.Conflict})
	if h := mine.claimed(1); h.Claim.State != claim.Working || h.Claim.Returns != 1 {
		t.Errorf("%+v", h)
	}
}

// A landing with a conflict keeps the turn, by its own push, until the claim is returned: nobody else tries that branch in between. One
// push takes the turn, one lands, one returns all claims, and one gives the turn back.
func TestTurnIsKeptUntilClaimsAreReturned(t *testing.T) {
	s := newSite(t, 3, map[string]string{"file": "x\n"})
	c := s.clones(1)[0]
	for n, name := range []string{"first", "second", "third"} {
		c.make(work{name: name, files: map[string]string{"file": name + "\n"}, task: n + 1})
		c.finish(n+1, name)
	}
	var counter *gittest.Counter
	c.Repo, counter = c.CountProcesses()
	_, got := c.land(land.Options{Branches: []string{"first"}, All: true})
	var pushes []string
	for _, line := range counter.Started() {
		_, refs, isPush := strings.Cut(line, " push ")
		if _, refs, _ = strings.Cut(refs, " -- "); isPush {
			pushes = append(pushes, fmt.Sprintf("main %v turn %v claims %d",
				strings.Contains(refs, ":refs/heads/main"), strings.Contains(refs, ":refs/ralph/turns/main"), strings.Count(refs, ":refs/ralph/claims/")))
		}
	}
	c.outcomes(got, map[string]land.Outcome{"first": land.Landed, "second": land.Conflict, "third": land.Conflict})
	want := []string{"main false turn true claims 0", "main true turn true claims 1", "main false turn false claims 2", "main false turn true claims 0"}
	if !slices.Equal(pushes, want) {
		t.Errorf("pushed\n%s", strings.Join(pushes, "\n"))
	}
	for n := 2; n <= 3; n++ {
		if h := c.claimed(n); h.Claim.State != claim.Working || h.Claim.Returns != 1 || h.Claim.Feedback == "" {
			t.Errorf("%+v", h)
		}
	}
	if refs := s.At("../hub").Git("for-each-ref", "refs/ralph/turns"); refs != "" {
		t.Errorf("the turn stays: %s", refs)
	}
}
