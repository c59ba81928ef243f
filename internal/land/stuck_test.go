package land_test

import (
	"strings"
	"testing"

	"git-ralph/internal/claim"
	"git-ralph/internal/land"
)

// A branch that cannot land whatever is added to it keeps its task from nobody: the claim goes back, to begin anew at the target, and
// the branch stays. The third time the task is set aside.
func TestBranchThatCanNeverLand(t *testing.T) {
	for name, spoil := range map[string]func(*site){
		"moved back": func(s *site) { s.Git("branch", "-f", "main", "main~1") },
		"another history": func(s *site) {
			s.base = s.Git("commit-tree", "-m", "other", "main^{tree}")
			s.Git("branch", "-f", "main", s.base)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, 1, nil)
			s.base = s.Commit("more", map[string]string{"more": "x\n"})
			s.Git("branch", "-f", "main", s.base)
			s.make(work{name: "ralph-work/t-001.aaaa", files: map[string]string{"1": "1\n"}, task: 1})
			held, tip := s.finish(1, "ralph-work/t-001.aaaa"), s.Git("rev-parse", "ralph-work/t-001.aaaa")
			spoil(s)
			for n := range 3 {
				_, got := s.land(land.Options{All: true})
				b, h := got["ralph-work/t-001.aaaa"], s.claimed(1)
				if n == 2 {
					if b.Then != "set aside" || h.Exists() || !strings.Contains(s.shown(1), `"deps": ["i-`) {
						t.Errorf("%+v, %+v", b, h)
					}
					break
				}
				c := h.Claim
				if b.Outcome != land.Rewritten || b.Then != "returned" || c.State != claim.Working || c.Branch+c.Base+c.Commit != "" || c.Returns != n+1 || c.Feedback == "" {
					t.Fatalf("%+v, %+v", b, c)
				}
				if again := c.WorkBranch(); again != held.Claim.WorkBranch()+"-"+string(rune('1'+n)) {
					t.Errorf("the next attempt is made on %s", again)
				}
				_, claims := s.open()
				work := s.workOf("ralph-work/t-001.aaaa")
				work.Base = tip // as if it had begun there
				if _, err := claims.Finish(t.Context(), id(1), c.Token, work); err != nil {
					t.Fatal(err)
				}
			}
			if s.Git("rev-parse", "ralph-work/t-001.aaaa") != tip {
				t.Error("the branch has changed")
			}
		})
	}
}

// A claim in landing whose commit is gone goes back too.
func TestBranchThatIsGone(t *testing.T) {
	s := newSite(t, 1, nil)
	_, claims := s.open()
	held := s.take(claims, claim.Target{id(1): {Pending: true}}, 1)
	gone := claim.Work{Base: s.base, Branch: "refs/heads/gone", Commit: strings.Repeat("12", 20)}
	if _, err := claims.Finish(t.Context(), id(1), held.Claim.Token, gone); err == nil {
		t.Skip("a claim of such a branch is refused")
	}
	text := strings.Replace(s.Git("cat-file", "blob", held.Object), `"state": "working"`, `"state": "landing", "branch": "refs/heads/gone", "commit": "`+gone.Commit+`"`, 1)
	s.WriteFile("claim", text+"\n")
	s.Git("update-ref", "refs/ralph/claims/"+id(1), s.Git("hash-object", "-w", "claim"))
	_, got := s.land(land.Options{All: true})
	if b, c := got["gone"], s.claimed(1).Claim; b.Outcome != land.Missing || b.Then != "returned" || c.State != claim.Working || c.Returns != 1 {
		t.Errorf("%+v, %+v", b, c)
	}
}

// A claim at a remote that names a commit which only this clone has, as of a branch that its user has not pushed, publishes nothing.
func TestClaimsPublishNothing(t *testing.T) {
	s := newSite(t, 2, nil)
	all := s.clones(2)
	victim, attacker := all[0], all[1]
	victim.make(work{name: "wip", files: map[string]string{"secret.txt": "s3cret\n"}, task: 1})
	secret := victim.Git("rev-parse", "wip")
	_, claims := attacker.open()
	held := attacker.take(claims, claim.Target{id(1): {Pending: true}}, 1)
	for _, branch := range []string{"refs/heads/wip", "refs/heads/ralph-work/t-001.abcd", "refs/heads/main"} {
		text := strings.Replace(attacker.Git("cat-file", "blob", held.Object), `"state": "working"`, `"state": "landing", "branch": "`+branch+`", "commit": "`+secret+`"`, 1)
		attacker.WriteFile("claim", text+"\n")
		attacker.Git("push", "-q", "-f", "origin", attacker.Git("hash-object", "-w", "claim")+":refs/ralph/claims/"+id(1))
		_, got := victim.land(land.Options{All: true})
		if b := got[strings.TrimPrefix(branch, "refs/heads/")]; b.Outcome != land.Missing || b.Then != "returned" {
			t.Errorf("%s: %+v", branch, b)
		}
		if _, err := s.At("../hub").TryGit("cat-file", "-e", secret); err == nil {
			t.Fatal("the remote has the commit")
		}
	}
	_, got := victim.land(land.Options{Branches: []string{"wip"}}) // its user may publish it
	if got["wip"].Outcome == land.Missing {
		t.Errorf("%+v", got)
	}
}

// A branch that went on at the remote after its claim was set still lands as the claim has it.
func TestRemoteBranchWentOn(t *testing.T) {
	s := newSite(t, 2, nil)
	all := s.clones(2)
	worker, lander := all[0], all[1]
	worker.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1}, work{name: "two", files: map[string]string{"2": "2\n"}, task: 2})
	worker.finish(1, "one")
	worker.Git("checkout", "-q", "one")
	worker.Commit("more", map[string]string{"more": "1\n"})
	worker.Git("push", "-q", "origin", "one")
	_, got := lander.land(land.Options{All: true})
	s.outcomes(got, map[string]land.Outcome{"one": land.Landed})
	if lander.Exists("more") {
		t.Error("more than what was finished has landed")
	}
}
