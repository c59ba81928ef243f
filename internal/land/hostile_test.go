package land_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/claim"
	"git-ralph/internal/land"
)

// evil makes a branch with a directory of any name, which no index would take, with these files.
func (s *site) evil(branch, dir string, files ...string) {
	s.t.Helper()
	s.WriteFile("content", branch+"\n")
	blob, entries, list := s.Git("hash-object", "-w", "content"), "", s.Git("ls-tree", s.base)+"\n"
	for _, name := range files {
		entries += "100644 blob " + blob + "\t" + name + "\n"
	}
	list += "040000 tree " + s.GitIn(entries, "mktree") + "\t" + dir + "\n"
	if dir == ".." { // one more above the files
		list = s.Git("ls-tree", s.base) + "\n040000 tree " + s.GitIn("040000 tree "+s.GitIn(entries, "mktree")+"\tesc\n", "mktree") + "\t..\n"
	}
	s.Git("branch", branch, s.Git("commit-tree", "-m", branch, "-p", s.base, s.GitIn(list, "mktree")))
}

// A path that no git checks out takes its branch out, with feedback for who made it; nothing is written outside of our directories.
func TestImpossiblePaths(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(temp, "tmp"))
	s := newSite(t, 2, map[string]string{"file": "x\n"})
	if err := os.Mkdir(filepath.Join(temp, "tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	s.evil("config", ".git", "config")
	s.evil("one", "..", "f", ".gitattributes")
	s.evil("two", "..", "f", ".gitattributes")
	s.make(work{name: "good", files: map[string]string{"g": "1\n"}, task: 1})
	_, got := s.land(land.Options{Branches: []string{"config", "one", "two", "good"}})
	s.outcomes(got, map[string]land.Outcome{"config": land.Impossible, "one": land.Impossible, "two": land.Impossible, "good": land.Landed})
	if left := s.At(temp); left.Exists("esc") {
		t.Error("written outside of the directory for temporary files")
	}
}

// Whoever can run git in any worktree of a clone can replace objects for all of them. The check judges what is published.
func TestReplacedObjectsDeceiveNobody(t *testing.T) {
	s := newSite(t, 1, map[string]string{"test": "false\n"})
	s.make(work{name: "red", files: map[string]string{"test": "exit 1\n"}, task: 1}, work{name: "green", files: map[string]string{"test": "true\n"}})
	s.Git("replace", s.Git("rev-parse", "red:test"), s.Git("rev-parse", "green:test"))
	_, got := s.land(land.Options{Branches: []string{"red"}, Check: "sh ./test"})
	s.outcomes(got, map[string]land.Outcome{"red": land.Undecided})
	s.Git("replace", "red^{tree}", "green^{tree}")
	_, got = s.land(land.Options{Branches: []string{"red"}, Check: "git show HEAD:test | sh"})
	s.outcomes(got, map[string]land.Outcome{"red": land.Undecided})
}

// A branch that git cannot check out, as where a required filter fails for a file of it, goes back to who made it. The others land, with
// a check, and also where git has to merge in a worktree.
func TestBranchThatCannotBeCheckedOut(t *testing.T) {
	for name, setting := range map[string][]string{"checked": nil, "merged by a driver": {"merge.mine.driver", "git merge-file %A %O %B"}} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, 3, map[string]string{"file": "1\n2\n3\n4\n5\n", ".gitattributes": "*.big filter=big\nfile merge=mine\n"})
			s.Git("config", "filter.big.smudge", "grep -v lost")
			s.Git("config", "filter.big.required", "true")
			s.make(work{name: "one", files: map[string]string{"1": "1\n", "file": "x\n2\n3\n4\n5\n"}, task: 1},
				work{name: "lost", files: map[string]string{"a.big": "lost\n", "file": "1\n2\n3\n4\ny\n"}, task: 2}, work{name: "three", files: map[string]string{"3": "3\n"}, task: 3})
			o := land.Options{All: true, Check: "true"}
			if setting != nil {
				s.Git("config", setting[0], setting[1])
				o.Check = ""
			}
			for n, branch := range []string{"one", "lost", "three"} {
				s.finish(n+1, branch)
			}
			_, got := s.land(o)
			s.outcomes(got, map[string]land.Outcome{"one": land.Landed, "lost": land.Unusable, "three": land.Landed})
			if h := s.claimed(2); h.Claim.State != claim.Working || h.Claim.Returns != 1 || !strings.Contains(h.Claim.Feedback, "big") {
				t.Errorf("%+v", h)
			}
			s.Fsck()
		})
	}
}

// A target that cannot be checked out is nobody's fault: each branch waits, with the reason.
func TestTargetThatCannotBeCheckedOut(t *testing.T) {
	s := newSite(t, 1, map[string]string{"a.big": "lost\n", ".gitattributes": "*.big filter=big\n"})
	s.Git("config", "filter.big.smudge", "grep -v lost")
	s.Git("config", "filter.big.required", "true")
	s.make(work{name: "one", files: map[string]string{"1": "1\n"}, task: 1}, work{name: "repairs", files: map[string]string{"a.big": "found\n"}})
	result, got := s.land(land.Options{Branches: []string{"one"}, Check: "true"})
	s.outcomes(got, map[string]land.Outcome{"one": land.Undecided})
	if !result.Red || !strings.Contains(got["one"].Reason, "the target itself cannot be checked out") {
		t.Errorf("%+v", result)
	}
	_, got = s.land(land.Options{Branches: []string{"one", "repairs"}, Check: "true"})
	s.outcomes(got, map[string]land.Outcome{"one": land.Landed, "repairs": land.Landed})
}
