package land_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/land"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// TestLandingSurvivesPowerCut guards: wherever the power goes while a branch lands, a target that moved has all of it; and it has
// moved once that was reported.
func TestLandingSurvivesPowerCut(t *testing.T) {
	s := newSite(t, 2, map[string]string{"old": "x\n"})
	s.finish(1, s.branches(1, func(n int, w *work) { w.files["d/new"] = "of the agent\n" })[0])
	s.Commit("meanwhile", map[string]string{"other": "y\n"})
	d := gittest.NewDisk(s.Repo)
	st, err := store.Open(t.Context(), store.Options{
		Dir: s.Dir, Environ: s.Env, Random: rand.IntN, Now: time.Now,
		Git: git.Options{Step: func(step string) { d.Reached(step, git.StepFlushed) }},
	})
	if err != nil {
		t.Fatal(err)
	}
	claims, err := authority.Open(t.Context(), st.Repo())
	if err != nil {
		t.Fatal(err)
	}
	o := land.Options{Into: target, All: true}
	if err := o.Configure(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	if result, err := land.Run(t.Context(), st, claims, o); err != nil || result.Landed() != 1 {
		t.Fatalf("%+v, %v", result, err)
	}
	landed := s.Git("rev-parse", target)
	d.Reached("reported", git.StepFlushed)
	for _, m := range d.Moments {
		d.PowerCuts(m, func(how string) {
			tip, _ := s.TryGit("rev-parse", "--verify", "--quiet", target)
			if m.Step == "reported" && tip != landed {
				t.Errorf("after the report, %s: the target is at %q, want %s", how, tip, landed)
			}
			if tip != landed {
				return
			}
			if out, err := s.TryGit("show", target+":d/new"); err != nil || strings.TrimSpace(out) != "of the agent" {
				t.Errorf("after %q, %s: %v\n%s", m.Step, how, err, out)
			}
			if out, err := s.TryGit("rev-list", "--objects", target); err != nil {
				t.Errorf("after %q, %s: %v\n%s", m.Step, how, err, out)
			}
		})
	}
}
