package land_test

import (
	"fmt"
	"strings"
	"testing"

	"git-ralph/internal/land"
)

// branches makes n branches with a file and a task each.
func (s *site) branches(n int, change func(n int, w *work)) (names []string) {
	var all []work
	for i := 1; i <= n; i++ {
		w := work{name: fmt.Sprintf("b%02d", i), files: map[string]string{fmt.Sprintf("f%02d", i): "x\n"}, task: i}
		if change != nil {
			change(i, &w)
		}
		all, names = append(all, w), append(names, w.name)
	}
	s.make(all...)
	return names
}

// One branch among 64 makes the check fail: it is found with few runs, its task is rejected with the reason, and the others land.
func TestGuiltyBranch(t *testing.T) {
	s := newSite(t, 64, nil)
	names := s.branches(64, func(n int, w *work) {
		if n == 37 {
			w.files["bad"] = "x\n"
		}
	})
	s.finish(37, "b37")
	result, got := s.land(land.Options{Branches: names, Check: "test ! -e bad || { echo it is bad >&2; false; }"})
	if result.Landed() != 63 || result.Checks > 2*6+3 {
		t.Errorf("%d landed with %d checks", result.Landed(), result.Checks)
	}
	if b := got["b37"]; b.Outcome != land.Failed || b.Then != "rejected" || !strings.Contains(b.Reason, "it is bad") {
		t.Errorf("%+v", b)
	}
	if s.claimed(37).Exists() {
		t.Error("the claim of the rejected task is still there")
	}
	if line := s.shown(37); !strings.Contains(line, `"s": "p"`) || !strings.Contains(line, "it is bad") {
		t.Errorf("the task is not rejected: %s", line)
	}
	_, got = s.land(land.Options{Branches: []string{"b37"}})
	s.outcomes(got, map[string]land.Outcome{"b37": land.NotPending})
	s.Fsck()
}

// A target that fails by itself: nobody is blamed, and a branch that repairs it lands, and then the others.
func TestRedTarget(t *testing.T) {
	s := newSite(t, 4, map[string]string{"bad": "x\n"})
	names := s.branches(2, nil)
	result, got := s.land(land.Options{Branches: names, Check: "! grep -q x bad"})
	s.outcomes(got, map[string]land.Outcome{"b01": land.Undecided, "b02": land.Undecided})
	if !result.Red || result.New != s.base {
		t.Errorf("%+v", result)
	}
	s.make(work{name: "repair", files: map[string]string{"bad": "y\n"}, task: 3}, work{name: "worse", files: map[string]string{"worse": "x\n"}, task: 4})
	result, got = s.land(land.Options{Branches: append(names, "worse", "repair"), Check: "! grep -q x bad && test ! -e worse"})
	s.outcomes(got, map[string]land.Outcome{"b01": land.Landed, "b02": land.Landed, "repair": land.Landed, "worse": land.Failed})
	if !result.Red {
		t.Errorf("%+v", result)
	}
}

// A check that gives different results for the same files blames nobody.
func TestFlakyCheck(t *testing.T) {
	s := newSite(t, 4, nil)
	count := s.Path("../count")
	names := s.branches(4, nil)
	// It fails for whatever has f03, and not for the third time and later.
	result, got := s.land(land.Options{Branches: names, Check: "test ! -e f03 || { echo >>" + count + "; test $(wc -l <" + count + ") -ge 3; }"})
	if result.Landed() != 4 || !result.Flaky {
		t.Errorf("%+v, %v", result, got)
	}
}

// Two branches that fail only together: one lands, and the other is not to blame alone.
func TestTogether(t *testing.T) {
	s := newSite(t, 3, nil)
	s.finish(3, func() string { s.branches(3, nil); return "b03" }())
	result, got := s.land(land.Options{Branches: []string{"b01", "b02", "b03"}, Check: "! test -e f01 || ! test -e f03"})
	if result.Landed() != 2 {
		t.Errorf("%+v", result)
	}
	if b := got["b03"]; b.Outcome == land.Together && (b.Then != "returned" || s.claimed(3).Claim.Returns != 1) {
		t.Errorf("%+v", b)
	}
}

// What a branch has a conflict with may be what fails the check: then that branch does not land, and this one does.
func TestConflictWithTheGuilty(t *testing.T) {
	s := newSite(t, 2, map[string]string{"file": "x\n"})
	s.make(work{name: "bad", files: map[string]string{"file": "bad\n"}, task: 1}, work{name: "good", files: map[string]string{"file": "good\n"}, task: 2})
	s.finish(1, "bad")
	s.finish(2, "good")
	_, got := s.land(land.Options{All: true, Check: "! grep -q bad file"})
	s.outcomes(got, map[string]land.Outcome{"bad": land.Failed, "good": land.Landed})
	if s.claimed(1).Exists() || s.claimed(2).Exists() {
		t.Error("claims are left")
	}
	if s.Git("show", "main:file") != "good" {
		t.Error("the target does not have the good one")
	}
}
