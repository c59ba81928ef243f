package land_test

import (
	"os"
	"strings"
	"testing"

	"git-ralph/internal/land"
	"git-ralph/internal/proc"
)

// branchesOf lists the branches of the remote.
func (s *site) branchesOf() string {
	return strings.ReplaceAll(s.At("../hub").Git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"), "\n", " ")
}

// The push that lands a branch of a worker deletes it at the remote, at the commit that lands; a person's branch stays, here and there.
// Whatever keeps the branch from being deleted keeps nothing from landing.
func TestLandedBranchesAreDeleted(t *testing.T) {
	const name = "ralph-work/t-001.aaaa"
	for title, test := range map[string]struct {
		o      land.Options
		before func(worker, lander *site)
		want   string
	}{
		"merged":   {land.Options{All: true}, func(*site, *site) {}, "feature main"},
		"squashed": {land.Options{All: true, Squash: true}, func(*site, *site) {}, "feature main " + name},
		"rebased":  {land.Options{All: true, Rebase: true}, func(*site, *site) {}, "feature main " + name},
		"gone there": {land.Options{Branches: []string{name}}, func(_, lander *site) {
			lander.Git("fetch", "-q", "origin", name+":"+name)
			lander.At("../hub").Git("branch", "-qD", name)
		}, "feature main"},
		"gone on there": {land.Options{Branches: []string{name}}, func(worker, lander *site) {
			lander.Git("fetch", "-q", "origin", name+":"+name)
			worker.Git("push", "-q", "origin", worker.Git("commit-tree", "-p", name, "-m", "more", name+"^{tree}")+":refs/heads/"+name)
		}, "feature main " + name},
		"two tasks": {land.Options{All: true}, func(worker, _ *site) { worker.finish(2, name) }, "feature main"},
		"no deletions there": {land.Options{All: true}, func(worker, _ *site) {
			worker.At("../hub").Git("config", "receive.denyDeletes", "true")
		}, "feature main " + name},
		"a hook there": {land.Options{All: true}, func(worker, _ *site) {
			hook(worker.At("../hub").Path("hooks/pre-receive"), t)
		}, "feature main " + name},
		"a hook here": {land.Options{All: true}, func(_, lander *site) {
			hook(lander.Path(".git/hooks/pre-push"), t)
		}, "feature main " + name},
	} {
		t.Run(title, func(t *testing.T) {
			s := newSite(t, 3, nil)
			s.t = t
			all := s.clones(2)
			worker, lander := all[0], all[1]
			worker.make(work{name: name, files: map[string]string{"1": "1\n"}, task: 1}, work{name: "feature", files: map[string]string{"3": "3\n"}, task: 3})
			worker.finish(1, name)
			worker.finish(3, "feature")
			test.before(worker, lander)
			result, got := lander.land(test.o)
			if got[name].Outcome != land.Landed || lander.At("../hub").Git("rev-parse", "main") != result.New {
				t.Fatalf("%+v", result)
			}
			if branches := s.branchesOf(); branches != test.want {
				t.Errorf("branches: %s, want %s", branches, test.want)
			}
			if !test.o.Squash && !test.o.Rebase {
				lander.Git("merge-base", "--is-ancestor", got[name].Commit, "origin/main")
			}
			worker.Git("rev-parse", "--verify", name)
		})
	}
}

// hook makes a hook that refuses the deletion of branches.
func hook(path string, t *testing.T) {
	t.Helper()
	text := "#!/bin/sh\nwhile read a b c d; do case \"$a $b $c $d\" in *'(delete) 000'*refs/heads/*|*' 000'*' refs/heads/'*) [ \"$b\" = \"${b#0000}\" ] || exit 1;; esac; done\n"
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// A push whose reply was lost, or that never arrived, lands the branch all the same, once, and deletes it.
func TestDeletionWithoutReply(t *testing.T) {
	for title, push := range map[string]string{"lost reply": "%s \"$@\" >/dev/null 2>&1", "lost push": ":"} {
		t.Run(title, func(t *testing.T) {
			s := newSite(t, 1, nil)
			s.t = t
			c := s.clones(1)[0]
			const name = "ralph-work/t-001.aaaa"
			c.make(work{name: name, files: map[string]string{"1": "1\n"}, task: 1})
			c.finish(1, name)
			c.wrapGit("*' :refs/heads/ralph-work/'*", "[ -e '"+c.Path("../once")+"' ] || { >'"+c.Path("../once")+"'; "+
				strings.ReplaceAll(push, "%s", "'$real'")+"; echo 'fatal: the remote end hung up unexpectedly' >&2; exit 128; }")
			result, got := c.land(land.Options{All: true})
			c.outcomes(got, map[string]land.Outcome{name: land.Landed})
			hub := s.At("../hub")
			if n := hub.Git("rev-list", "--count", "--first-parent", s.base+"..main"); n != "1" || hub.Git("rev-parse", "main") != result.New || s.branchesOf() != "main" {
				t.Errorf("%s commits, branches %s", n, s.branchesOf())
			}
			if _, err := os.Stat(c.Path("../once")); err != nil {
				t.Error("nothing was lost")
			}
		})
	}
}

// wrapGit makes commands of git whose arguments match a pattern of sh run a script first, in which $real is the path of git.
func (s *site) wrapGit(pattern, script string) {
	s.t.Helper()
	real, err := proc.LookPath("git", s.Env)
	if err != nil {
		s.t.Fatal(err)
	}
	script = strings.ReplaceAll(script, "$real", real)
	s.WriteFile("../bin/git", "#!/bin/sh\ncase \"$*\" in "+pattern+")\n"+script+"\nesac\nexec '"+real+"' \"$@\"\n")
	if err := os.Chmod(s.Path("../bin/git"), 0o777); err != nil {
		s.t.Fatal(err)
	}
	s.Repo = s.Setenv("PATH", s.Path("../bin")+":"+s.Getenv("PATH"))
}

// Who finds a branch gone that another clone has landed a moment ago reports it as landed.
func TestLandedWhileQueued(t *testing.T) {
	s := newSite(t, 1, nil)
	all := s.clones(2)
	worker, lander := all[0], all[1]
	const name = "ralph-work/t-001.aaaa"
	worker.make(work{name: name, files: map[string]string{"1": "1\n"}, task: 1})
	worker.finish(1, name)
	merged := worker.Git("commit-tree", "-p", "main", "-p", name, "-m", "ralph: land t-001", name+"^{tree}")
	worker.Git("push", "-q", "origin", merged+":refs/heads/merged")
	lander.wrapGit("*'ls-remote --quiet'*", "env -u GIT_DIR '$real' -C '"+s.At("../hub").Dir+"' update-ref --stdin <<X\n"+
		"update refs/heads/main "+merged+"\ndelete refs/heads/"+name+"\ndelete refs/ralph/claims/t-001\nX")
	_, got := lander.land(land.Options{All: true})
	lander.outcomes(got, map[string]land.Outcome{name: land.Contained})
}
